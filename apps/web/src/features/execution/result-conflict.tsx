import type { ResultStatus } from '@caseward/client/endpoints'

import { getEntryId, type OutboxEntry } from '../../outbox/outbox-entry.ts'
import { Button } from '../../ui/button.tsx'
import { CopyButton } from '../../ui/copy-button.tsx'
import { StatusWord } from '../../ui/status/status-glyph.tsx'
import { Time } from '../../ui/time.tsx'
import { undoStack } from '../../undo/use-undo.ts'
import type { RunData } from '../runs/use-run-data.ts'
import styles from './result-conflict.module.css'
import type { Execution } from './use-execution.ts'

/** Shows both results if somebody else has set the open one in the meantime, and lets the user choose. */
export function ResultConflict({ execution }: { execution: Execution }) {
  const { runId, data, current } = execution
  const entry = current === null ? undefined : data.unsent.entries.get(getEntryId({ runId, resultId: current.id }))
  return entry?.problem?.newer === undefined || entry.problem.newer === null ? (
    <ChangedMeanwhile execution={execution} />
  ) : (
    <TwoResults data={data} entry={entry} />
  )
}

/** Shows a write and the newer result that it conflicts with, and lets the user choose. */
export function TwoResults({ data, entry }: { data: RunData; entry: OutboxEntry }) {
  const { outbox } = data
  const newer = entry.problem?.newer
  if (newer === undefined || newer === null) return null

  function takeTheirs(): void {
    if (newer === undefined || newer === null) return
    outbox.discard(entry.id)
    undoStack.push({
      words: `${entry.testCaseId ?? entry.title}: took the newer result`,
      undo: () => outbox.write({ ...entry, base: newer.tested_at }),
    })
  }
  return (
    <section className={styles.conflict} aria-label="Two results">
      <p className={styles.lead} role="alert">
        {data.getPerson(newer.tested_by)} has set another result
        {entry.place === undefined ? '' : ` of ${entry.title}`}. Yours is not saved yet.
      </p>
      <Version title={data.getPerson(newer.tested_by)} at={newer.tested_at} status={newer.status} note={newer.note} />
      <Version title="You" at={null} status={entry.status} note={entry.note ?? null} />
      <div className={styles.actions}>
        <Button onClick={() => outbox.keepOwn(entry.id)}>Keep mine</Button>
        <Button onClick={takeTheirs}>Take theirs</Button>
        {typeof entry.note === 'string' && <CopyButton variant="quiet" text={entry.note} label="Copy note" />}
      </div>
    </section>
  )
}

/** Says whose result has come while the test case was open: what the user sets now does not silently replace it. */
function ChangedMeanwhile({ execution: { data, details, current, canExecute, isChanged } }: { execution: Execution }) {
  // Combinations show what each of them is.
  if (current === null || !canExecute || !isChanged || current.combination_statuses !== undefined) return null
  const who = data.getPerson(current.tested_by)
  return (
    <section className={styles.conflict} aria-label="Another result">
      <p className={styles.lead} role="alert">
        {who} has set a result while this test case was open. If you set another, you choose which one counts.
      </p>
      <Version title={who} at={current.tested_at} status={current.status} note={details.getNote(current) ?? null} />
    </section>
  )
}

interface VersionProps {
  title: string
  at: string | null
  status: ResultStatus
  note: string | null
}

const Version = ({ title, at, status, note }: VersionProps) => (
  <div className={styles.version}>
    <div className={styles.head}>
      <span className={styles.who}>
        {title}
        {at !== null && (
          <span className={styles.time}>
            <Time at={at} isInText />
          </span>
        )}
      </span>
      <StatusWord status={status} />
    </div>
    {note !== null && note !== '' && <p className={styles.text}>{note}</p>}
  </div>
)
