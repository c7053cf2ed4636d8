import type { InstanceUser } from '@caseward/client/endpoints'
import { useEffect } from 'react'

import { describeFailure } from '../../problems.ts'
import { Banner } from '../../ui/banner.tsx'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { showToast } from '../../ui/toast.ts'
import { returnFocusToRow } from '../test-cases/focus-row.ts'
import styles from './administration.module.css'
import { useUserAction } from './use-user-action.ts'
import { describeAction, type UserAction } from './user-words.ts'

interface UserActionDialogProps {
  user: InstanceUser
  action: UserAction
  /** Whether it is the account of the caller. */
  isOwn: boolean
  onClose: () => void
}

/** Asks before something is done to a user, and stays open with the reason if it fails. */
export function UserActionDialog({ user, action, isOwn, onClose }: UserActionDialogProps) {
  const act = useUserAction()
  const { title, text, button, done, mustType } = describeAction(action, user, isOwn)
  useEffect(() => returnFocusToRow, [])
  return (
    <ConfirmDialog
      isOpen
      onClose={onClose}
      title={title}
      confirmLabel={button}
      isBusy={act.isPending}
      {...(mustType === undefined ? {} : { mustType })}
      onConfirm={() =>
        act.mutate(
          { user, action },
          {
            onSuccess() {
              showToast({ message: done })
              onClose()
            },
          },
        )
      }
    >
      {text}
      {act.error !== null && (
        <div className={styles.failure}>
          <Banner tone="error">{describeFailure(act.error, { noun: 'user' }).message}</Banner>
        </div>
      )}
    </ConfirmDialog>
  )
}
