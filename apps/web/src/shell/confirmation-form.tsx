import type { ConfirmationMethod } from '@caseward/client/endpoints'
import { type SubmitEvent, useEffect, useRef, useState } from 'react'

import { describeFailure } from '../problems.ts'
import { Banner } from '../ui/banner.tsx'
import { Button } from '../ui/button.tsx'
import { TextField } from '../ui/field.tsx'
import { useCountdown } from '../use-countdown.ts'
import styles from './confirmation-dialog.module.css'
import { typedMethods } from './confirmation-words.ts'
import { useConfirmSession } from './use-confirm-session.ts'

interface ConfirmationFormProps {
  method: ConfirmationMethod
  onAnswer: (isConfirmed: boolean) => void
}

/** Asks for the password or a code. */
export function ConfirmationForm({ method, onAnswer }: ConfirmationFormProps) {
  const [typed, setTyped] = useState('')
  const [isMissing, setIsMissing] = useState(false)
  const field = useRef<HTMLInputElement>(null)
  const confirm = useConfirmSession()
  const failure = confirm.error === null ? null : describeFailure(confirm.error)
  const seconds = useCountdown(failure?.retryAt ?? null)
  useEffect(() => field.current?.focus(), [])
  const way = typedMethods[method]
  if (way === undefined) return null
  const { name, label, type, autoComplete, inputMode, hint, missing } = way
  const fieldError = failure?.fields.get(name)
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    setIsMissing(typed === '')
    if (typed === '' || seconds > 0 || confirm.isPending) return
    confirm.mutate(
      { [name]: typed },
      {
        onSuccess: () => onAnswer(true),
        onError: () => field.current?.select(),
      },
    )
  }
  return (
    <form className={styles.form} noValidate onSubmit={submit}>
      <TextField
        ref={field}
        label={label}
        type={type}
        autoComplete={autoComplete}
        inputMode={inputMode}
        maxLength={type === 'password' ? 1024 : 64}
        spellCheck={false}
        value={typed}
        hint={hint}
        error={isMissing ? missing : fieldError}
        onChange={(event) => {
          if (seconds === 0) confirm.reset()
          setIsMissing(false)
          setTyped(event.target.value)
        }}
      />
      {failure !== null && fieldError === undefined && (
        <Banner tone="error">
          {failure.kind === 'too-many-requests' ? 'Too many wrong attempts. ' : failure.message}
          {seconds > 0 && `You can try again in ${seconds} s.`}
        </Banner>
      )}
      <div className={styles.buttons}>
        <Button size="form" onClick={() => onAnswer(false)}>
          Cancel
        </Button>
        <Button type="submit" size="form" variant="primary" isBusy={confirm.isPending} disabled={seconds > 0}>
          Confirm
        </Button>
      </div>
    </form>
  )
}
