import { type SubmitEvent, useId, useRef, useState } from 'react'

import { describeFailure } from '../../problems.ts'
import { useCountdown } from '../../use-countdown.ts'
import { Banner } from '../../ui/banner.tsx'
import { Button } from '../../ui/button.tsx'
import { CopyButton } from '../../ui/copy-button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { TextField } from '../../ui/field.tsx'
import styles from './second-factors.module.css'
import { type TotpSetup, useActivateTotp } from './use-second-factors.ts'

interface ActivateTotpDialogProps {
  setup: TotpSetup
  /** Gets the recovery codes, which only the first factor brings. */
  onActivated: (recoveryCodes: readonly string[] | null) => void
  onClose: () => void
}

/** Shows the secret of an authenticator app, and asks for its first code. */
export function ActivateTotpDialog({ setup, onActivated, onClose }: ActivateTotpDialogProps) {
  const [code, setCode] = useState('')
  const [isMissing, setIsMissing] = useState(false)
  const field = useRef<HTMLInputElement>(null)
  const formId = useId()
  const activate = useActivateTotp()
  const failure = activate.error === null ? null : describeFailure(activate.error, { noun: 'setup' })
  const seconds = useCountdown(failure?.retryAt ?? null)
  const fieldError = failure?.fields.get('code')
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    setIsMissing(code.trim() === '')
    if (code.trim() === '' || seconds > 0 || activate.isPending) return
    activate.mutate(
      { id: setup.id, code },
      {
        onSuccess: ({ recovery_codes: codes }) => onActivated(codes),
        onError: () => field.current?.select(),
      },
    )
  }
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title="Scan the code with your app"
      initialFocus={field}
      footer={
        <>
          <Button size="form" onClick={onClose}>
            Cancel
          </Button>
          <Button
            type="submit"
            form={formId}
            size="form"
            variant="primary"
            isBusy={activate.isPending}
            disabled={seconds > 0}
          >
            Turn on
          </Button>
        </>
      }
    >
      <form id={formId} className={styles.step} noValidate onSubmit={submit}>
        <img
          className={styles.qrCode}
          src={`data:image/svg+xml,${encodeURIComponent(setup.qr_code)}`}
          alt="QR code with the secret below"
          width={176}
          height={176}
        />
        <div>
          <p>If you cannot scan it, type this secret into the app:</p>
          <div className={styles.actions}>
            <code className={styles.secret}>{setup.secret.match(/.{1,4}/g)?.join(' ')}</code>
            <CopyButton text={setup.secret} label="Copy secret" />
          </div>
        </div>
        <TextField
          ref={field}
          label="Code that the app shows"
          hint="6 digits. The app shows a new code every 30 seconds."
          autoComplete="one-time-code"
          inputMode="numeric"
          maxLength={64}
          value={code}
          error={isMissing ? 'Enter the code that your app shows.' : fieldError}
          onChange={(event) => {
            if (seconds === 0) activate.reset()
            setIsMissing(false)
            setCode(event.target.value)
          }}
        />
        {failure !== null && fieldError === undefined && (
          <Banner tone="error">
            {failure.kind === 'too-many-requests' ? 'Too many wrong codes. ' : failure.message}
            {seconds > 0 && `You can try again in ${seconds} s.`}
          </Banner>
        )}
      </form>
    </Dialog>
  )
}
