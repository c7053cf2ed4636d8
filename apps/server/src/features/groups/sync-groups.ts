import type { FastifyRequest } from 'fastify'

import type { Deps } from '../../deps.ts'
import { isAccountDeleted } from '../../platform/database/deleted-accounts.ts'
import { getReachedQuota } from '../../platform/database/quotas.ts'
import { type AuditActor, type NewAuditEntry, recordAudits, toUserActor } from '../audit/record-audit.ts'
import { applyGroups, type KeptAdmin } from './apply-groups.ts'
import {
  findChangedProjects,
  type FullProject,
  lockActiveUser,
  lockProjects,
  saveMembershipGroups,
  selectFullProjects,
} from './group-roles.queries.ts'
import { syncInstanceAdmin } from './sync-instance-admin.ts'

/** What a sign-on did not change, although its groups say so. */
interface Exceptions {
  kept: KeptAdmin[]
  full: FullProject[]
}

/**
 * Makes the memberships of a user what the groups of a single sign-on say, and whether the user administers the instance. Called
 * before the browser gets the session, in a transaction of its own: projects are locked before users.
 */
export async function syncGroups(
  deps: Pick<Deps, 'db' | 'singleSignOn'>,
  request: FastifyRequest,
  userId: string,
  groups: readonly string[],
): Promise<void> {
  const actor = toUserActor(userId, request)
  const { kept, full } = await syncMemberships(deps, actor, userId, groups).catch((error: unknown): Exceptions => {
    // The quota was lowered, or the account deleted, between two statements. The next sign-on looks again.
    if (getReachedQuota(error) === null && !isAccountDeleted(error)) throw error
    request.log.warn({ request_id: request.id, user_id: userId }, 'the groups of a sign-on were not applied')
    return { kept: [], full: [] }
  })
  for (const { projectId } of kept) {
    request.log.warn({ project_id: projectId, user_id: userId }, 'kept the last admin of a project without its group')
  }
  for (const { id } of full) {
    request.log.warn({ project_id: id, user_id: userId }, 'did not add a user by a group, because the project is full')
  }
  const adminGroup = deps.singleSignOn?.adminGroup ?? null
  const isKept = await syncInstanceAdmin(deps.db, actor, userId, groups, adminGroup)
  if (isKept) request.log.warn({ user_id: userId }, 'kept the last instance administrator without the group')
}

async function syncMemberships(
  { db }: Pick<Deps, 'db'>,
  actor: AuditActor,
  userId: string,
  groups: readonly string[],
): Promise<Exceptions> {
  const changedIds = await findChangedProjects(db, userId, groups)
  if (changedIds.length === 0) return { kept: [], full: [] }
  return await db.transaction().execute(async (tx) => {
    const lockedIds = await lockProjects(tx, changedIds)
    if (!(await lockActiveUser(tx, userId))) return { kept: [], full: [] }
    const full = await selectFullProjects(tx, userId, lockedIds)
    if (full.length > 0) await recordAudits(tx, actor, full.map(toEntry))
    const projectIds = lockedIds.filter((id) => full.every((project) => project.id !== id))
    await saveMembershipGroups(tx, userId, { projectIds, groups })
    const pairs = projectIds.map((projectId) => ({ projectId, userId }))
    return { kept: await applyGroups(tx, actor, pairs), full }
  })

  function toEntry({ id, quota }: FullProject): NewAuditEntry {
    const detail = { max_members_per_project: quota, by: 'groups' }
    return { action: 'member.skip_full_project', subject: { kind: 'user', id: userId }, projectId: id, detail }
  }
}
