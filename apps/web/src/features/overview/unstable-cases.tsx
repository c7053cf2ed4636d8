import type { UnstableTestCase, UnstableTestCases } from '@caseward/client/endpoints'
import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Link } from 'react-router'

import { paths } from '../../paths.ts'
import type { Search } from '../../search-params.ts'
import type { searchSchemas } from '../../search-schemas.ts'
import { formatNumberOf, formatWholeNumber } from '../../ui/format-count.ts'
import { LoadedCard } from '../../ui/loaded-card.tsx'
import { HistoryStrip } from '../../ui/status/history-strip.tsx'
import { SHOWN_UNSTABLE } from './overview-queries.ts'
import styles from './overview.module.css'

interface UnstableCasesProps {
  projectId: string
  query: UseQueryResult<UnstableTestCases>
  /** The lists that are shown as a whole. */
  whole: Search<typeof searchSchemas.overview>['all']
}

/** What fails and did not before: on the default branch, or where it was tested last. */
export const NewFailures = (props: UnstableCasesProps) => (
  <UnstableCard
    {...props}
    title="New failures"
    name="new"
    list="newly_failing"
    none="Nothing new failed."
    describe={() => '1 run'}
  />
)

/** What fails again and again. */
export const LastingFailures = (props: UnstableCasesProps) => (
  <UnstableCard
    {...props}
    title="Failing for longer"
    name="failing"
    list="failing"
    none="Nothing fails for longer than one run."
    describe={({ failing_runs: count }) => formatNumberOf(count, 'run')}
  />
)

/** Test cases with a flaky test. */
export const FlakyCases = (props: UnstableCasesProps) => (
  <UnstableCard
    {...props}
    title="Flaky"
    name="flaky"
    list="flaky"
    none="No test case has a flaky test."
    describe={({ flaky_runs: count }) => (count === 0 ? 'flaky' : `flaky in ${formatNumberOf(count, 'run')}`)}
  />
)

interface UnstableCardProps extends UnstableCasesProps {
  title: string
  /** In the URL. */
  name: UnstableCasesProps['whole'][number]
  list: keyof UnstableTestCases['totals']
  /** What stands there if there are none. */
  none: string
  describe: (testCase: UnstableTestCase) => string
}

function UnstableCard({ projectId, query, whole, title, name, list, none, describe }: UnstableCardProps) {
  const total = query.data?.totals[list]
  const isWhole = whole.includes(name)
  const all = isWhole ? whole.filter((other) => other !== name) : [...whole, name]
  return (
    <LoadedCard
      title={title}
      count={total}
      query={query}
      rows={SHOWN_UNSTABLE}
      more={
        (total ?? 0) > SHOWN_UNSTABLE && (
          <Link className={styles.more} to={paths.project(projectId, { all })} replace preventScrollReset>
            {isWhole ? 'Show fewer' : 'Show all'}
          </Link>
        )
      }
    >
      {({ [list]: cases, totals }) =>
        cases.length === 0 ? (
          <None>{none}</None>
        ) : (
          <>
            <CaseList
              projectId={projectId}
              cases={isWhole ? cases : cases.slice(0, SHOWN_UNSTABLE)}
              describe={describe}
            />
            {isWhole && !query.isPlaceholderData && totals[list] > cases.length && (
              <None>{`The first ${cases.length} of ${formatWholeNumber(totals[list])}.`}</None>
            )}
          </>
        )
      }
    </LoadedCard>
  )
}

const None = ({ children }: { children: ReactNode }) => (
  <div className={styles.none}>
    <p>{children}</p>
  </div>
)

interface CaseListProps {
  projectId: string
  cases: readonly UnstableTestCase[]
  describe: (testCase: UnstableTestCase) => string
}

const CaseList = ({ projectId, cases, describe }: CaseListProps) => (
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
