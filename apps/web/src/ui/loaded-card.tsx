import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'

import { describeFailure } from '../problems.ts'
import { classNames } from './class-names.ts'
import { Count } from './count.tsx'
import { ErrorMessage } from './error-message.tsx'
import { Loading, SkeletonRows } from './skeleton.tsx'
import styles from './loaded-card.module.css'

interface LoadedCardProps<T> {
  title: string
  /** How many there are; missing while they load. */
  count?: number | undefined
  /** A link to all of them. */
  more?: ReactNode
  query: Pick<UseQueryResult<T>, 'data' | 'error' | 'refetch'>
  /** Rows of the skeleton. */
  rows: number
  className?: string | undefined
  children: (data: T) => ReactNode
}

/** A part of a page in a frame, which loads and fails on its own. */
export const LoadedCard = <T,>({ title, count, more, query, rows, className, children }: LoadedCardProps<T>) => (
  <section className={classNames(styles.card, className)} aria-label={title}>
    <header className={styles.head}>
      <h2>
        {title}
        {count !== undefined && count > 0 && (
          <span className={styles.count}>
            {' '}
            <Count value={count} />
          </span>
        )}
      </h2>
      {more}
    </header>
    {query.data !== undefined ? (
      children(query.data)
    ) : query.error === null ? (
      <Loading label={`Loading: ${title}`}>
        <SkeletonRows count={rows} />
      </Loading>
    ) : (
      <ErrorMessage title="This could not be loaded." onRetry={() => void query.refetch()}>
        {describeFailure(query.error, { noun: 'page' }).message}
      </ErrorMessage>
    )}
  </section>
)
