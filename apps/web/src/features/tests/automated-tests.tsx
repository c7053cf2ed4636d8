import type { RunTest } from '@caseward/client/endpoints'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'react-router'

import { paths } from '../../paths.ts'
import { describeFailure } from '../../problems.ts'
import { formatMilliseconds } from '../../times.ts'
import { ErrorMessage } from '../../ui/error-message.tsx'
import { formatNumberOf } from '../../ui/format-count.ts'
import { Loading, Skeleton } from '../../ui/skeleton.tsx'
import { AttemptGlyph, AttemptMarks } from './attempt-marks.tsx'
import summaryStyles from '../../ui/summary.module.css'
import styles from './automated-tests.module.css'
import { AttemptList } from './test-attempts.tsx'
import { hasKnownSource, TestParts } from './test-parts.tsx'
import { TestPath } from './test-path.tsx'
import { testQueries } from './test-queries.ts'

interface AutomatedTestsProps {
  runId: string
  resultId: string
}

/** The automated tests behind a result, with their attempts. Nothing for a result without tests. */
export function AutomatedTests({ runId, resultId }: AutomatedTestsProps) {
  const { data, error, refetch } = useQuery(testQueries.ofResult(runId, resultId))
  if (data === undefined && error !== null) {
    return (
      <ErrorMessage title="The automated tests could not be loaded." onRetry={() => void refetch()}>
        {describeFailure(error, { noun: 'result' }).message}
      </ErrorMessage>
    )
  }
  const tests = data?.data ?? []
  if (tests.length === 0) return null
  const more = (data?.meta.total ?? 0) - tests.length
  return (
    <section className={styles.section} aria-label="Automated tests">
      <h2 className={styles.heading}>{tests.length === 1 ? 'Automated test' : 'Automated tests'}</h2>
      <ul>
        {tests.map((test) => (
          <li key={test.id} className={styles.item}>
            <TestOfResult runId={runId} test={test} isOnly={tests.length === 1} />
          </li>
        ))}
      </ul>
      {more > 0 && <p className={styles.muted}>{`And ${formatNumberOf(more, 'more test')}.`}</p>}
    </section>
  )
}

/** One test. Its attempts are loaded when they are unfolded; the only test is unfolded already. */
function TestOfResult({ runId, test, isOnly }: { runId: string; test: RunTest; isOnly: boolean }) {
  const [isOpen, setIsOpen] = useState(isOnly)
  return (
    <details open={isOpen} onToggle={(event) => setIsOpen(event.currentTarget.open)}>
      <summary className={summaryStyles.summary}>
        {test.attempt_count > 1 ? (
          <AttemptMarks statuses={test.attempt_statuses} />
        ) : (
          <AttemptGlyph status={test.outcome} />
        )}
        <span className={styles.path}>
          <TestPath test={test} />
        </span>
        {test.is_flaky && <span className={styles.flaky}>flaky</span>}
        {test.elapsed_ms !== null && <span className={styles.muted}>{formatMilliseconds(test.elapsed_ms)}</span>}
      </summary>
      {isOpen && <Attempts runId={runId} testId={test.id} />}
    </details>
  )
}

function Attempts({ runId, testId }: { runId: string; testId: string }) {
  const { data, error, refetch } = useQuery(testQueries.runTest(runId, testId))
  return (
    <div className={styles.attempts}>
      {data === undefined && error === null && (
        <Loading label="Loading the attempts">
          <Skeleton width="60%" />
        </Loading>
      )}
      {data === undefined && error !== null && (
        <ErrorMessage title="The attempts could not be loaded." onRetry={() => void refetch()}>
          {describeFailure(error, { noun: 'test' }).message}
        </ErrorMessage>
      )}
      {data?.is_in_newest_report === false && (
        <p className={styles.muted}>
          Not in the newest report of its file. If it was renamed or deleted, leave it out of this run.
        </p>
      )}
      {data !== undefined &&
        (hasKnownSource(data.parts) ? <TestParts parts={data.parts} /> : <AttemptList attempts={data.attempts} />)}
      <Link className={styles.link} to={paths.runTests(runId, { test: testId })}>
        Open the test
      </Link>
    </div>
  )
}
