import { describeFailure } from '../../problems.ts'
import { ErrorMessage } from '../../ui/error-message.tsx'
import type { RunData } from './use-run-data.ts'

/** Takes the place of a run that could not be loaded. */
export function RunFailure({ error, data }: { error: Error; data: RunData }) {
  const { kind, message, canRetry, requestId } = describeFailure(error, { noun: 'run' })
  const retry = () => {
    void data.run.refetch()
    void data.results.refetch()
  }
  return (
    <>
      {data.run.data === undefined && kind === 'not-found' && <title>Run not found · Caseward</title>}
      <ErrorMessage
        title={kind === 'not-found' ? 'Run not found' : 'The run could not be loaded.'}
        {...(requestId === null ? {} : { requestId })}
        {...(canRetry ? { onRetry: retry } : {})}
      >
        {message}
      </ErrorMessage>
    </>
  )
}
