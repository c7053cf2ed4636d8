import CircleAlert from 'lucide-react/icons/circle-alert'
import type { ReactNode } from 'react'

import { Button } from './button.tsx'
import styles from './error-message.module.css'
import { lazyPart } from './lazy-part.tsx'

/** Every page has errors, and nearly none is ever shown. */
const CopyButton = lazyPart(async () => (await import('./copy-button.tsx')).CopyButton, {
  button: () => <Button variant="quiet">Copy</Button>,
})

interface ErrorMessageProps {
  /** What happened, in one sentence. */
  title: string
  /** Why, and what to do. */
  children?: ReactNode
  /** Finds the request in the log of the server. */
  requestId?: string | undefined
  /** What the button copies; by default the message and the request id. */
  copyText?: string
  onRetry?: () => void
}

/** Takes the place of what could not be loaded. */
export const ErrorMessage = ({ title, children, requestId, copyText, onRetry }: ErrorMessageProps) => (
  <div className={styles.message} role="alert">
    <CircleAlert className={styles.icon} />
    <div className={styles.text}>
      <p className={styles.title}>{title}</p>
      {children !== undefined && <p className={styles.detail}>{children}</p>}
      {requestId !== undefined && (
        <p className={styles.detail}>
          Request id: <code>{requestId}</code>
        </p>
      )}
      <div className={styles.actions}>
        {onRetry !== undefined && <Button onClick={onRetry}>Try again</Button>}
        {(requestId ?? copyText) !== undefined && (
          <CopyButton variant="quiet" text={copyText ?? `${title}\nRequest id: ${requestId}`} />
        )}
      </div>
    </div>
  </div>
)
