import type { Comment, Person } from '@caseward/client/endpoints'
import { useQuery } from '@tanstack/react-query'
import { useRef, useState } from 'react'

import { describeFailure } from '../../problems.ts'
import { Avatar } from '../../ui/avatar.tsx'
import { Button } from '../../ui/button.tsx'
import { ErrorMessage } from '../../ui/error-message.tsx'
import { Loading, SkeletonRows } from '../../ui/skeleton.tsx'
import { Time } from '../../ui/time.tsx'
import { LongText } from '../runs/long-text.tsx'
import { CommentComposer } from './comment-composer.tsx'
import { type CommentPlace, versionsOf, type WrittenComment } from './comment-queries.ts'
import { CommentText } from './comment-text.tsx'
import styles from './comments.module.css'

interface CommentItemProps {
  place: CommentPlace
  comment: Comment
  people: readonly Person[]
  getName: (userId: string | null) => string
  /** Whether the user has written it, and may change it. */
  mayChange: boolean
  mayDelete: boolean
  onChange: (written: WrittenComment) => Promise<void>
  onDelete: () => void
}

/** One comment, or what is left of a deleted one. */
export function CommentItem(props: CommentItemProps) {
  const { place, comment, people, getName, mayChange, mayDelete, onChange, onDelete } = props
  const [isEditing, setIsEditing] = useState(false)
  const [showsVersions, setShowsVersions] = useState(false)
  const editButton = useRef<HTMLButtonElement>(null)
  const author = getName(comment.created_by)
  if (comment.body === null) {
    return (
      <p className={styles.meta}>
        Comment deleted by {getName(comment.deleted_by)}
        {comment.deleted_at !== null && (
          <>
            , <Time at={comment.deleted_at} isInText />
          </>
        )}
      </p>
    )
  }
  function close(): void {
    setIsEditing(false)
    requestAnimationFrame(() => editButton.current?.focus())
  }
  const names = new Map(people.map(({ id, name }) => [id, name]))
  const shown = { projectId: place.projectId, attachments: comment.attachments, getName: (id: string) => names.get(id) }
  return (
    <article className={styles.comment} aria-label={`Comment by ${author}`}>
      <header className={styles.commentHead}>
        <Avatar name={author} isNamed={false} />
        <strong>{author}</strong>
        <span className={styles.meta}>
          <Time at={comment.created_at} />
        </span>
        {comment.edited_at !== null && (
          <Button variant="quiet" aria-expanded={showsVersions} onClick={() => setShowsVersions(!showsVersions)}>
            Edited
          </Button>
        )}
        {!isEditing && (mayChange || mayDelete) && (
          <span className={styles.actions}>
            {mayChange && (
              <Button ref={editButton} variant="quiet" onClick={() => setIsEditing(true)}>
                Edit
              </Button>
            )}
            {mayDelete && (
              <Button variant="quiet" onClick={onDelete}>
                Delete
              </Button>
            )}
          </span>
        )}
      </header>
      {isEditing ? (
        <CommentComposer
          place={place}
          people={people}
          comment={comment}
          onCancel={close}
          onSend={async (written) => {
            await onChange(written)
            close()
          }}
        />
      ) : (
        <LongText text={comment.body} render={(text) => <CommentText text={text} {...shown} />} />
      )}
      {showsVersions && <Versions projectId={place.projectId} comment={comment} shown={shown} />}
    </article>
  )
}

interface VersionsProps {
  projectId: string
  comment: Comment
  shown: Omit<Parameters<typeof CommentText>[0], 'text'>
}

/** What a comment was before its author changed it. */
function Versions({ projectId, comment, shown }: VersionsProps) {
  const { data, error, refetch } = useQuery(versionsOf(projectId, comment.id, comment.edited_at))
  if (data === undefined && error !== null) {
    return (
      <ErrorMessage title="The earlier texts could not be loaded." onRetry={() => void refetch()}>
        {describeFailure(error, { noun: 'comment' }).message}
      </ErrorMessage>
    )
  }
  if (data === undefined) {
    return (
      <Loading label="Loading the earlier texts">
        <SkeletonRows count={1} />
      </Loading>
    )
  }
  return (
    <ul className={styles.versions} aria-label="Earlier texts">
      {data.map(({ body, replaced_at }) => (
        <li key={`${replaced_at} ${body}`}>
          <p className={styles.meta}>
            Until <Time at={replaced_at} isInText />
          </p>
          <LongText text={body} render={(text) => <CommentText text={text} {...shown} />} />
        </li>
      ))}
    </ul>
  )
}
