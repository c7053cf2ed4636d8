import { describeOutbox } from '../../outbox/describe-outbox.ts'
import { Button } from '../../ui/button.tsx'
import { classNames } from '../../ui/class-names.ts'
import styles from './save-line.module.css'
import type { Execution } from './use-execution.ts'

/** Says whether everything is saved. */
export function SaveLine({ execution: { data } }: { execution: Execution }) {
  const message = describeOutbox(data.unsent)
  const { phase } = data.unsent
  const canRetry = phase === 'retrying' || phase === 'stopped'
  return (
    <span className={styles.line}>
      <span className={classNames(styles.text, message !== null && styles[message.tone])} role="status">
        {message?.text}
      </span>
      {canRetry && (
        <Button variant="quiet" onClick={data.outbox.retryNow}>
          Try now
        </Button>
      )}
      {phase === 'retrying' && (
        <Button variant="quiet" onClick={data.outbox.stop}>
          Stop
        </Button>
      )}
    </span>
  )
}
