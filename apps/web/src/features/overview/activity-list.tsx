import type { ActivityEntry } from '@caseward/client/endpoints'
import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Link } from 'react-router'

import { paths } from '../../paths.ts'
import { formatNumberOf } from '../../ui/format-count.ts'
import { Time } from '../../ui/time.tsx'
import { LoadedCard } from '../../ui/loaded-card.tsx'
import styles from './overview.module.css'

const SHOWN = 10

/** What happened in the project, the newest first. Who joined is on the page of its members. */
export const ActivityList = ({ projectId, query }: { projectId: string; query: UseQueryResult<ActivityEntry[]> }) => (
  <LoadedCard title="Changed" query={query} rows={SHOWN}>
    {(entries) => (
      <ul>
        {pickEntries(entries)
          .slice(0, SHOWN)
          .map((entry) => (
            <li key={`${entry.kind} ${entry.subject.id}`} className={styles.row}>
              <span className={styles.event}>{describe(projectId, entry)}</span>
              <span className={styles.age}>
                <Time at={entry.at} />
              </span>
            </li>
          ))}
      </ul>
    )}
  </LoadedCard>
)

/** A run that is completed did start. */
function pickEntries(entries: readonly ActivityEntry[]): ActivityEntry[] {
  const completed = new Set(entries.flatMap(({ kind, subject }) => (kind === 'run.completed' ? [subject.id] : [])))
  return entries.filter(
    ({ kind, subject }) => kind !== 'member.joined' && !(kind === 'run.created' && completed.has(subject.id)),
  )
}

function describe(projectId: string, { kind, actor, subject }: ActivityEntry): ReactNode {
  const { id, name, count } = subject
  const link = (path: string, words = name) => (
    <Link to={path} title={words}>
      {words}
    </Link>
  )
  switch (kind) {
    case 'run.created':
      return (
        <>
          {actor?.name ?? 'CI'} started {link(paths.run(id))}
        </>
      )
    case 'run.completed':
      return <>Completed: {link(paths.run(id))}</>
    case 'test_cases.created':
      return (
        <>
          {actor?.name ?? 'CI'} added{' '}
          {count === 1
            ? link(paths.case(projectId, id))
            : link(paths.cases(projectId), formatNumberOf(count, 'test case'))}
        </>
      )
    case 'milestone.created':
      return <>New milestone: {link(paths.milestone(projectId, id))}</>
    case 'member.joined':
      return null
  }
}
