import type { MilestoneListItem, Run } from '@caseward/client/endpoints'
import type { UseQueryResult } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'react-router'

import { paths } from '../../paths.ts'
import { describeFailure } from '../../problems.ts'
import { ButtonLink } from '../../ui/button.tsx'
import { ErrorMessage } from '../../ui/error-message.tsx'
import { Loading, Skeleton } from '../../ui/skeleton.tsx'
import { formatDue } from '../milestones/milestone-words.ts'
import { ReadinessSentence } from '../milestones/readiness-sentence.tsx'
import styles from './overview.module.css'

interface ReadinessCardProps {
  projectId: string
  query: Pick<UseQueryResult, 'data' | 'error' | 'refetch'>
  /** The one that is due next; null if none is open, or not known yet. */
  milestone: MilestoneListItem | null
  /** Runs of the milestone and of its sub-milestones: those in progress and the latest. */
  runs: readonly Run[]
}

/** Whether the next milestone will be ready, in one sentence whose parts lead to their lists. */
export const ReadinessCard = ({ projectId, query, milestone, runs }: ReadinessCardProps) => (
  <section className={styles.readiness} aria-label="Readiness">
    {milestone !== null ? (
      <Readiness projectId={projectId} milestone={milestone} runs={runs} />
    ) : query.data !== undefined ? (
      <>
        <h2 className={styles.milestone}>No milestone is open</h2>
        <p className={styles.due}>
          With a milestone and its due date, you see here whether the next release is ready.{' '}
          <Link to={paths.milestones(projectId)}>Milestones</Link>
        </p>
      </>
    ) : query.error === null ? (
      <Loading label="Loading the milestones">
        <Skeleton width="30%" height={16} />
      </Loading>
    ) : (
      <ErrorMessage title="The milestones could not be loaded." onRetry={() => void query.refetch()}>
        {describeFailure(query.error, { noun: 'milestone' }).message}
      </ErrorMessage>
    )}
  </section>
)

function Readiness({
  projectId,
  milestone,
  runs,
}: Pick<ReadinessCardProps, 'projectId' | 'runs'> & { milestone: MilestoneListItem }) {
  const [now] = useState(Date.now)
  const path = paths.milestone(projectId, milestone.id)
  const { due_date: due } = milestone
  return (
    <>
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
      <ReadinessSentence projectId={projectId} milestone={milestone} runs={runs} />
    </>
  )
}
