import { describeFailure } from '../../problems.ts'
import { Banner } from '../../ui/banner.tsx'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import styles from './account.module.css'
import { RecoveryCodesDialog } from './recovery-codes-dialog.tsx'
import { useRenewRecoveryCodes } from './use-second-factors.ts'

/** Asks, then shows the new recovery codes once. */
export function RenewCodesDialog({ onClose }: { onClose: () => void }) {
  const renew = useRenewRecoveryCodes()
  if (renew.data !== undefined) return <RecoveryCodesDialog codes={renew.data} onClose={onClose} />
  return (
    <ConfirmDialog
      isOpen
      onClose={onClose}
      title="Make new recovery codes?"
      confirmLabel="Make new codes"
      isBusy={renew.isPending}
      onConfirm={() => renew.mutate()}
    >
      You get 10 new codes. The ones that you have now no longer work.
      {renew.error !== null && (
        <div className={styles.failure}>
          <Banner tone="error">{describeFailure(renew.error).message}</Banner>
        </div>
      )}
    </ConfirmDialog>
  )
}
