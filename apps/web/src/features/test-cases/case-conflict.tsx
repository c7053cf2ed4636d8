import type { Folder } from '@caseward/client/endpoints'
import { type KeyboardEvent, useEffect, useRef, useState } from 'react'

import { Button } from '../../ui/button.tsx'
import { Segmented } from '../../ui/segmented.tsx'
import { Time } from '../../ui/time.tsx'
import styles from './case-conflict.module.css'
import type { CaseEditing, EditConflict } from './case-editing.ts'
import { formatFieldValue, type FieldValue } from '../fields/field-words.ts'
import { useFields } from '../fields/use-fields.ts'
import { type FieldConflict, isCustomField } from './compare-versions.ts'
import { editedFields, formatField } from './edited-fields.ts'
import { usePeople } from './use-people.ts'

interface CaseConflictProps {
  projectId: string
  conflict: EditConflict
  folders: readonly Folder[]
  editing: CaseEditing
}

/** Two people have changed the same fields: both versions, side by side, and a choice for each field. */
export function CaseConflict({ projectId, conflict, folders, editing }: CaseConflictProps) {
  const { getPerson } = usePeople(projectId)
  const context = { folders, getPerson }
  const { byKey } = useFields(projectId)
  const getField = (name: string) => byKey.get(name.slice(name.indexOf('/') + 1))
  const getName = ({ field }: FieldConflict) =>
    isCustomField(field) ? (getField(field)?.name ?? field.slice(field.indexOf('/') + 1)) : editedFields[field].name
  function format(item: FieldConflict, side: 'own' | 'stored'): string {
    if (!isCustomField(item.field)) return formatField(item.field, item[side] as never, context)
    const field = getField(item.field)
    const value = item[side] as FieldValue
    return field === undefined ? JSON.stringify(value) : formatFieldValue(field, value, getPerson)
  }
  const [choices, setChoices] = useState<ReadonlyMap<FieldConflict['field'], 'mine' | 'theirs'>>(new Map())
  const { conflicts, stored, changedBy } = conflict
  const section = useRef<HTMLElement>(null)
  useEffect(() => {
    // The field in which the user was typing is gone.
    if (document.activeElement === document.body) section.current?.focus()
  }, [])
  const isDecided = conflicts.every(({ field }) => choices.has(field))
  const resolve = (kept: readonly FieldConflict[]) => editing.resolve(new Set(kept.map(({ field }) => field)))
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- see below
    <section ref={section} className={styles.conflict} aria-label="Two versions" tabIndex={-1} onKeyDown={keepTyping}>
      <div role="alert">
        <h2 className={styles.title}>
          {changedBy ?? 'Someone'} changed this test case{' '}
          <span className={styles.hint}>
            <Time at={stored.updated_at} isInText />
          </span>
        </h2>
        <p className={styles.hint}>Choose what to keep. Everything else that you typed is kept.</p>
      </div>
      {conflicts.map((item) => (
        <div key={item.field} className={styles.field}>
          <div className={styles.head}>
            <h3>{getName(item)}</h3>
            <Segmented<'mine' | 'theirs' | ''>
              label={getName(item)}
              value={choices.get(item.field) ?? ''}
              options={[
                { value: 'mine', label: 'Keep mine' },
                { value: 'theirs', label: 'Take theirs' },
              ]}
              onChange={(choice) => choice !== '' && setChoices(new Map(choices).set(item.field, choice))}
            />
          </div>
          <div className={styles.versions}>
            <Version name="Mine" isChosen={choices.get(item.field) === 'mine'}>
              {format(item, 'own')}
            </Version>
            <Version name={changedBy ?? 'Theirs'} isChosen={choices.get(item.field) === 'theirs'}>
              {format(item, 'stored')}
            </Version>
          </div>
        </div>
      ))}
      <div className={styles.actions}>
        <Button
          variant="primary"
          size="form"
          disabled={!isDecided}
          onClick={() => resolve(conflicts.filter(({ field }) => choices.get(field) === 'mine'))}
        >
          Save the choice
        </Button>
        {conflicts.length > 1 && (
          <>
            <Button size="form" onClick={() => resolve(conflicts)}>
              Keep all mine
            </Button>
            <Button size="form" onClick={() => resolve([])}>
              Take all theirs
            </Button>
          </>
        )}
      </div>
    </section>
  )
}

/** The user may still be typing when the conflict appears: that must not act as keys of the page. */
function keepTyping(event: KeyboardEvent): void {
  if (event.key !== 'Escape' && !event.ctrlKey && !event.metaKey) event.stopPropagation()
}

const Version = ({ name, isChosen, children }: { name: string; isChosen: boolean; children: string }) => (
  <div className={styles.version} data-chosen={isChosen || undefined}>
    <p className={styles.name}>{name}</p>
    <div className={styles.text}>{children === '' ? '(empty)' : children}</div>
  </div>
)
