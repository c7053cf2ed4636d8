import type { CiToken, MyProject } from '@caseward/client/endpoints'
import { useQuery } from '@tanstack/react-query'
import Plus from 'lucide-react/icons/plus'
import { useState } from 'react'

import { keys } from '../../keys.ts'
import { Button } from '../../ui/button.tsx'
import { Checkbox } from '../../ui/checkbox.tsx'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import styles from '../../ui/form-page.module.css'
import { LoadedPart } from '../../ui/loaded-part.tsx'
import { SaveMessage } from '../../ui/save-message.tsx'
import { useKeys } from '../../use-keys.ts'
import { TokenForm } from '../tokens/token-form.tsx'
import { TokenItem } from '../tokens/token-item.tsx'
import { TokenSecret } from '../tokens/token-secret.tsx'
import { CiSetup } from './ci-setup.tsx'
import { ciTokensQuery, useCreateCiToken, useKeepCiToken, useRevokeCiToken } from './use-ci-tokens.ts'

/** The tokens with which CI uploads results, and what to paste into its configuration. */
export function CiTokensSection({ project }: { project: MyProject }) {
  const tokens = useQuery(ciTokensQuery(project.id))
  const revoke = useRevokeCiToken(project.id)
  const keep = useKeepCiToken(project.id)
  const [isCreating, setIsCreating] = useState(false)
  // While the dialog closes, it shows what it asked.
  const [asked, setAsked] = useState<CiToken | null>(null)
  const [isAsking, setIsAsking] = useState(false)
  const create = () => setIsCreating(true)
  useKeys({ create })
  return (
    <>
      <div className={styles.bar}>
        <p className={styles.muted}>
          With a CI token, a pipeline uploads results to this project, and to no other. It belongs to the project and
          works on when its creator leaves.
        </p>
        <Button variant="primary" icon={<Plus />} shortcut={keys.create.bindings[0]} onClick={create}>
          New CI token
        </Button>
      </div>
      <LoadedPart query={tokens} noun="CI tokens">
        {(items) =>
          items.length === 0 ? (
            <EmptyState drawing="tokens" title="No CI tokens" help={null}>
              Create one, store it as a secret of your CI system, and paste the lines below.
            </EmptyState>
          ) : (
            <ul className={styles.list}>
              {items.map((token) => (
                <TokenItem
                  key={token.id}
                  token={token}
                  also={token.grants.includes('cases:create') && ', may create test cases'}
                  {...getWarning(token, () => keep.mutate(token.id))}
                  onRevoke={() => {
                    setAsked(token)
                    setIsAsking(true)
                  }}
                />
              ))}
            </ul>
          )
        }
      </LoadedPart>
      <SaveMessage mutation={revoke} success="Revoked" />
      <SaveMessage mutation={keep} success="Kept" />
      <CiSetup projectId={project.id} headingLevel="h2" />
      {isCreating && <NewCiTokenDialog project={project} onClose={() => setIsCreating(false)} />}
      <ConfirmDialog
        isOpen={isAsking}
        onClose={() => setIsAsking(false)}
        title={`Revoke “${asked?.name ?? ''}”?`}
        confirmLabel="Revoke token"
        isBusy={revoke.isPending}
        onConfirm={() => asked !== null && revoke.mutate(asked.id, { onSettled: () => setIsAsking(false) })}
      >
        Pipelines that use it can no longer upload results. Reporters keep what they could not send for later.
      </ConfirmDialog>
    </>
  )
}

/** Why a token should be replaced, with a button where an admin can decide that it stays. */
function getWarning({ name, review_reason: reason }: CiToken, onKeep: () => void) {
  if (reason === null) return {}
  if (reason === 'creator_left') {
    return { warning: 'Replace it: its creator is no longer an admin and may still know it.' }
  }
  return {
    warning: (
      <>
        Check it: its creator has secured their account since, because someone else may have used it. If you do not know
        what uses the token, revoke it.{' '}
        <Button onClick={onKeep} aria-label={`Keep token ${name}`}>
          Keep
        </Button>
      </>
    ),
  }
}

/** Creates a CI token, then shows its secret once with what to paste. */
function NewCiTokenDialog({ project, onClose }: { project: MyProject; onClose: () => void }) {
  const create = useCreateCiToken(project.id)
  // A project without test cases gets them from its tests.
  const [mayCreateCases, setMayCreateCases] = useState(project.test_case_count === 0)
  if (create.data !== undefined) {
    return (
      <TokenSecret token={create.data} onClose={onClose}>
        <CiSetup projectId={project.id} headingLevel="h3" />
      </TokenSecret>
    )
  }
  return (
    <TokenForm
      create={create}
      title="New CI token"
      hint="For example, the pipeline that uses it."
      initialDays=""
      onClose={onClose}
      getMore={(access) => (access === 'write' && mayCreateCases ? { grants: ['cases:create'] } : {})}
    >
      {(access) => (
        <Checkbox
          label="May create test cases"
          hint="For tests that match none, if the reporter or command asks for it."
          checked={access === 'write' && mayCreateCases}
          disabled={access === 'read'}
          onChange={setMayCreateCases}
        />
      )}
    </TokenForm>
  )
}
