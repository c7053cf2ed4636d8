import type { NewToken } from '@caseward/client/endpoints'
import { type ReactNode, useRef } from 'react'

import { Button } from '../../ui/button.tsx'
import { CopyButton } from '../../ui/copy-button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Field } from '../../ui/field.tsx'
import styles from '../../ui/form-page.module.css'

interface TokenSecretProps {
  readonly token: NewToken
  readonly onClose: () => void
  /** What to do with it. */
  readonly children?: ReactNode
}

/** Shows the secret of a new token once, selected. */
export function TokenSecret({ token, onClose, children }: TokenSecretProps) {
  const field = useRef<HTMLInputElement>(null)
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={`Token “${token.name}”`}
      description="Copy it now: it is shown only once."
      size={children === undefined ? 'small' : 'large'}
      initialFocus={field}
      footer={
        <>
          <CopyButton size="form" text={token.token} label={children === undefined ? 'Copy' : 'Copy token'} />
          <Button size="form" variant="primary" onClick={onClose}>
            Done
          </Button>
        </>
      }
    >
      <Field label="Token" isLabelHidden>
        {(control) => (
          <input
            {...control}
            ref={field}
            className={styles.secret}
            value={token.token}
            readOnly
            spellCheck={false}
            onFocus={(event) => event.target.select()}
          />
        )}
      </Field>
      {children}
    </Dialog>
  )
}
