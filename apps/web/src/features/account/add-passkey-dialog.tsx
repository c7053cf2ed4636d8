import { useQuery } from '@tanstack/react-query'
import { useRef } from 'react'

import { queries } from '../../api.ts'
import { describePasskeyRefusal } from '../../passkeys.ts'
import { describeFailure } from '../../problems.ts'
import { FactorNameDialog } from './factor-name-dialog.tsx'
import { RecoveryCodesDialog } from './recovery-codes-dialog.tsx'
import { useAddPasskey } from './use-second-factors.ts'

/** Adds a passkey: its name, the question of the browser, then the recovery codes if it is the first factor. */
export function AddPasskeyDialog({ onClose }: { onClose: () => void }) {
  const sessions = useQuery(queries.sessions())
  const controller = useRef<AbortController>(null)
  const add = useAddPasskey()
  const codes = add.data?.recovery_codes ?? null
  if (codes !== null) return <RecoveryCodesDialog codes={codes} onClose={onClose} />

  const failure = add.error === null ? null : describeFailure(add.error)
  const addPasskey = (name: string) => {
    const { signal } = (controller.current = new AbortController())
    add.mutate(
      { name, signal },
      {
        onSuccess: ({ recovery_codes: created }) => created === null && onClose(),
        onError: () => signal.aborted && onClose(),
      },
    )
  }
  return (
    <FactorNameDialog
      title="Add a passkey"
      description="Your browser asks where to keep it: on this device, on your phone, in a password manager or on a security key."
      suggestion={sessions.data?.find(({ current }) => current)?.browser ?? 'Passkey'}
      isBusy={add.isPending}
      nameError={failure?.fields.get('name')}
      error={describePasskeyRefusal(add.error) ?? failure?.fields.get('credential') ?? failure?.message}
      onType={add.reset}
      onSubmit={addPasskey}
      // It stays open until the browser no longer asks: a passkey that is being added may bring recovery codes.
      onClose={() => (add.isPending ? controller.current?.abort() : onClose())}
    />
  )
}
