import { useEffect, useRef } from 'react'

import { describePasskeyRefusal } from '../passkeys.ts'
import { describeFailure } from '../problems.ts'
import { Banner } from '../ui/banner.tsx'
import { Button } from '../ui/button.tsx'
import { useCountdown } from '../use-countdown.ts'
import styles from './confirmation-dialog.module.css'
import { useConfirmWithPasskey } from './use-confirm-session.ts'

/** Lets the browser ask for a passkey. */
export function ConfirmWithPasskey({ onAnswer }: { onAnswer: (isConfirmed: boolean) => void }) {
  const button = useRef<HTMLButtonElement>(null)
  const controller = useRef<AbortController>(null)
  const confirm = useConfirmWithPasskey()
  const failure = confirm.error === null ? null : describeFailure(confirm.error)
  const seconds = useCountdown(failure?.retryAt ?? null)
  useEffect(() => {
    button.current?.focus()
    // The browser does not go on asking when the user cancels here or chooses another way.
    return () => controller.current?.abort()
  }, [])
  const ask = () => {
    controller.current = new AbortController()
    confirm.mutate(controller.current.signal, {
      onSuccess: () => onAnswer(true),
      onError: () => button.current?.focus(),
    })
  }
  const message =
    failure?.kind === 'too-many-requests'
      ? 'Too many wrong attempts.'
      : (describePasskeyRefusal(confirm.error) ?? failure?.fields.get('passkey') ?? failure?.message)
  return (
    <div className={styles.form}>
      <p>Confirm with a passkey of your account. Your browser asks you for it.</p>
      {message !== undefined && (
        <Banner tone="error">
          {message}
          {seconds > 0 && ` You can try again in ${seconds} s.`}
        </Banner>
      )}
      <div className={styles.buttons}>
        <Button size="form" onClick={() => onAnswer(false)}>
          Cancel
        </Button>
        <Button
          ref={button}
          size="form"
          variant="primary"
          isBusy={confirm.isPending}
          disabled={seconds > 0}
          onClick={ask}
        >
          Use a passkey
        </Button>
      </div>
    </div>
  )
}
