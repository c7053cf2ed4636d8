import type { AuditEntry } from '@caseward/client/endpoints'
import { useEffect } from 'react'

import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { returnFocusToRow } from '../test-cases/focus-row.ts'
import type { AuditView } from './audit-filter.ts'
import { actionNames } from './audit-actions.ts'
import { describeEntry } from './audit-words.ts'
import styles from './audit.module.css'
import { listFacts } from './list-facts.ts'

interface EntryDialogProps {
  entry: AuditEntry
  onClose: () => void
  /** Shows other entries in place of this one. */
  onFilter: (changes: Partial<AuditView>) => void
}

/** Everything about one entry of the audit log, and the way to others like it. */
export function EntryDialog({ entry, onClose, onFilter }: EntryDialogProps) {
  useEffect(() => returnFocusToRow, [])
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={actionNames[entry.action] ?? 'Change'}
      size="small"
      footer={
        <>
          <Button size="form" onClick={() => onFilter({ action: entry.action })}>
            All of this kind
          </Button>
          {entry.actor.id !== null && (
            <Button size="form" onClick={() => onFilter({ actor: entry.actor.id })}>
              All by this user
            </Button>
          )}
        </>
      }
    >
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls must be reachable by keyboard */}
      <div className={styles.about} role="group" aria-label="Details" tabIndex={0}>
        <p className={styles.sentence}>{describeEntry(entry)}</p>
        <dl className={styles.facts}>
          {listFacts(entry).map(({ label, value }) => (
            <div key={label}>
              <dt>{label}</dt>
              <dd>{value}</dd>
            </div>
          ))}
        </dl>
      </div>
    </Dialog>
  )
}
