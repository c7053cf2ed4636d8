import type { TestCaseRow } from '@caseward/client/endpoints'
import { useMemo, useState } from 'react'

import { Checkbox } from '../../ui/checkbox.tsx'
import { FormDialog } from '../../ui/form-dialog.tsx'
import { formatNumberOf } from '../../ui/format-count.ts'
import styles from './cases.module.css'
import { TagField } from './tag-field.tsx'
import type { CaseChange } from './use-case-actions.ts'

interface TagsDialogProps {
  rows: readonly TestCaseRow[]
  /** The tags of the project. */
  suggestions: readonly string[]
  onChange: (change: CaseChange, words: string) => void
  onClose: () => void
}

/** Adds tags to test cases and removes them. */
export function TagsDialog({ rows, suggestions, onChange, onClose }: TagsDialogProps) {
  const [added, setAdded] = useState<readonly string[]>([])
  /** What the user has decided about tags that the test cases have. */
  const [choices, setChoices] = useState<ReadonlyMap<string, boolean>>(new Map())
  const present = useMemo(() => countTags(rows), [rows])
  const [first] = rows
  const subject = rows.length === 1 && first !== undefined ? first.id : formatNumberOf(rows.length, 'test case')
  function apply(): void {
    const chosen = [...choices]
    const add_tags = [...added, ...chosen.filter(([, isOn]) => isOn).map(([tag]) => tag)]
    const remove_tags = chosen.filter(([, isOn]) => !isOn).map(([tag]) => tag)
    onClose()
    if (add_tags.length + remove_tags.length === 0) return
    onChange({ add_tags, remove_tags }, `Tags of ${subject} changed`)
  }
  return (
    <FormDialog
      onClose={onClose}
      title={`Tags of ${subject}`}
      size="small"
      submitLabel="Apply"
      className={styles.form}
      onSubmit={apply}
    >
      <TagField label="Add" tags={added} onChange={setAdded} suggestions={suggestions} />
      {present.length > 0 && (
        <ul className={styles.tagList} aria-label="Tags of these test cases">
          {present.map(([tag, count]) => (
            <li key={tag} className={styles.tagItem}>
              <Checkbox
                label={tag}
                checked={choices.get(tag) ?? (count === rows.length || 'mixed')}
                onChange={(isOn) => setChoices(new Map(choices).set(tag, isOn))}
              />
              {rows.length > 1 && <span className={styles.tagCount}>{count}</span>}
            </li>
          ))}
        </ul>
      )}
    </FormDialog>
  )
}

function countTags(rows: readonly TestCaseRow[]): readonly (readonly [tag: string, count: number])[] {
  const counts = new Map<string, number>()
  for (const { tags } of rows) for (const tag of tags) counts.set(tag, (counts.get(tag) ?? 0) + 1)
  return [...counts].toSorted(([a], [b]) => a.localeCompare(b, 'en', { numeric: true }))
}
