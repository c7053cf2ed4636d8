import type { MilestoneListItem, MilestoneReadiness, Run, StatusCounts } from '@caseward/client/endpoints'
import { useQuery } from '@tanstack/react-query'
import { Fragment, useState } from 'react'
import { Link } from 'react-router'

import { paths } from '../../paths.ts'
import { ButtonLink } from '../../ui/button.tsx'
import { Loading, Skeleton } from '../../ui/skeleton.tsx'
import { StatusBar } from '../../ui/status/status-bar.tsx'
import { formatDue } from '../milestones/milestone-words.ts'
import { describePace, describeParts, type ReadinessPart } from './describe-readiness.ts'
import { readinessQuery } from './overview-queries.ts'
import styles from './overview.module.css'

interface ReadinessCardProps {
  projectId: string
  milestone: MilestoneListItem
  /** Runs in progress of the milestone and of its sub-milestones. */
  runs: readonly Run[]
}

/** Whether the next milestone will be ready, in one sentence whose parts lead to their lists. */
export function ReadinessCard({ projectId, milestone, runs }: ReadinessCardProps) {
  const { data } = useQuery(readinessQuery(projectId, milestone.id))
  const [now] = useState(Date.now)
  const path = paths.runs(projectId, { milestone: milestone.id, status: 'all' })
  const { due_date: due } = milestone
  return (
    <section className={styles.readiness} aria-label="Readiness">
      <header className={styles.readinessHead}>
        <h2 className={styles.milestone}>
          <Link to={path} title={milestone.name}>
            {milestone.name}
          </Link>
          {due !== null && (
            <span className={styles.due}>{`${Date.parse(due) < now ? '' : 'due '}${formatDue(due, now)}`}</span>
          )}
        </h2>
        <ButtonLink to={path}>Open</ButtonLink>
      </header>
      {data === undefined ? (
        <Loading label="Loading the readiness">
          <Skeleton width="60%" height={14} />
        </Loading>
      ) : (
        <>
          <p className={styles.sentence}>
            {data.total > 0 &&
              describeParts(data).map(({ kind, words }, index) => (
                <Fragment key={kind}>
                  {index > 0 && ', '}
                  <Link to={findList(kind, runs) ?? path}>{words}</Link>
                </Fragment>
              ))}
            {data.total > 0 && '. '}
            {describePace(data, due)}
          </p>
          {data.total > 0 && <StatusBar size="page" counts={toCounts(data)} />}
        </>
      )}
    </section>
  )
}

/** The results that a part of the sentence counts, if they are all in one run in progress. */
function findList(kind: ReadinessPart['kind'], runs: readonly Run[]): string | null {
  if (kind === 'tested') return null
  const status = kind === 'blocked' ? 'blocked' : 'failed'
  const [run, other] = runs.filter(({ stats }) => stats[status] > 0)
  return run === undefined || other !== undefined ? null : paths.run(run.id, { status: [status] })
}

/** What is retested counts as passed here: the sentence names it neither. */
const toCounts = ({ tested, total, failed, blocked }: MilestoneReadiness): StatusCounts => ({
  passed: tested - failed - blocked,
  failed,
  blocked,
  retest: 0,
  not_tested: total - tested,
})
