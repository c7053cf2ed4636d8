import type { Me } from '@caseward/client/endpoints'
import { useState } from 'react'

import { Button } from '../../ui/button.tsx'
import styles from '../../ui/form-page.module.css'
import { lazyPart } from '../../ui/lazy-part.tsx'

const DeleteAccountDialog = lazyPart(async () => (await import('./delete-account-dialog.tsx')).DeleteAccountDialog, {
  isDialog: true,
})

/** Says what deleting the account means, and asks in a dialog. */
export function DeleteAccountSection({ me }: { me: Me }) {
  const [isAsking, setIsAsking] = useState(false)
  return (
    <div className={styles.danger}>
      <h2>Delete account</h2>
      <p className={styles.muted}>
        Deletes your name, email address, password, sessions, tokens and memberships. Test cases, runs and results that
        you made stay in their projects, as those of a “Deleted user”.
      </p>
      <div className={styles.buttons}>
        <Button
          variant="danger"
          size="form"
          onPointerEnter={DeleteAccountDialog.preload}
          onClick={() => setIsAsking(true)}
        >
          Delete account
        </Button>
      </div>
      {isAsking && <DeleteAccountDialog me={me} onClose={() => setIsAsking(false)} />}
    </div>
  )
}
