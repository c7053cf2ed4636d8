import type { FastifyRequest } from 'fastify'

import type { Deps } from '../../deps.ts'
import { toUserActor } from '../audit/record-audit.ts'
import { applyGroups } from './apply-groups.ts'
import { syncInstanceAdmin } from './sync-instance-admin.ts'
import { findChangedProjects, lockProjects, saveMembershipGroups } from './group-roles.queries.ts'

/**
 * Makes the memberships of a user what the groups of a single sign-on say, and whether the user administers the instance. Called
 * before the browser gets the session, in a transaction of its own: projects are locked before users.
 */
export async function syncGroups(
  { db, singleSignOn }: Pick<Deps, 'db' | 'singleSignOn'>,
  request: FastifyRequest,
  userId: string,
  groups: readonly string[],
): Promise<void> {
  const actor = toUserActor(userId, request)
  const changedIds = await findChangedProjects(db, userId, groups)
  if (changedIds.length > 0) {
    const kept = await db.transaction().execute(async (tx) => {
      const projectIds = await lockProjects(tx, changedIds)
      await saveMembershipGroups(tx, userId, { projectIds, groups })
      return await applyGroups(
        tx,
        actor,
        projectIds.map((projectId) => ({ projectId, userId })),
      )
    })
    for (const { projectId } of kept) {
      request.log.warn({ project_id: projectId, user_id: userId }, 'kept the last admin of a project without its group')
    }
  }
  const isKept = await syncInstanceAdmin(db, actor, userId, groups, singleSignOn?.adminGroup ?? null)
  if (isKept) request.log.warn({ user_id: userId }, 'kept the last instance administrator without the group')
}
