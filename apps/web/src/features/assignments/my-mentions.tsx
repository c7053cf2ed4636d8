import type { Mention } from '@caseward/client/endpoints'
import { useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query'
import { Link } from 'react-router'

import { paths } from '../../paths.ts'
import { describeFailure } from '../../problems.ts'
import { Button } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ErrorMessage } from '../../ui/error-message.tsx'
import { Loading, SkeletonRows } from '../../ui/skeleton.tsx'
import { Time } from '../../ui/time.tsx'
import { showToast } from '../../ui/toast.ts'
import { VisuallyHidden } from '../../ui/visually-hidden.tsx'
import { useCursorPages } from '../../use-cursor-pages.ts'
import { mentionsKey, myMentions, readMentions, useUnreadCount } from './mention-queries.ts'
import styles from './work.module.css'

/** The comments that mention the user, in all projects. Opening one marks it as read. */
export function MyMentions() {
  const queryClient = useQueryClient()
  const list = useCursorPages(useInfiniteQuery(myMentions(false)))
  const unreadCount = useUnreadCount()
  const read = useMutation({
    mutationFn: readMentions,
    onSuccess: () => queryClient.invalidateQueries({ queryKey: mentionsKey }),
    onError: (error) => showToast({ message: `Not marked as read: ${describeFailure(error).message}` }),
  })
  if (list.error !== null) {
    return (
      <ErrorMessage title="Your mentions could not be loaded." onRetry={list.retry}>
        {describeFailure(list.error, { noun: 'page' }).message}
      </ErrorMessage>
    )
  }
  if (list.isLoading) {
    return (
      <Loading label="Loading your mentions">
        <SkeletonRows count={4} />
      </Loading>
    )
  }
  if (list.rows.length === 0) {
    return (
      <EmptyState drawing="runs" title="Nobody has mentioned you" help="running-tests">
        Comments that mention you with @ and your name appear here.
      </EmptyState>
    )
  }
  return (
    <>
      <div className={styles.head}>
        <p className={styles.summary} role="status">
          {unreadCount === 0 ? 'You have read all of them.' : `${unreadCount} not read.`}
        </p>
        {unreadCount > 0 && (
          <Button isBusy={read.isPending} onClick={() => read.mutate(null)}>
            Mark all as read
          </Button>
        )}
      </div>
      <ul>
        {list.rows.map((mention) => (
          <Item
            key={mention.id}
            mention={mention}
            onRead={() => {
              if (mention.read_at === null) read.mutate([mention.id])
            }}
          />
        ))}
      </ul>
      {list.hasMore && (
        <div>
          <Button variant="quiet" isBusy={list.isLoadingMore} onClick={list.loadMore}>
            Show earlier mentions
          </Button>
        </div>
      )}
    </>
  )
}

function Item({ mention, onRead }: { mention: Mention; onRead: () => void }) {
  const { author_name: author, title, project_name: project, text, created_at: at, read_at: readAt } = mention
  const isUnread = readAt === null
  return (
    <li className={styles.run}>
      <span className={styles.what}>
        <Link className={isUnread ? styles.unread : undefined} to={getPath(mention)} onClick={onRead}>
          {isUnread && (
            <>
              <span aria-hidden>● </span>
              <VisuallyHidden>Not read: </VisuallyHidden>
            </>
          )}
          {author} on {title}
        </Link>
        <span>{text}</span>
        <span className={styles.summary}>
          {project}, <Time at={at} isInText />
        </span>
      </span>
      {isUnread && (
        <Button variant="quiet" onClick={onRead}>
          Mark as read
        </Button>
      )}
    </li>
  )
}

/** Where the comment is. */
function getPath({ project_id: projectId, test_case_id: caseId, run_id: runId, result_id: resultId }: Mention): string {
  if (runId !== null) {
    return resultId === null ? `${paths.run(runId)}?comments=1` : paths.run(runId, { result: resultId })
  }
  return caseId === null ? paths.cases(projectId) : paths.case(projectId, caseId)
}
