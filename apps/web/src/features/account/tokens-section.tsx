import type { Token } from '@caseward/client/endpoints'
import { useQuery } from '@tanstack/react-query'
import Plus from 'lucide-react/icons/plus'
import { useState } from 'react'

import { queries } from '../../api.ts'
import { keys } from '../../keys.ts'
import { paths } from '../../paths.ts'
import { Button } from '../../ui/button.tsx'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { useKeys } from '../../use-keys.ts'
import styles from '../../ui/form-page.module.css'
import { LoadedPart } from '../../ui/loaded-part.tsx'
import { TokenItem } from '../tokens/token-item.tsx'
import { NewTokenDialog } from './new-token-dialog.tsx'
import { SaveMessage } from '../../ui/save-message.tsx'
import { useRevokeTokens } from './use-tokens.ts'

/** The user's personal tokens. */
export function TokensSection() {
  const tokens = useQuery(queries.tokens())
  const revoke = useRevokeTokens()
  const [isCreating, setIsCreating] = useState(false)
  // While the dialog closes, it shows what it asked.
  const [asked, setAsked] = useState<Token | 'all'>('all')
  const [isAsking, setIsAsking] = useState(false)
  const create = () => setIsCreating(true)
  const ask = (about: Token | 'all') => {
    setAsked(about)
    setIsAsking(true)
  }
  useKeys({ create })
  const hasSeveral = (tokens.data?.length ?? 0) > 1
  return (
    <>
      <div className={styles.bar}>
        <p className={styles.muted}>
          With a personal token, a program can do in your projects what you can do. For CI, use a token of the project.
          See the <a href={paths.reference()}>API reference</a>.
        </p>
        <div className={styles.buttons}>
          {hasSeveral && <Button onClick={() => ask('all')}>Revoke all</Button>}
          <Button variant="primary" icon={<Plus />} shortcut={keys.create.bindings[0]} onClick={create}>
            New token
          </Button>
        </div>
      </div>
      <LoadedPart query={tokens} noun="tokens">
        {(items) =>
          items.length === 0 ? (
            <EmptyState drawing="tokens" title="No tokens" help={null}>
              Programs that use the API on your behalf need one.
            </EmptyState>
          ) : (
            <ul className={styles.list}>
              {items.map((token) => (
                <TokenItem key={token.id} token={token} onRevoke={() => ask(token)} />
              ))}
            </ul>
          )
        }
      </LoadedPart>
      <SaveMessage mutation={revoke} success="Revoked" />
      {isCreating && <NewTokenDialog onClose={() => setIsCreating(false)} />}
      <ConfirmDialog
        isOpen={isAsking}
        onClose={() => setIsAsking(false)}
        title={asked === 'all' ? 'Revoke all your tokens?' : `Revoke “${asked.name}”?`}
        confirmLabel={asked === 'all' ? 'Revoke all tokens' : 'Revoke token'}
        isBusy={revoke.isPending}
        onConfirm={() => revoke.mutate(asked === 'all' ? null : asked.id, { onSettled: () => setIsAsking(false) })}
      >
        {asked === 'all'
          ? 'Programs that use them lose access at once, also those with tokens that were created with them.'
          : 'Programs that use it lose access at once, also those with tokens that were created with it.'}
      </ConfirmDialog>
    </>
  )
}
