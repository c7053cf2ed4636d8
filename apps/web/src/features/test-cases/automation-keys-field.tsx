import { useState } from 'react'

import { TextArea } from '../../ui/text-area.tsx'
import styles from './case-editor.module.css'
import type { CaseFieldsProps } from './case-editor-props.ts'

/** The automation keys, one per line. While somebody types, the field keeps empty lines. */
export function AutomationKeysField({ editing, shown, errors, hasSide }: CaseFieldsProps) {
  const [typed, setTyped] = useState<string | null>(null)
  return (
    <TextArea
      className={styles.whole}
      label="Automation keys"
      minRows={1}
      maxRows={8}
      spellCheck={false}
      value={typed ?? shown.automation_keys.join('\n')}
      error={findKeyError(errors)}
      hint={
        hasSide === true ? 'One per line, up to 20. They match automated tests whose names contain no id.' : undefined
      }
      onChange={({ target }) => {
        setTyped(target.value)
        editing.change({ automation_keys: target.value.split('\n').filter((line) => line.trim() !== '') })
      }}
      onBlur={() => {
        setTyped(null)
        editing.save()
      }}
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return
        event.stopPropagation()
        event.currentTarget.blur()
      }}
    />
  )
}

/** The server names a key by its index: `automation_keys/3`. */
function findKeyError(errors: CaseFieldsProps['errors']): string | undefined {
  for (const [name, message] of errors) {
    const index = /^automation_keys\/(\d+)/.exec(name)?.[1]
    if (index !== undefined) return `Line ${Number(index) + 1}: ${message}`
  }
  return errors.get('automation_keys')
}
