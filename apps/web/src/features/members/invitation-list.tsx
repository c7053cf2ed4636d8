import type { Invitation } from '@caseward/client/endpoints'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'

import { describeFailure } from '../../problems.ts'
import { Button } from '../../ui/button.tsx'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { ErrorMessage } from '../../ui/error-message.tsx'
import { Time } from '../../ui/time.tsx'
import { showToast } from '../../ui/toast.ts'
import { invitationsQuery } from './member-queries.ts'
import styles from './members.module.css'
import { roleNames } from './role-words.ts'
import type { MemberActions, SentLink } from './use-member-actions.ts'

interface InvitationListProps {
  projectId: string
  actions: MemberActions
  /** Called with an invitation whose link has to be passed on. */
  onLink: (link: SentLink) => void
}

/** The pending invitations; nothing if there are none. */
export function InvitationList({ projectId, actions, onLink }: InvitationListProps) {
  const { data, error, refetch } = useQuery(invitationsQuery(projectId))
  const [asked, setAsked] = useState<Invitation | null>(null)
  const [isAsking, setIsAsking] = useState(false)
  const [busyId, setBusyId] = useState<string | null>(null)

  async function resend(invitation: Invitation): Promise<void> {
    setBusyId(invitation.id)
    const sent = await actions.resend(invitation)
    setBusyId(null)
    if (sent === null) return
    if (sent.url === null) showToast({ message: `Sent again to ${sent.email}` })
    else onLink(sent)
  }
  if (data === undefined && error !== null) {
    return (
      <ErrorMessage title="The invitations could not be loaded." onRetry={() => void refetch()}>
        {describeFailure(error).message}
      </ErrorMessage>
    )
  }
  if (data === undefined || data.length === 0) return null
  return (
    <section className={styles.invitations} aria-label="Invitations">
      <h2>Invitations</h2>
      <ul>
        {data.map((invitation) => (
          <li key={invitation.id} className={styles.invitation}>
            <span className={styles.invited} title={invitation.email}>
              {invitation.email}
            </span>
            <span className={styles.muted}>
              {roleNames[invitation.role]}, until <Time at={invitation.expires_at} isInText />
            </span>
            <span className={styles.buttons}>
              <Button isBusy={busyId === invitation.id} onClick={() => void resend(invitation)}>
                Send again
              </Button>
              <Button
                variant="danger"
                aria-label={`Revoke the invitation of ${invitation.email}`}
                onClick={() => {
                  setAsked(invitation)
                  setIsAsking(true)
                }}
              >
                Revoke
              </Button>
            </span>
          </li>
        ))}
      </ul>
      <ConfirmDialog
        isOpen={isAsking}
        onClose={() => setIsAsking(false)}
        title={`Revoke the invitation of ${asked?.email ?? ''}?`}
        confirmLabel="Revoke invitation"
        onConfirm={() => {
          if (asked !== null) void actions.revoke(asked).then(() => setIsAsking(false))
        }}
      >
        Its link stops working at once.
      </ConfirmDialog>
    </section>
  )
}
