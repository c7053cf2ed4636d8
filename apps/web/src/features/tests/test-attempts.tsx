import type { TestAttempt } from '@caseward/client/endpoints'
import type { ReactNode } from 'react'

import { formatMilliseconds } from '../../times.ts'
import { LongText } from '../runs/long-text.tsx'
import { OutcomeWord } from './attempt-marks.tsx'
import { AttemptSteps } from './attempt-steps.tsx'
import styles from './test-attempts.module.css'

interface TestAttemptsProps {
  attempts: readonly TestAttempt[]
  /** The run of the attempts, if the page is not about it. */
  runName?: string | null
  renderFiles?: RenderFiles | undefined
}

/** Renders the files of an attempt, by its number from 1. */
export type RenderFiles = (attempt: number) => ReactNode

/** The attempts of a test in their order, with their messages. Stack traces are folded. */
export const TestAttempts = ({ attempts, runName = null, renderFiles }: TestAttemptsProps) => (
  <section className={styles.section}>
    <h3 className={styles.heading}>
      {attempts.length === 1 ? 'Attempt' : 'Attempts'}
      {runName !== null && ` in ${runName}`}
    </h3>
    <AttemptList attempts={attempts} renderFiles={renderFiles} />
  </section>
)

interface AttemptListProps {
  attempts: readonly TestAttempt[]
  renderFiles?: RenderFiles | undefined
}

/** The attempts without a heading. */
export const AttemptList = ({ attempts, renderFiles }: AttemptListProps) => (
  <ol className={styles.attempts}>
    {attempts.map((attempt, index) => (
      // oxlint-disable-next-line react/no-array-index-key -- attempts have no other identity
      <li key={index} className={styles.attempt}>
        <p className={styles.facts}>
          <span className={styles.number}>{index + 1}</span>
          <OutcomeWord status={attempt.status} />
          {attempt.elapsed_ms !== null && <span className={styles.time}>{formatMilliseconds(attempt.elapsed_ms)}</span>}
        </p>
        {attempt.message !== '' && (
          <div className={styles.message}>
            <LongText text={attempt.message} render={(text) => <p>{text}</p>} />
          </div>
        )}
        <AttemptSteps attempt={attempt} />
        {renderFiles?.(index + 1)}
        {attempt.details !== '' && (
          <details className={styles.details}>
            <summary>Details</summary>
            <LongText text={attempt.details} render={(text) => <pre className={styles.trace}>{text}</pre>} />
          </details>
        )}
      </li>
    ))}
  </ol>
)
