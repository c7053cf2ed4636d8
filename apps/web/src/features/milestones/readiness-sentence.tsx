import type { MilestoneListItem, MilestoneReadiness, Run, StatusCounts } from '@caseward/client/endpoints'
import { useQuery } from '@tanstack/react-query'
import { Fragment } from 'react'
import { Link } from 'react-router'

import { paths } from '../../paths.ts'
import { describeFailure } from '../../problems.ts'
import { classNames } from '../../ui/class-names.ts'
import { ErrorMessage } from '../../ui/error-message.tsx'
import { Loading, Skeleton } from '../../ui/skeleton.tsx'
import { StatusBar } from '../../ui/status/status-bar.tsx'
import { describeUnmatched, formatErrors, sumUncovered } from '../runs/run-counts.ts'
import { describePace, describeParts, type ReadinessPart } from './describe-readiness.ts'
import { readinessQuery } from './milestone-queries.ts'
import styles from './readiness-sentence.module.css'

interface ReadinessSentenceProps {
  projectId: string
  milestone: Pick<MilestoneListItem, 'id' | 'due_date'>
  /** Runs of the milestone and of its sub-milestones. */
  runs: readonly Run[]
}

/** Whether a milestone will be ready, in one sentence whose parts lead to their lists. */
export function ReadinessSentence({ projectId, milestone, runs }: ReadinessSentenceProps) {
  const { data, error, refetch } = useQuery(readinessQuery(projectId, milestone.id))
  const allRuns = paths.runs(projectId, { milestone: milestone.id, status: 'all' })
  if (data === undefined && error !== null) {
    return (
      <ErrorMessage title="The readiness could not be loaded." onRetry={() => void refetch()}>
        {describeFailure(error, { noun: 'milestone' }).message}
      </ErrorMessage>
    )
  }
  if (data === undefined) {
    return (
      <>
        <div className={styles.loading}>
          <Loading label="Loading the readiness">
            <Skeleton width="60%" height={14} />
          </Loading>
        </div>
        <UncoveredTests runs={runs} allRuns={allRuns} />
        <div className={styles.loadingBar} />
      </>
    )
  }
  /** The results that a part counts: in their run, if all are in one, otherwise on the page of the milestone. */
  function findList(kind: Exclude<ReadinessPart['kind'], 'tested'>): string {
    const status = kind === 'blocked' ? 'blocked' : 'failed'
    const run = runs.find(({ stats }) => stats[status] > 0)
    if (run?.stats[status] !== data?.[status]) return paths.milestone(projectId, milestone.id, { list: kind })
    return paths.run(run?.id ?? '', { status: [status], priority: kind === 'critical' ? ['critical'] : [] })
  }
  return (
    <>
      <p className={styles.sentence}>
        {data.total > 0 &&
          describeParts(data).map(({ kind, words }, index) => (
            <Fragment key={kind}>
              {index > 0 && ', '}
              <Link to={kind === 'tested' ? allRuns : findList(kind)}>{words}</Link>
            </Fragment>
          ))}
        {data.total > 0 && '. '}
        {describePace(data, milestone.due_date)}
      </p>
      <UncoveredTests runs={runs} allRuns={allRuns} />
      {data.total > 0 && <StatusBar size="page" counts={toCounts(data)} />}
    </>
  )
}

/** What CI reported that no result stands for, with the way to it. */
function UncoveredTests({ runs, allRuns }: { runs: readonly Run[]; allRuns: string }) {
  const counts = sumUncovered(runs)
  const concerned = runs.filter(({ test_stats: { errors, unmatched } }) => errors > 0 || unmatched > 0)
  const [run] = concerned
  if (run === undefined) return null
  const parts = [
    ...(counts.errors === 0 ? [] : [formatErrors(counts.errors)]),
    ...(counts.unmatched === 0 ? [] : [describeUnmatched(counts)]),
  ]
  const isFailure = counts.errors > 0 || (counts.unmatched_stats?.failed ?? 0) > 0
  return (
    <p className={classNames(styles.uncovered, isFailure && styles.failure)}>
      <Link to={concerned.length === 1 ? paths.runTests(run.id, { match: 'unmatched' }) : allRuns}>
        {parts.join(', ')}
      </Link>
    </p>
  )
}

/** What is retested counts as passed here: the sentence names it neither. */
const toCounts = ({ tested, total, failed, blocked }: MilestoneReadiness): StatusCounts => ({
  passed: tested - failed - blocked,
  failed,
  blocked,
  retest: 0,
  not_tested: total - tested,
})
