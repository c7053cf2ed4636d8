import { useQuery } from '@tanstack/react-query'

import { queries } from '../../api.ts'
import { TextField } from '../../ui/field.tsx'
import { Time } from '../../ui/time.tsx'
import styles from './case-editor.module.css'
import type { CaseFieldsProps } from './case-editor-props.ts'
import { Fact } from './fact.tsx'

/** The automation key, the author and the times: what is rarely read. */
export function CaseOrigin({ projectId, editing, mayEdit, shown, errors, hasSide = false }: CaseFieldsProps) {
  const people = useQuery(queries.people(projectId))
  const author = people.data?.find(({ id }) => id === shown.created_by)?.name
  return (
    <div className={styles.fields}>
      {mayEdit ? (
        <TextField
          className={styles.whole}
          label="Automation key"
          value={shown.automation_key ?? ''}
          error={errors.get('automation_key')}
          limit={2000}
          hint={hasSide ? 'Matches automated tests whose names contain no id.' : undefined}
          onChange={({ target }) => editing.change({ automation_key: target.value === '' ? null : target.value })}
          onBlur={editing.save}
          onKeyDown={(event) => {
            if (event.key === 'Enter') editing.save()
            if (event.key !== 'Escape') return
            event.stopPropagation()
            editing.restore('automation_key')
          }}
        />
      ) : (
        shown.automation_key !== null && (
          <dl className={styles.facts}>
            <Fact name="Automation key">
              <code>{shown.automation_key}</code>
            </Fact>
          </dl>
        )
      )}
      {shown.id !== '' && (
        <p className={styles.times}>
          Created <Time at={shown.created_at} isInText />
          {author !== undefined && ` by ${author}`}
          {shown.updated_at !== shown.created_at && (
            <>
              , changed <Time at={shown.updated_at} isInText />
            </>
          )}
        </p>
      )}
    </div>
  )
}
