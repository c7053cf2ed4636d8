import { Link } from 'react-router'

import { paths } from '../../paths.ts'
import { describeFailure, type Failure } from '../../problems.ts'
import { ErrorMessage } from '../../ui/error-message.tsx'
import styles from './run.module.css'
import type { RunData } from './use-run-data.ts'

const titles: { readonly [K in Failure['kind']]?: string } = {
  'not-found': 'Run not found',
  forbidden: 'You cannot open this run',
}

/** Takes the place of a run that could not be loaded. */
export function RunFailure({ error, data }: { error: Error; data: RunData }) {
  const { kind, message, canRetry, requestId } = describeFailure(error, { noun: 'run' })
  const retry = () => {
    void data.run.refetch()
    void data.results.refetch()
  }
  return (
    <>
      <h1 className={styles.title}>{titles[kind] ?? 'The run could not be loaded'}</h1>
      <ErrorMessage
        title={message}
        {...(requestId === null ? {} : { requestId })}
        {...(canRetry ? { onRetry: retry } : {})}
      >
        {kind === 'not-found' || kind === 'forbidden' ? (
          <Link to={paths.projects()}>Go to your projects</Link>
        ) : undefined}
      </ErrorMessage>
    </>
  )
}
