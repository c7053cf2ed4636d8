import type { LinkedIssue } from '@caseward/client/endpoints'
import { Fragment, useState } from 'react'

import { toLocalDay } from '../../charts/days.ts'
import { formatClock, formatExactTime, formatTime } from '../../times.ts'

/** The title of a group; a failure without a text has none. */
export const nameGroup = ({ title }: { title: string }): string => (title === '' ? 'Without a message' : title)

const HALF_DAY_MS = 43_200_000

/** "since 07:25", "since Fri 07:25" or "since 3 Nov". */
export function Since({ at }: { at: string }) {
  const [now] = useState(() => new Date())
  const date = new Date(at)
  return (
    <time dateTime={at} title={formatExactTime(at)} style={{ whiteSpace: 'nowrap' }}>
      {`since ${toLocalDay(date) === toLocalDay(now) ? formatClock(date.getTime()) : formatTime(at, now.getTime() + HALF_DAY_MS)}`}
    </time>
  )
}

/** Links to the issues of a group, behind other facts. */
export const GroupIssues = ({ issues }: { issues: readonly LinkedIssue[] }) =>
  issues.map(({ label, url, is_done: isDone }) => (
    <Fragment key={url}>
      {' · '}
      <a href={url} target="_blank" rel="noopener noreferrer nofollow">
        {label}
      </a>
      {isDone !== null && (isDone ? ' done' : ' open')}
    </Fragment>
  ))
