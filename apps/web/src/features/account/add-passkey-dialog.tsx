import { useQuery } from '@tanstack/react-query'
import { type SubmitEvent, useId, useRef, useState } from 'react'

import { queries } from '../../api.ts'
import { describePasskeyRefusal } from '../../passkeys.ts'
import { describeFailure } from '../../problems.ts'
import { Banner } from '../../ui/banner.tsx'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { TextField } from '../../ui/field.tsx'
import { RecoveryCodesDialog } from './recovery-codes-dialog.tsx'
import styles from './second-factors.module.css'
import { useAddPasskey } from './use-second-factors.ts'

/** Adds a passkey: its name, the question of the browser, then the recovery codes if it is the first factor. */
export function AddPasskeyDialog({ onClose }: { onClose: () => void }) {
  const sessions = useQuery(queries.sessions())
  const suggestion = sessions.data?.find(({ current }) => current)?.browser ?? 'Passkey'
  const [typed, setTyped] = useState<string | null>(null)
  const [isMissing, setIsMissing] = useState(false)
  const formId = useId()
  const controller = useRef<AbortController>(null)
  const add = useAddPasskey()
  const codes = add.data?.recovery_codes ?? null
  if (codes !== null) return <RecoveryCodesDialog codes={codes} onClose={onClose} />

  const name = (typed ?? suggestion).trim()
  const failure = add.error === null ? null : describeFailure(add.error)
  const fieldError = failure?.fields.get('name')
  const message = describePasskeyRefusal(add.error) ?? failure?.fields.get('credential') ?? failure?.message
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    setIsMissing(name === '')
    if (name === '' || add.isPending) return
    const { signal } = (controller.current = new AbortController())
    add.mutate(
      { name, signal },
      {
        onSuccess: ({ recovery_codes: created }) => created === null && onClose(),
        onError: () => signal.aborted && onClose(),
      },
    )
  }
  // The dialog stays until the browser no longer asks: a passkey that is being added may bring recovery codes.
  const close = () => (add.isPending ? controller.current?.abort() : onClose())
  return (
    <Dialog
      isOpen
      onClose={close}
      title="Add a passkey"
      description="Your browser asks where to keep it: on this device, on your phone, in a password manager or on a security key."
      size="small"
      footer={
        <>
          <Button size="form" onClick={close}>
            Cancel
          </Button>
          <Button type="submit" form={formId} size="form" variant="primary" isBusy={add.isPending}>
            Continue
          </Button>
        </>
      }
    >
      <form id={formId} className={styles.step} noValidate onSubmit={submit}>
        <TextField
          label="Name"
          hint="By which you recognize it, for example the device."
          value={typed ?? suggestion}
          maxLength={255}
          error={isMissing ? 'Enter a name.' : fieldError}
          onFocus={(event) => event.target.select()}
          onChange={(event) => {
            if (!add.isPending) add.reset()
            setIsMissing(false)
            setTyped(event.target.value)
          }}
        />
        {message !== undefined && fieldError === undefined && <Banner tone="error">{message}</Banner>}
      </form>
    </Dialog>
  )
}
