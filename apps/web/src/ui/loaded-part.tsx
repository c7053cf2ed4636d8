import type { ReactNode } from 'react'

import { describeFailure } from '../problems.ts'
import { ErrorMessage } from './error-message.tsx'
import { Loading, SkeletonRows } from './skeleton.tsx'
import styles from './form-page.module.css'

interface LoadedPartProps<Data> {
  query: { readonly data: Data | undefined; readonly error: Error | null; readonly refetch: () => unknown }
  /** What is loaded: "sessions". */
  noun: string
  children: (data: Data) => ReactNode
}

/** Shows a part of a page once it is loaded, and until then the shape of a list, or why it could not be loaded. */
export function LoadedPart<Data>({ query: { data, error, refetch }, noun, children }: LoadedPartProps<Data>) {
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
