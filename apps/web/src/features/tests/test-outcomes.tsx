import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'

import { paths } from '../../paths.ts'
import { describeFailure } from '../../problems.ts'
import { ErrorMessage } from '../../ui/error-message.tsx'
import { Time } from '../../ui/time.tsx'
import { AttemptGlyph } from './attempt-marks.tsx'
import styles from './test-panel.module.css'
import { testQueries } from './test-queries.ts'
import { attemptNames } from './test-words.ts'

interface TestOutcomesProps {
  projectId: string
  testId: string
  /** The run of the page, which is left out. */
  currentRunId: string | null
}

/** What the test did in the latest runs, the newest first. */
export function TestOutcomes({ projectId, testId, currentRunId }: TestOutcomesProps) {
  const { data, error, refetch } = useQuery(testQueries.outcomes(projectId, testId))
  if (data === undefined) {
    if (error === null) return null
    return (
      <ErrorMessage title="The runs of the test could not be loaded." onRetry={() => void refetch()}>
        {describeFailure(error, { noun: 'test' }).message}
      </ErrorMessage>
    )
  }
  const shown = data.data.filter(({ run_id }) => run_id !== currentRunId)
  if (shown.length === 0) return null
  return (
    <section className={styles.section}>
      <h3 className={styles.heading}>{currentRunId === null ? 'Runs' : 'Other runs'}</h3>
      <ul>
        {shown.map(({ run_id, run_name, outcome, is_flaky, tested_at }) => (
          <li key={run_id} className={styles.entry}>
            <AttemptGlyph status={outcome} label={is_flaky ? 'Passed, flaky' : attemptNames[outcome]} />
            <Link className={styles.run} to={paths.runTests(run_id, { test: testId })} title={run_name}>
              {run_name}
            </Link>
            {is_flaky && <span className={styles.flaky}>flaky</span>}
            <span className={styles.muted}>
              <Time at={tested_at} />
            </span>
          </li>
        ))}
      </ul>
      {data.meta.next_after !== null && <p className={styles.muted}>Older runs are not shown.</p>}
    </section>
  )
}
