import type { GroupRole } from '@caseward/client/endpoints'
import { useQuery } from '@tanstack/react-query'
import Plus from 'lucide-react/icons/plus'
import { useState } from 'react'

import { keys } from '../../keys.ts'
import { Button } from '../../ui/button.tsx'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import formStyles from '../../ui/form-page.module.css'
import { formatNumberOf } from '../../ui/format-count.ts'
import { HelpLink } from '../../ui/help-link.tsx'
import { LoadedPart } from '../../ui/loaded-part.tsx'
import { useKeys } from '../../use-keys.ts'
import { AdminPage } from './admin-page.tsx'
import { AddGroupDialog } from './add-group-dialog.tsx'
import { GroupItem } from './group-item.tsx'
import { groupRolesQuery } from './member-queries.ts'
import { MembersTabs } from './members-tabs.tsx'
import styles from './members.module.css'
import { useGroupRoles } from './use-group-roles.ts'

/** `/projects/:projectId/members/groups`: which groups of the sign-in provider have which role in a project. */
export const GroupsPage = () => (
  <AdminPage
    title="Groups"
    permission="members:manage"
    refusal="Only admins of the project see the roles of groups"
    help="roles"
  >
    {(projectId) => <ProjectGroups key={projectId} projectId={projectId} />}
  </AdminPage>
)

function ProjectGroups({ projectId }: { projectId: string }) {
  const query = useQuery(groupRolesQuery(projectId))
  const actions = useGroupRoles(projectId)
  const [isAdding, setIsAdding] = useState(false)
  // While the dialog closes, it shows what it asked.
  const [asked, setAsked] = useState<GroupRole | null>(null)
  const [isAsking, setIsAsking] = useState(false)
  const [isBusy, setIsBusy] = useState(false)
  const claim = query.data?.meta.groups_claim ?? null
  const add = () => setIsAdding(true)
  useKeys(claim === null ? {} : { create: add })

  async function remove(): Promise<void> {
    if (asked === null) return
    setIsBusy(true)
    await actions.remove(asked.group)
    setIsBusy(false)
    setIsAsking(false)
  }
  return (
    <>
      <header className={styles.header}>
        <h1>Members</h1>
        <HelpLink page="roles" />
        {claim !== null && (
          <Button variant="primary" icon={<Plus />} shortcut={keys.create.bindings[0]} onClick={add}>
            Add group
          </Button>
        )}
      </header>
      <MembersTabs projectId={projectId} current="groups" groupRoles={query.data} />
      <div className={styles.groups}>
        <LoadedPart query={query} noun="groups">
          {({ data }) => (
            <>
              <p className={formStyles.muted}>{explainClaim(claim)}</p>
              {data.length === 0 ? (
                <EmptyState drawing="projects" title="No group has a role" help="roles">
                  Give a group of your sign-in provider a role, and its users join when they sign in.
                </EmptyState>
              ) : (
                <ul className={formStyles.list} aria-label="Groups">
                  {data.map((groupRole) => (
                    <GroupItem
                      key={groupRole.group}
                      groupRole={groupRole}
                      isFixed={claim === null}
                      onRole={(role) => void actions.changeRole(groupRole.group, groupRole.role, role)}
                      onRemove={() => {
                        setAsked(groupRole)
                        setIsAsking(true)
                      }}
                    />
                  ))}
                </ul>
              )}
            </>
          )}
        </LoadedPart>
      </div>
      {isAdding && (
        <AddGroupDialog
          groups={query.data?.data.map(({ group }) => group) ?? []}
          actions={actions}
          onClose={() => setIsAdding(false)}
        />
      )}
      <ConfirmDialog
        isOpen={isAsking}
        onClose={() => setIsAsking(false)}
        title={`Remove the group “${asked?.group ?? ''}” from the project?`}
        confirmLabel="Remove group"
        isBusy={isBusy}
        onConfirm={() => void remove()}
      >
        {describeRemoval(asked?.user_ids.length ?? 0)} Everything that they did stays, with their name.
      </ConfirmDialog>
    </>
  )
}

const explainClaim = (claim: string | null): string =>
  claim === null
    ? 'This server no longer reads groups of the sign-in provider: members keep their roles. Remove the groups if that should end.'
    : `Users of these groups get their role when they sign in at the sign-in provider, and lose it at the first sign-in without the group. This server reads groups from the claim “${claim}”.`

const describeRemoval = (count: number): string =>
  count === 0
    ? 'No member has this group now.'
    : `${formatNumberOf(count, 'member')} ${count === 1 ? 'has' : 'have'} this group. Members without another role lose access at once.`
