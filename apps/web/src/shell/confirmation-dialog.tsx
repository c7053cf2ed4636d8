import type { ConfirmationMethod } from '@caseward/client/endpoints'
import { useState } from 'react'

import { findPasskeyObstacle } from '../passkeys.ts'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { ConfirmAtProvider } from './confirm-at-provider.tsx'
import { ConfirmWithPasskey } from './confirm-with-passkey.tsx'
import styles from './confirmation-dialog.module.css'
import { ConfirmationForm } from './confirmation-form.tsx'
import { methodNames } from './confirmation-words.ts'

interface ConfirmationDialogProps {
  /** The ways that the user has. */
  methods: readonly ConfirmationMethod[]
  onAnswer: (isConfirmed: boolean) => void
}

/** Asks users to confirm who they are, over the page or dialog whose request needs it. */
export function ConfirmationDialog({ methods, onAnswer }: ConfirmationDialogProps) {
  const [usable] = useState(() => listUsableMethods(methods))
  const [method = null, setMethod] = useState(usable[0])
  const others = usable.filter((other) => other !== method)
  return (
    // A key that is pressed here is not meant for the dialog below.
    <div className={styles.keys} role="presentation" onKeyDown={(event) => event.stopPropagation()}>
      <Dialog
        isOpen
        onClose={() => onAnswer(false)}
        title="Confirm that it is you"
        description="You signed in more than 10 minutes ago, and this changes who has access."
        size="small"
      >
        {method === null && (
          <p>Your account has no way to confirm it here. Sign out, sign in again, and repeat what you did.</p>
        )}
        {method === 'single_sign_on' && <ConfirmAtProvider onAnswer={onAnswer} />}
        {method === 'passkey' && <ConfirmWithPasskey onAnswer={onAnswer} />}
        {method !== null && method !== 'single_sign_on' && method !== 'passkey' && (
          <ConfirmationForm key={method} method={method} onAnswer={onAnswer} />
        )}
        {others.length > 0 && (
          <div className={styles.others}>
            {others.map((other) => (
              <Button key={other} variant="quiet" onClick={() => setMethod(other)}>
                {methodNames[other]}
              </Button>
            ))}
          </div>
        )}
      </Dialog>
    </div>
  )
}

/** Lists the ways that this browser has, too. A passkey comes first: nothing has to be typed. */
function listUsableMethods(methods: readonly ConfirmationMethod[]): readonly ConfirmationMethod[] {
  const others = methods.filter((method) => method !== 'passkey')
  return others.length < methods.length && findPasskeyObstacle() === null ? ['passkey', ...others] : others
}
