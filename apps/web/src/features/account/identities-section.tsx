import { type Identity, unlinkIdentity } from '@caseward/client/endpoints'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'

import { api, queries } from '../../api.ts'
import { queryKeys } from '../../query-keys.ts'
import { request } from '../../request-failed.ts'
import { Button } from '../../ui/button.tsx'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { Time } from '../../ui/time.tsx'
import styles from '../../ui/form-page.module.css'
import { LoadedPart } from '../../ui/loaded-part.tsx'
import { SaveMessage } from '../../ui/save-message.tsx'

/** The sign-in providers that the account is linked with. Nothing is shown to those who use none. */
export function IdentitiesSection({ hasPassword, canSetPassword }: { hasPassword: boolean; canSetPassword: boolean }) {
  const identities = useQuery(queries.identities())
  const unlink = useUnlinkIdentity()
  const [asksAbout, setAsksAbout] = useState<Identity | null>(null)
  const hasNone = identities.data === undefined ? identities.error === null : identities.data.length === 0
  if (hasNone && !unlink.isSuccess) return null
  return (
    <div className={styles.part}>
      <h2>Single sign-on</h2>
      {!hasNone && (
        <>
          <p className={styles.muted}>
            The sign-in providers that your account is linked with.
            {!hasPassword && canSetPassword && ' To remove a link, set a password first.'}
          </p>
          <LoadedPart query={identities} noun="links">
            {(items) => (
              <ul className={styles.list}>
                {items.map((identity) => (
                  <IdentityItem
                    key={identity.id}
                    identity={identity}
                    onUnlink={hasPassword ? () => setAsksAbout(identity) : null}
                  />
                ))}
              </ul>
            )}
          </LoadedPart>
        </>
      )}
      <SaveMessage mutation={unlink} success="Link removed" />
      {asksAbout !== null && (
        <ConfirmDialog
          isOpen
          onClose={() => setAsksAbout(null)}
          title={`Remove the link with ${formatIssuer(asksAbout.issuer)}?`}
          confirmLabel="Remove link"
          isBusy={unlink.isPending}
          onConfirm={() => unlink.mutate(asksAbout.id, { onSettled: () => setAsksAbout(null) })}
        >
          You can still sign in with your password. If you sign in with the provider again, you are asked for it once.
        </ConfirmDialog>
      )}
    </div>
  )
}

interface IdentityItemProps {
  identity: Identity
  /** Null if it is the only way to sign in. */
  onUnlink: (() => void) | null
}

function IdentityItem({ identity: { issuer, created_at }, onUnlink }: IdentityItemProps) {
  const host = formatIssuer(issuer)
  return (
    <li className={styles.item}>
      <div className={styles.text}>
        <p className={styles.name} title={issuer}>
          {host}
        </p>
        <p className={styles.muted}>
          Linked <Time at={created_at} isInText />
        </p>
      </div>
      {onUnlink !== null && (
        <Button variant="danger" onClick={onUnlink} aria-label={`Remove link with ${host}`}>
          Remove
        </Button>
      )}
    </li>
  )
}

/** The host of a provider, which is all of its URL that users know. */
const formatIssuer = (issuer: string) => (URL.canParse(issuer) ? new URL(issuer).host : issuer)

function useUnlinkIdentity() {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: (identity_id: string) => request(api, unlinkIdentity, { params: { identity_id } }),
    onSettled: () => queryClient.invalidateQueries({ queryKey: queryKeys.identities() }),
  })
}
