import type { Token } from '@caseward/client/endpoints'
import { type ReactNode, useState } from 'react'

import { Button } from '../../ui/button.tsx'
import styles from '../../ui/form-page.module.css'
import { Time } from '../../ui/time.tsx'

interface TokenItemProps {
  readonly token: Token
  readonly onRevoke: () => void
  /** What else is known about the token, in words, after its access. */
  readonly also?: ReactNode
  /** What somebody should do about it. */
  readonly warning?: ReactNode
}

/** A token in a list: what it may do, and since when. */
export function TokenItem({ token, onRevoke, also, warning }: TokenItemProps) {
  const { name, access, created_at, last_used_at, expires_at } = token
  const [openedAt] = useState(Date.now)
  const isExpired = expires_at !== null && Date.parse(expires_at) <= openedAt
  return (
    <li className={styles.item}>
      <div className={styles.text}>
        <p className={styles.name}>{name}</p>
        <p className={styles.muted}>
          {access === 'read' ? 'Read only' : 'Read and write'}
          {also} · created <Time at={created_at} isInText /> ·{' '}
          {last_used_at === null ? (
            'never used'
          ) : (
            <>
              last used <Time at={last_used_at} isInText />
            </>
          )}{' '}
          ·{' '}
          {expires_at === null ? (
            'never expires'
          ) : (
            <>
              {isExpired ? 'expired' : 'expires'} <Time at={expires_at} isInText />
            </>
          )}
        </p>
        {warning !== undefined && <p className={styles.warning}>{warning}</p>}
      </div>
      <Button variant="danger" onClick={onRevoke} aria-label={`Revoke token ${name}`}>
        Revoke
      </Button>
    </li>
  )
}
