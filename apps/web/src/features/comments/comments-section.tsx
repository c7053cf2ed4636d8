import type { Comment } from '@caseward/client/endpoints'
import { type InfiniteData, useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query'
import type { ReactNode } from 'react'

import { queries } from '../../api.ts'
import { describeFailure } from '../../problems.ts'
import { Button } from '../../ui/button.tsx'
import { ErrorMessage } from '../../ui/error-message.tsx'
import { Loading, SkeletonRows } from '../../ui/skeleton.tsx'
import { showToast } from '../../ui/toast.ts'
import { deletions, undoStack, useHiddenIds } from '../../undo/use-undo.ts'
import { getPlaceKey } from '../../uploads/upload-entry.ts'
import { type CursorPage, useCursorPages } from '../../use-cursor-pages.ts'
import { useProject } from '../../use-project.ts'
import { CommentComposer } from './comment-composer.tsx'
import { CommentItem } from './comment-item.tsx'
import {
  addComment,
  changeComment,
  type CommentPlace,
  commentsOf,
  removeComment,
  timelineOf,
} from './comment-queries.ts'
import styles from './comments.module.css'
import { Timeline } from './timeline.tsx'

type Pages = InfiniteData<CursorPage<Comment>>

export interface CommentsSectionProps {
  place: CommentPlace
  /** The heading, with the look of its place. */
  renderHeading: (text: string) => ReactNode
  /** What users see who may not write the first one; nothing by default. */
  empty?: string
  /** Whether its key acts on the page: there is one such section. */
  hasKeys?: boolean
}

/** What people say about a place, the newest at the bottom, and what happened there. */
export function CommentsSection({ place, renderHeading, empty, hasKeys = false }: CommentsSectionProps) {
  const queryClient = useQueryClient()
  const options = commentsOf(place)
  const list = useCursorPages(useInfiniteQuery(options))
  const { data: people = [] } = useQuery(queries.people(place.projectId))
  const { data: me } = useQuery(queries.me())
  const { project } = useProject(place.projectId)
  const hiddenIds = useHiddenIds()
  const mayWrite = project?.permissions.includes('comments:write') === true
  const names = new Map(people.map(({ id, name }) => [id, name]))
  const getName = (id: string | null) => names.get(id ?? '') ?? 'A former member'
  const refresh = () =>
    Promise.all(
      [options, timelineOf(place)].map(({ queryKey }) => queryClient.invalidateQueries({ queryKey, exact: true })),
    )

  const show = (change: (comments: readonly Comment[]) => readonly Comment[]) =>
    queryClient.setQueryData<Pages>(options.queryKey, (known) =>
      known === undefined
        ? known
        : {
            ...known,
            pages: known.pages.map((page, index) => ({ ...page, data: index === 0 ? change(page.data) : page.data })),
          },
    )
  function remove(comment: Comment): void {
    const cancel = deletions.schedule({
      ids: [comment.id],
      async send(keepalive) {
        await removeComment(place.projectId, comment.id, keepalive)
        undoStack.remove(entry)
        await refresh()
      },
      onFailed(error) {
        undoStack.remove(entry)
        showToast({ message: `Not deleted: ${describeFailure(error, { noun: 'comment' }).message}` })
      },
    })
    const entry = undoStack.push({ words: 'Comment deleted', undo: () => void cancel() })
  }
  if (list.error !== null) {
    return (
      <ErrorMessage title="The comments could not be loaded." onRetry={list.retry}>
        {describeFailure(list.error, { noun: 'list of comments' }).message}
      </ErrorMessage>
    )
  }
  const comments = list.rows.filter(({ id }) => !hiddenIds.has(id)).toReversed()
  const count = comments.filter(({ body }) => body !== null).length
  const isEmpty = !list.isLoading && comments.length === 0
  return (
    <section className={styles.section} aria-label="Comments">
      {renderHeading(count === 0 ? 'Comments' : `Comments (${count}${list.hasMore ? '+' : ''})`)}
      {list.isLoading && (
        <Loading label="Loading the comments">
          <SkeletonRows count={2} />
        </Loading>
      )}
      {isEmpty && !mayWrite && empty !== undefined && <p className={styles.hint}>{empty}</p>}
      {list.hasMore && (
        <div>
          <Button variant="quiet" isBusy={list.isLoadingMore} onClick={list.loadMore}>
            Show earlier comments
          </Button>
        </div>
      )}
      {list.moreError !== null && (
        <ErrorMessage title="Some comments could not be loaded." onRetry={list.retry}>
          {describeFailure(list.moreError, { noun: 'list of comments' }).message}
        </ErrorMessage>
      )}
      {comments.length > 0 && (
        <ul className={styles.comments}>
          {comments.map((comment) => (
            <li key={comment.id}>
              <CommentItem
                place={place}
                comment={comment}
                people={people}
                getName={getName}
                mayChange={mayWrite && comment.created_by === me?.id}
                mayDelete={mayWrite && (comment.created_by === me?.id || project.role === 'admin')}
                onChange={async (written) => {
                  const changed = await changeComment(place.projectId, comment.id, written)
                  queryClient.setQueryData<Pages>(options.queryKey, (known) => known && replaceComment(known, changed))
                }}
                onDelete={() => remove(comment)}
              />
            </li>
          ))}
        </ul>
      )}
      {mayWrite && (
        <CommentComposer
          key={getPlaceKey(place)}
          place={place}
          people={people}
          hasKeys={hasKeys}
          onSend={async (written) => {
            const added = await addComment(place, written)
            show((known) => [added, ...known.filter(({ id }) => id !== added.id)])
            void refresh()
          }}
        />
      )}
      <Timeline place={place} getName={getName} people={people} />
    </section>
  )
}

const replaceComment = (known: Pages, changed: Comment): Pages => ({
  ...known,
  pages: known.pages.map((page) => ({
    ...page,
    data: page.data.map((comment) => (comment.id === changed.id ? changed : comment)),
  })),
})
