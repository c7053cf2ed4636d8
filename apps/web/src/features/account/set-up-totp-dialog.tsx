import { useState } from 'react'

import { describeFailure } from '../../problems.ts'
import { ActivateTotpDialog } from './activate-totp-dialog.tsx'
import { FactorNameDialog } from './factor-name-dialog.tsx'
import { RecoveryCodesDialog } from './recovery-codes-dialog.tsx'
import { type TotpSetup, useSetUpTotp } from './use-second-factors.ts'

/** Adds an authenticator app: its name, the secret and a first code, then the recovery codes if it is the first factor. */
export function SetUpTotpDialog({ onClose }: { onClose: () => void }) {
  const [setup, setSetup] = useState<TotpSetup | null>(null)
  const [codes, setCodes] = useState<readonly string[] | null>(null)
  const setUp = useSetUpTotp()
  if (codes !== null) return <RecoveryCodesDialog codes={codes} onClose={onClose} />
  if (setup !== null) {
    const finish = (recoveryCodes: readonly string[] | null) =>
      recoveryCodes === null ? onClose() : setCodes(recoveryCodes)
    return <ActivateTotpDialog setup={setup} onActivated={finish} onClose={onClose} />
  }
  const failure = setUp.error === null ? null : describeFailure(setUp.error)
  return (
    <FactorNameDialog
      title="Add an authenticator app"
      description="You need an app that shows codes, such as one on your phone, or a password manager."
      suggestion="Authenticator app"
      isBusy={setUp.isPending}
      nameError={failure?.fields.get('name')}
      error={failure?.message}
      onType={setUp.reset}
      onSubmit={(name) => setUp.mutate(name, { onSuccess: setSetup })}
      onClose={onClose}
    />
  )
}
