import type { Person, TimelineEntry } from '@caseward/client/endpoints'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'react-router'

import { paths } from '../../paths.ts'
import { describeFailure } from '../../problems.ts'
import { Button } from '../../ui/button.tsx'
import { ErrorMessage } from '../../ui/error-message.tsx'
import { Loading, SkeletonRows } from '../../ui/skeleton.tsx'
import { StatusWord } from '../../ui/status/status-glyph.tsx'
import { Time } from '../../ui/time.tsx'
import { useCursorPages } from '../../use-cursor-pages.ts'
import { type CommentPlace, timelineOf } from './comment-queries.ts'
import styles from './comments.module.css'
import { describeTimelineEntry } from './timeline-words.ts'

interface TimelineProps {
  place: CommentPlace
  people: readonly Person[]
  getName: (userId: string | null) => string
}

/** What happened at a place. Loaded when it is unfolded. */
export function Timeline(props: TimelineProps) {
  const [isOpen, setIsOpen] = useState(false)
  return (
    <details onToggle={(event) => setIsOpen(event.currentTarget.open)}>
      <summary className={styles.summary}>Activity</summary>
      {isOpen && <Entries {...props} />}
    </details>
  )
}

function Entries({ place, getName }: TimelineProps) {
  const list = useCursorPages(useInfiniteQuery(timelineOf(place)))
  if (list.error !== null) {
    return (
      <ErrorMessage title="The activity could not be loaded." onRetry={list.retry}>
        {describeFailure(list.error, { noun: 'activity' }).message}
      </ErrorMessage>
    )
  }
  if (list.isLoading) {
    return (
      <Loading label="Loading the activity">
        <SkeletonRows count={3} />
      </Loading>
    )
  }
  return (
    <>
      {list.rows.length === 0 && <p className={styles.hint}>Nothing has happened here.</p>}
      <ul className={styles.entries}>
        {list.rows.map((entry) => (
          <li key={`${entry.at} ${entry.kind} ${entry.detail.id}`} className={styles.entry}>
            <span>
              {entry.actor === null ? 'Automation' : getName(entry.actor)} <Words entry={entry} />
            </span>
            <span className={styles.meta}>
              <Time at={entry.at} />
            </span>
          </li>
        ))}
      </ul>
      {list.hasMore && (
        <div>
          <Button variant="quiet" isBusy={list.isLoadingMore} onClick={list.loadMore}>
            Show earlier
          </Button>
        </div>
      )}
    </>
  )
}

function Words({ entry }: { entry: TimelineEntry }) {
  const { kind, detail } = entry
  const words = describeTimelineEntry(entry)
  const isRun = (kind === 'run' || kind === 'rerun') && detail.id !== null
  return (
    <>
      {words}
      {detail.status !== null && kind === 'result' && (
        <>
          {' '}
          <StatusWord status={detail.status} />
        </>
      )}
      {detail.text !== null &&
        (isRun && detail.id !== null ? (
          <>
            {' '}
            <Link to={paths.run(detail.id)}>{detail.text}</Link>
          </>
        ) : (
          <span className={styles.meta}> {detail.text}</span>
        ))}
    </>
  )
}
