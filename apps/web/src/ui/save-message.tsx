import { describeFailure } from '../problems.ts'
import styles from './form-page.module.css'

interface SaveMessageProps {
  mutation: { readonly isSuccess: boolean; readonly error: Error | null }
  /** What has happened. */
  success: string
}

/** Says beside the button whether it worked, unless the failure is about a field. */
export function SaveMessage({ mutation: { isSuccess, error }, success }: SaveMessageProps) {
  const failure = error === null ? null : describeFailure(error)
  const message = failure?.fields.size === 0 ? failure.message : null
  return (
    <>
      <span role="status" className={styles.done}>
        {isSuccess && success}
      </span>
      {message !== null && (
        <span role="alert" className={styles.failed}>
          {message}
        </span>
      )}
    </>
  )
}
