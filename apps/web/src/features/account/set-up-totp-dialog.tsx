import { type SubmitEvent, useId, useState } from 'react'

import { describeFailure } from '../../problems.ts'
import { Banner } from '../../ui/banner.tsx'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { TextField } from '../../ui/field.tsx'
import { ActivateTotpDialog } from './activate-totp-dialog.tsx'
import { RecoveryCodesDialog } from './recovery-codes-dialog.tsx'
import styles from './second-factors.module.css'
import { type TotpSetup, useSetUpTotp } from './use-second-factors.ts'

/** Adds an authenticator app: its name, the secret and a first code, then the recovery codes if it is the first factor. */
export function SetUpTotpDialog({ onClose }: { onClose: () => void }) {
  const [setup, setSetup] = useState<TotpSetup | null>(null)
  const [codes, setCodes] = useState<readonly string[] | null>(null)
  if (codes !== null) return <RecoveryCodesDialog codes={codes} onClose={onClose} />
  if (setup === null) return <NameDialog onSetUp={setSetup} onClose={onClose} />
  const finish = (recoveryCodes: readonly string[] | null) =>
    recoveryCodes === null ? onClose() : setCodes(recoveryCodes)
  return <ActivateTotpDialog setup={setup} onActivated={finish} onClose={onClose} />
}

function NameDialog({ onSetUp, onClose }: { onSetUp: (setup: TotpSetup) => void; onClose: () => void }) {
  const [name, setName] = useState('Authenticator app')
  const [isMissing, setIsMissing] = useState(false)
  const formId = useId()
  const setUp = useSetUpTotp()
  const failure = setUp.error === null ? null : describeFailure(setUp.error)
  const fieldError = failure?.fields.get('name')
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    setIsMissing(name.trim() === '')
    if (name.trim() !== '' && !setUp.isPending) setUp.mutate(name.trim(), { onSuccess: onSetUp })
  }
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title="Add an authenticator app"
      description="You need an app that shows codes, such as one on your phone, or a password manager."
      size="small"
      footer={
        <>
          <Button size="form" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" form={formId} size="form" variant="primary" isBusy={setUp.isPending}>
            Continue
          </Button>
        </>
      }
    >
      <form id={formId} className={styles.step} noValidate onSubmit={submit}>
        <TextField
          label="Name"
          hint="By which you recognize it, for example the device."
          value={name}
          maxLength={255}
          error={isMissing ? 'Enter a name.' : fieldError}
          onFocus={(event) => event.target.select()}
          onChange={(event) => {
            setUp.reset()
            setIsMissing(false)
            setName(event.target.value)
          }}
        />
        {failure !== null && fieldError === undefined && <Banner tone="error">{failure.message}</Banner>}
      </form>
    </Dialog>
  )
}
