import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'

import { describeFailure } from '../../problems.ts'
import { ErrorMessage } from '../../ui/error-message.tsx'
import { Loading, SkeletonRows } from '../../ui/skeleton.tsx'
import styles from './account.module.css'

interface LoadedListProps<Item> {
  query: UseQueryResult<readonly Item[]>
  /** What is loaded: "sessions". */
  noun: string
  children: (items: readonly Item[]) => ReactNode
}

/** Shows a list once it is loaded, and until then its shape, or why it could not be loaded. */
export function LoadedList<Item>({ query: { data, error, refetch }, noun, children }: LoadedListProps<Item>) {
  if (data !== undefined) return children(data)
  if (error === null) {
    return (
      <Loading label={`Loading ${noun}`}>
        <div className={styles.list}>
          <SkeletonRows count={3} />
        </div>
      </Loading>
    )
  }
  const { message, requestId } = describeFailure(error)
  return (
    <ErrorMessage
      title={`The ${noun} could not be loaded.`}
      {...(requestId === null ? {} : { requestId })}
      onRetry={() => void refetch()}
    >
      {message}
    </ErrorMessage>
  )
}
