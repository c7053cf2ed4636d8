import type { UnstableTestCase, UnstableTestCases } from '@caseward/client/endpoints'
import type { UseQueryResult } from '@tanstack/react-query'
import { Link } from 'react-router'

import { paths } from '../../paths.ts'
import { formatNumberOf } from '../../ui/format-count.ts'
import { HistoryStrip } from '../../ui/status/history-strip.tsx'
import { LoadedCard } from '../../ui/loaded-card.tsx'
import styles from './overview.module.css'

interface UnstableCasesProps {
  projectId: string
  query: UseQueryResult<UnstableTestCases>
}

/** What failed in the last run in which it was tested, and not the time before. */
export const NewFailures = ({ projectId, query }: UnstableCasesProps) => (
  <LoadedCard title="New failures" count={query.data?.totals.newly_failing} query={query} rows={6}>
    {({ newly_failing: cases }) => (
      <CaseList projectId={projectId} cases={cases} none="Nothing new failed." describe={() => '1 run'} />
    )}
  </LoadedCard>
)

/** What fails again and again. */
export const LastingFailures = ({ projectId, query }: UnstableCasesProps) => (
  <LoadedCard title="Failing for longer" count={query.data?.totals.failing} query={query} rows={6}>
    {({ failing }) => (
      <CaseList
        projectId={projectId}
        cases={failing}
        none="Nothing fails for longer than one run."
        describe={({ failing_runs: count }) => formatNumberOf(count, 'run')}
      />
    )}
  </LoadedCard>
)

/** What passes and fails in turn. */
export const FlakyCases = ({ projectId, query }: UnstableCasesProps) => (
  <LoadedCard title="Flaky" count={query.data?.totals.flaky} query={query} rows={6}>
    {({ flaky, runs }) => (
      <CaseList
        projectId={projectId}
        cases={flaky}
        none={runs === 0 ? 'Nothing was tested yet.' : `Nothing was flaky in the last ${formatNumberOf(runs, 'run')}.`}
        describe={({ changes, flaky_runs: runCount }) =>
          changes > 1 ? formatNumberOf(changes, 'change') : `flaky in ${formatNumberOf(runCount, 'run')}`
        }
      />
    )}
  </LoadedCard>
)

interface CaseListProps {
  projectId: string
  cases: readonly UnstableTestCase[]
  /** What stands there if there are none. */
  none: string
  describe: (testCase: UnstableTestCase) => string
}

const CaseList = ({ projectId, cases, none, describe }: CaseListProps) =>
  cases.length === 0 ? (
    <div className={styles.none}>
      <p>{none}</p>
    </div>
  ) : (
    <ul>
      {cases.map((testCase) => (
        <li key={testCase.test_case_id} className={styles.row}>
          <Link
            className={styles.name}
            to={paths.case(projectId, testCase.test_case_id)}
            title={`${testCase.test_case_id} ${testCase.title}`}
          >
            <span className={styles.id}>{testCase.test_case_id}</span> {testCase.title}
          </Link>
          <HistoryStrip statuses={testCase.statuses} />
          <span className={styles.note}>{describe(testCase)}</span>
        </li>
      ))}
    </ul>
  )
