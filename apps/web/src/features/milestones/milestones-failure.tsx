import { describeFailure } from '../../problems.ts'
import { ErrorMessage } from '../../ui/error-message.tsx'

/** Says why there is no list. */
export function MilestonesFailure({ error, onRetry }: { error: Error; onRetry: () => void }) {
  const { kind, message, canRetry, requestId } = describeFailure(error, { noun: 'project' })
  return (
    <ErrorMessage
      title={kind === 'not-found' ? 'Project not found' : 'The milestones could not be loaded.'}
      {...(requestId === null ? {} : { requestId })}
      {...(canRetry ? { onRetry } : {})}
    >
      {message}
    </ErrorMessage>
  )
}
