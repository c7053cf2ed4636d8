import type { AttemptStatus } from '@caseward/client/endpoints'

import { StatusGlyph } from '../../ui/status/status-glyph.tsx'
import styles from './attempt-marks.module.css'
import { attemptGlyphs, attemptNames } from './test-words.ts'

/** More marks than this are a number. */
const MAX_SHOWN = 5

/** A mark for one attempt, or for the outcome of a test. */
export const AttemptGlyph = ({ status, label }: { status: AttemptStatus; label?: string }) => (
  <span className={styles.glyph} role="img" aria-label={label ?? attemptNames[status]}>
    <StatusGlyph status={attemptGlyphs[status]} isNamed={false} />
  </span>
)

/** The attempts of a test in their order. Screen readers get their names. */
export function AttemptMarks({ statuses }: { statuses: readonly AttemptStatus[] }) {
  const names = statuses.map((status) => attemptNames[status].toLowerCase()).join(', ')
  // The last one is the most important.
  const shown = statuses.length > MAX_SHOWN ? statuses.slice(1 - MAX_SHOWN) : statuses
  return (
    <span className={styles.marks} role="img" aria-label={`Attempts: ${names}`}>
      {shown.length < statuses.length && <span className={styles.more}>…</span>}
      {shown.map((status, index) => (
        // oxlint-disable-next-line react/no-array-index-key -- attempts have no other identity
        <StatusGlyph key={index} status={attemptGlyphs[status]} isNamed={false} />
      ))}
    </span>
  )
}

/** The mark and the name of an outcome. */
export const OutcomeWord = ({ status }: { status: AttemptStatus }) => (
  <span className={styles.word}>
    <StatusGlyph status={attemptGlyphs[status]} isNamed={false} />
    {attemptNames[status]}
  </span>
)
