import type { SecondFactor } from '@caseward/client/endpoints'

import { describeFailure } from '../../problems.ts'
import { Banner } from '../../ui/banner.tsx'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import styles from './account.module.css'
import { useRemoveFactor } from './use-second-factors.ts'

interface RemoveFactorDialogProps {
  factor: SecondFactor
  /** Whether it is the only one of the account. */
  isLast: boolean
  onClose: () => void
}

/** Says what the removal of a second factor means. It stays open with the reason if it fails. */
export function RemoveFactorDialog({ factor: { id, name }, isLast, onClose }: RemoveFactorDialogProps) {
  const remove = useRemoveFactor()
  return (
    <ConfirmDialog
      isOpen
      onClose={onClose}
      title={`Remove “${name}”?`}
      confirmLabel={isLast ? 'Remove and switch off' : 'Remove'}
      isBusy={remove.isPending}
      onConfirm={() => remove.mutate(id, { onSuccess: onClose })}
    >
      {isLast
        ? 'It is your only second factor. Without it, sign-in asks for your password alone, and your recovery codes no longer work.'
        : 'Sign-in no longer accepts it. Your other second factors and your recovery codes still work.'}
      {remove.error !== null && (
        <div className={styles.failure}>
          <Banner tone="error">{describeFailure(remove.error, { noun: 'second factor' }).message}</Banner>
        </div>
      )}
    </ConfirmDialog>
  )
}
