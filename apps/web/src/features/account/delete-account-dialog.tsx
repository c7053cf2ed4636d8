import { deleteMe, type Me } from '@caseward/client/endpoints'
import { useMutation } from '@tanstack/react-query'

import { api } from '../../api.ts'
import { paths } from '../../paths.ts'
import { describeFailure } from '../../problems.ts'
import { request } from '../../request-failed.ts'
import { Banner } from '../../ui/banner.tsx'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import styles from './account.module.css'

/** Deletes the user's own account, behind typing its email address. It stays open with the reason if it fails. */
export function DeleteAccountDialog({ me: { email }, onClose }: { me: Me; onClose: () => void }) {
  const remove = useMutation({
    mutationFn: () => request(api, deleteMe, { body: { email } }),
    // The app keeps data of the account in memory, which a new page does not have.
    onSuccess: () => location.assign(paths.signOut()),
  })
  return (
    <ConfirmDialog
      isOpen
      onClose={onClose}
      title="Delete your account?"
      confirmLabel="Delete account"
      mustType={email}
      isBusy={remove.isPending || remove.isSuccess}
      onConfirm={() => remove.mutate()}
    >
      <div className={styles.texts}>
        <p>
          You are signed out everywhere, and your personal tokens stop working. Your name, email address, picture,
          password and links with single sign-on are deleted, and you are no longer a member of any project.
        </p>
        <p>
          What you did stays without your name: test cases, runs, results and their history, milestones, and the audit
          log, which keeps IP addresses until its entries expire. CI tokens that you created stay valid, and the admins
          of the project are asked to review them. This cannot be undone.
        </p>
      </div>
      {remove.error !== null && (
        <div className={styles.failure}>
          <Banner tone="error">{describeFailure(remove.error, { noun: 'account' }).message}</Banner>
        </div>
      )}
    </ConfirmDialog>
  )
}
