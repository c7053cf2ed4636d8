import type { GroupRole, GroupRoleInput } from '@caseward/contract/group-roles'

import type { Deps } from '../../deps.ts'
import { transactionWithRowMutex } from '../../platform/database/row-mutex.ts'
import { invalidProblem, unprocessableProblem } from '../../platform/http/problems.ts'
import { type AuditActor, recordAudit } from '../audit/record-audit.ts'
import { lockMembers } from '../members/members.queries.ts'
import { applyGroups } from './apply-groups.ts'
import { hasActiveAdmin, saveGroupRoles, selectGroupRoles } from './group-roles.queries.ts'

/**
 * Replaces the roles that groups of the sign-in provider have in a project. Members whose groups are stored get their new role
 * at once, and those whom only a removed group made a member are removed.
 * @throws {Problem} 400 for a group that is named twice; 422 `groups_not_configured` or `last_admin`
 */
export async function replaceGroupRoles(
  { db, singleSignOn }: Pick<Deps, 'db' | 'singleSignOn'>,
  actor: AuditActor,
  projectId: string,
  groupRoles: readonly GroupRoleInput[],
): Promise<GroupRole[]> {
  requireDifferentGroups(groupRoles)
  const readsGroups = (singleSignOn?.groupsClaim ?? null) !== null
  return await transactionWithRowMutex(db, projectId, async (tx) => {
    const { name } = await lockMembers(tx, projectId)
    const before = await selectGroupRoles(tx, projectId)
    // Groups from before can still be removed one by one.
    if (!readsGroups && !groupRoles.every((groupRole) => isAmong(groupRole, before))) throw groupsNotConfiguredProblem()
    const userIds = await saveGroupRoles(tx, projectId, groupRoles)
    const kept = await applyGroups(
      tx,
      actor,
      userIds.map((userId) => ({ projectId, userId })),
    )
    if (kept.length > 0 || !(await hasActiveAdmin(tx, projectId))) throw lastAdminProblem()
    await recordAudit(tx, actor, {
      action: 'project.update_group_roles',
      subject: { kind: 'project', id: projectId, name },
      projectId,
      detail: { from: toRoles(before), to: toRoles(groupRoles) },
    })
    return await selectGroupRoles(tx, projectId)
  })
}

function requireDifferentGroups(groupRoles: readonly GroupRoleInput[]): void {
  const names = groupRoles.map(({ group }) => group)
  const fields = names.flatMap((group, index) =>
    names.indexOf(group) < index ? [{ path: `/group_roles/${index}/group`, message: 'is named above already' }] : [],
  )
  if (fields.length > 0) throw invalidProblem(fields)
}

const isAmong = ({ group, role }: GroupRoleInput, groupRoles: readonly GroupRole[]) =>
  groupRoles.some((known) => known.group === group && known.role === role)

const toRoles = (groupRoles: readonly GroupRoleInput[]) =>
  Object.fromEntries(groupRoles.map(({ group, role }) => [group, role]))

const groupsNotConfiguredProblem = () =>
  unprocessableProblem(
    'groups_not_configured',
    'This server does not read groups of the sign-in provider. The operator of the server can set OIDC_GROUPS_CLAIM.',
  )

const lastAdminProblem = () =>
  unprocessableProblem(
    'last_admin',
    'The project would have no admin any more, because its admins come from these groups. Make a member an admin by hand first.',
  )
