import { cancelEmailChange, getEmail } from '@caseward/client/endpoints'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'

import { api } from '../../api.ts'
import { queryKeys } from '../../query-keys.ts'
import { request } from '../../request-failed.ts'
import { formatExactTime } from '../../times.ts'
import { Button } from '../../ui/button.tsx'
import styles from '../../ui/form-page.module.css'
import { lazyPart } from '../../ui/lazy-part.tsx'
import { SaveMessage } from '../../ui/save-message.tsx'

const ChangeEmailDialog = lazyPart(async () => (await import('./change-email-dialog.tsx')).ChangeEmailDialog, {
  isDialog: true,
})

/** The email address of the account, and its change that waits for a confirmation. */
export function EmailSection({ email }: { email: string }) {
  const [isChanging, setIsChanging] = useState(false)
  const queryClient = useQueryClient()
  const { data } = useQuery({
    queryKey: queryKeys.email(),
    queryFn: async ({ signal }) => (await request(api, getEmail, { signal })).data.data,
  })
  const cancel = useMutation({
    mutationFn: () => request(api, cancelEmailChange),
    onSettled: () => queryClient.invalidateQueries({ queryKey: queryKeys.email() }),
  })
  const pending = data?.pending ?? null
  return (
    <div className={styles.part}>
      <h2>Email address</h2>
      <div className={styles.bar}>
        <p>{data?.email ?? email}</p>
        <Button onPointerEnter={ChangeEmailDialog.preload} onClick={() => setIsChanging(true)}>
          Change email address
        </Button>
      </div>
      {pending !== null && (
        <div className={styles.bar}>
          <p className={styles.muted} role="status">
            We sent a link to <strong>{pending.email}</strong>. Open it to change the address, until{' '}
            {formatExactTime(pending.expires_at)}, before you sign out here. Until you do, nothing changes.
          </p>
          <Button isBusy={cancel.isPending} onClick={() => cancel.mutate()}>
            Cancel change
          </Button>
        </div>
      )}
      <SaveMessage mutation={cancel} success="Canceled" />
      {isChanging && <ChangeEmailDialog email={email} onClose={() => setIsChanging(false)} />}
    </div>
  )
}
