import type { Share } from '@caseward/client/endpoints'
import { useState } from 'react'

import { Button } from '../../ui/button.tsx'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import styles from '../../ui/form-page.module.css'
import { SaveMessage } from '../../ui/save-message.tsx'
import { Time } from '../../ui/time.tsx'
import { useRevokeShare } from './share-queries.ts'
import { describeParts, describeViews, sortShares } from './share-words.ts'

interface ShareListProps {
  readonly projectId: string
  readonly shares: readonly Share[]
  /** Whether the user may revoke them. */
  readonly mayRevoke: boolean
  /** Whether the reports are of several runs and milestones. */
  readonly namesSubjects?: boolean
}

/** Shared reports: what they show, how often they were opened, and until when they can be. */
export function ShareList({ projectId, shares, mayRevoke, namesSubjects = false }: ShareListProps) {
  const revoke = useRevokeShare(projectId)
  // While the dialog closes, it shows what it asked.
  const [asked, setAsked] = useState<Share | null>(null)
  const [isAsking, setIsAsking] = useState(false)
  return (
    <>
      <ul className={styles.list}>
        {sortShares(shares).map((share) => (
          <li key={share.id} className={styles.item}>
            <div className={styles.text}>
              <p className={styles.name}>{share.name}</p>
              {namesSubjects && (
                <p className={styles.muted}>
                  {share.subject.kind === 'run' ? 'Run' : 'Milestone'} “{share.subject.name}”
                </p>
              )}
              <p className={styles.muted}>
                {describeParts(share.include)} · {describeViews(share)}
                {share.viewed_at !== null && (
                  <>
                    , last <Time at={share.viewed_at} isInText />
                  </>
                )}{' '}
                · <ShareEnd share={share} />
              </p>
              {share.review_reason !== null && (
                <p className={styles.warning}>
                  Check whether it is still needed: whoever shared it has left the project.
                </p>
              )}
            </div>
            {mayRevoke && share.state === 'open' && (
              <Button
                variant="danger"
                aria-label={`Revoke report ${share.name}`}
                onClick={() => {
                  setAsked(share)
                  setIsAsking(true)
                }}
              >
                Revoke
              </Button>
            )}
          </li>
        ))}
      </ul>
      <SaveMessage mutation={revoke} success="Revoked" />
      <ConfirmDialog
        isOpen={isAsking}
        onClose={() => setIsAsking(false)}
        title={`Revoke “${asked?.name ?? ''}”?`}
        confirmLabel="Revoke report"
        isBusy={revoke.isPending}
        onConfirm={() => asked !== null && revoke.mutate(asked.id, { onSettled: () => setIsAsking(false) })}
      >
        Whoever has its address can no longer open it. This cannot be undone.
      </ConfirmDialog>
    </>
  )
}

function ShareEnd({ share: { state, expires_at, revoked_at } }: { share: Share }) {
  if (state === 'revoked' && revoked_at !== null) {
    return (
      <>
        revoked <Time at={revoked_at} isInText />
      </>
    )
  }
  return (
    <>
      {state === 'expired' ? 'expired' : 'expires'} <Time at={expires_at} isInText />
    </>
  )
}
