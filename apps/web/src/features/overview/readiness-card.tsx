import type { MilestoneListItem, Run } from '@caseward/client/endpoints'
import { useState } from 'react'
import { Link } from 'react-router'

import { paths } from '../../paths.ts'
import { ButtonLink } from '../../ui/button.tsx'
import { formatDue } from '../milestones/milestone-words.ts'
import { ReadinessSentence } from '../milestones/readiness-sentence.tsx'
import styles from './overview.module.css'

interface ReadinessCardProps {
  projectId: string
  milestone: MilestoneListItem
  /** Runs in progress of the milestone and of its sub-milestones. */
  runs: readonly Run[]
}

/** Whether the next milestone will be ready, in one sentence whose parts lead to their lists. */
export function ReadinessCard({ projectId, milestone, runs }: ReadinessCardProps) {
  const [now] = useState(Date.now)
  const path = paths.milestone(projectId, milestone.id)
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
      <ReadinessSentence projectId={projectId} milestone={milestone} runs={runs} />
    </section>
  )
}
