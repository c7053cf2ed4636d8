import type { LinkedIssue } from '@caseward/client/endpoints'
import { Fragment } from 'react'

/** The title of a group; a failure without a text has none. */
export const nameGroup = ({ title }: { title: string }): string => (title === '' ? 'Without a message' : title)

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
