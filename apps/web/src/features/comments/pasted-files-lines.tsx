import { Button } from '../../ui/button.tsx'
import { formatNumberOf } from '../../ui/format-count.ts'
import styles from './comments.module.css'
import type { PastedFiles } from './use-pasted-files.ts'

interface PastedFilesLinesProps {
  files: PastedFiles
  /** Whether the comment waits for its pictures. */
  isAwaited: boolean
}

/** What becomes of the pictures of a comment that is being written. */
export function PastedFilesLines({ files, isAwaited }: PastedFilesLinesProps) {
  const { uploads, entries, lostCount, message } = files
  const lost = formatNumberOf(lostCount, 'picture')
  return (
    <>
      <p className={styles.hint} role="status">
        {message?.text}
        {isAwaited && files.isWaiting && ' The comment is sent after that.'}
        {message?.canRetry === true && (
          <Button variant="quiet" onClick={uploads.retryNow}>
            Try now
          </Button>
        )}
        {lostCount > 0 &&
          `${lost} of the text not attached: remove ${lostCount === 1 ? 'it' : 'them'}, or paste again.`}
      </p>
      {entries
        .filter(({ problem }) => problem !== null)
        .map(({ id, name, problem }) => (
          <p key={id} className={styles.hint} role="alert">
            {`${name} is not attached: ${problem} `}
            <Button variant="quiet" onClick={() => uploads.retry(id)}>
              Try again
            </Button>
            <Button variant="quiet" onClick={() => uploads.cancel(id)}>
              Discard
            </Button>
          </p>
        ))}
    </>
  )
}
