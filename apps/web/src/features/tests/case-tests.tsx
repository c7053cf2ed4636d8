import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'

import { paths } from '../../paths.ts'
import { describeFailure } from '../../problems.ts'
import { ErrorMessage } from '../../ui/error-message.tsx'
import { formatNumberOf } from '../../ui/format-count.ts'
import { Loading, SkeletonRows } from '../../ui/skeleton.tsx'
import { Time } from '../../ui/time.tsx'
import { AttemptGlyph } from './attempt-marks.tsx'
import styles from './case-tests.module.css'
import { TestPath } from './test-path.tsx'
import { testQueries } from './test-queries.ts'
import { attemptNames } from './test-words.ts'

/** The automated tests of a test case, with their latest outcomes. */
export function CaseTests({ projectId, caseId }: { projectId: string; caseId: string }) {
  const { data, error, refetch } = useQuery(testQueries.ofCase(projectId, caseId))
  if (data === undefined) {
    return error === null ? (
      <Loading label="Loading the tests">
        <SkeletonRows count={3} />
      </Loading>
    ) : (
      <ErrorMessage title="The automated tests could not be loaded." onRetry={() => void refetch()}>
        {describeFailure(error, { noun: 'test case' }).message}
      </ErrorMessage>
    )
  }
  if (data.data.length === 0) return <p className={styles.none}>No automated test is linked to this test case.</p>
  const more = data.meta.total - data.data.length
  return (
    <>
      <ul>
        {data.data.map((test) => (
          <li key={test.id} className={styles.test}>
            {test.latest !== null && (
              <AttemptGlyph
                status={test.latest.outcome}
                label={test.latest.is_flaky ? 'Passed, flaky' : attemptNames[test.latest.outcome]}
              />
            )}
            <Link className={styles.name} to={paths.tests(projectId, { test: test.id })}>
              <TestPath test={test} />
            </Link>
            {test.latest !== null && (
              <span className={styles.none}>
                <Time at={test.latest.tested_at} />
              </span>
            )}
          </li>
        ))}
      </ul>
      {more > 0 && <p className={styles.none}>{`And ${formatNumberOf(more, 'more test')}.`}</p>}
    </>
  )
}
