import type { ReactNode } from 'react'

import { describeFailure } from '../problems.ts'
import { Banner } from './banner.tsx'
import { Button } from './button.tsx'
import { ErrorMessage } from './error-message.tsx'
import { ProgressLine } from './progress-line.tsx'
import { Loading, SkeletonRows } from './skeleton.tsx'
import type { PagedList as List } from '../use-cursor-pages.ts'
import styles from './paged-list.module.css'

interface PagedListProps {
  list: Omit<List<unknown>, 'rows'>
  /** What is loaded, with its article: "the audit log". */
  noun: string
  /** The table, once something has arrived. */
  children: ReactNode
}

/** Shows a list that is read page by page: once its first page is loaded, and until then its shape, or why it could not be loaded. */
export const PagedList = ({ list, noun, children }: PagedListProps) => (
  <div className={styles.list}>
    {(list.isOutdated || list.isLoadingMore) && <ProgressLine label={`Loading ${noun}`} />}
    {list.moreError !== null && (
      <Banner tone="warning" actions={<Button onClick={list.retry}>Try again</Button>}>
        The list is not complete, or not up to date. {describeFailure(list.moreError, { noun: 'list' }).message}
      </Banner>
    )}
    {list.error !== null && <ListFailure error={list.error} noun={noun} onRetry={list.retry} />}
    {list.isLoading && (
      <Loading label={`Loading ${noun}`}>
        <SkeletonRows count={14} />
      </Loading>
    )}
    {!list.isLoading && list.error === null && children}
  </div>
)

function ListFailure({ error, noun, onRetry }: { error: Error; noun: string; onRetry: () => void }) {
  const { message, canRetry, requestId } = describeFailure(error, { noun: 'project' })
  return (
    <ErrorMessage
      title={`${noun.charAt(0).toUpperCase()}${noun.slice(1)} could not be loaded.`}
      {...(requestId === null ? {} : { requestId })}
      {...(canRetry ? { onRetry } : {})}
    >
      {message}
    </ErrorMessage>
  )
}
