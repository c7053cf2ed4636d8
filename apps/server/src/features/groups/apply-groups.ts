import type { Member } from '@caseward/contract/members'
import { sql } from 'kysely'

import type { Database } from '../../platform/database/connect.ts'
import { type AuditActor, type NewAuditEntry, recordAudits } from '../audit/record-audit.ts'
import { describeRevokedInvitations } from '../invitations/describe-revoked-invitations.ts'
import { revokePendingInvitations } from '../invitations/invitations.queries.ts'

type Role = Member['role']

/** A user in a project, with the role that the user has and the one that follows from groups and persons. */
interface MembershipState {
  projectId: string
  userId: string
  /** Null for a user who is not a member. */
  role: Role | null
  newRole: Role | null
  /** Whether another user who can sign in is an admin of the project. */
  hasOtherAdmin: boolean
}

/** Admins who stay, because their project would have no admin without them. */
export interface KeptAdmin {
  projectId: string
  userId: string
}

/**
 * Makes memberships what the stored groups and the roles that persons gave say; the stronger role wins. Requires the locks of
 * the projects. Only one user of each project, or only users of one project, may be given.
 * @returns the admins who stay although their groups do not make them one any more
 */
export async function applyGroups(
  tx: Database,
  actor: AuditActor,
  pairs: readonly { projectId: string; userId: string }[],
): Promise<KeptAdmin[]> {
  const states = await selectStates(tx, pairs)
  const isLoss = ({ role, newRole }: MembershipState) => role === 'admin' && newRole !== 'admin'
  const kept = states.filter((state) => isLoss(state) && !state.hasOtherAdmin)
  const changed = states.filter((state) => !kept.includes(state))
  await saveMemberships(tx, changed)
  const entries: NewAuditEntry[] = []
  for (const state of changed.filter(({ role, newRole }) => role !== newRole)) {
    const { projectId, userId, role, newRole } = state
    // Few are: a former admin keeps no invitations, as after a change by a person.
    const revoked = isLoss(state) ? await revokePendingInvitations(tx, { projectId, userId }) : []
    entries.push({
      action: role === null ? 'member.add' : newRole === null ? 'member.remove' : 'member.change_role',
      subject: { kind: 'user', id: userId },
      projectId,
      detail: { ...describeRoles(role, newRole), by: 'groups', ...describeRevokedInvitations(revoked) },
    })
  }
  for (const { projectId, userId, newRole } of kept) {
    const subject = { kind: 'user', id: userId } as const
    entries.push({
      action: 'member.keep_last_admin',
      subject,
      projectId,
      detail: { instead_of: newRole, by: 'groups' },
    })
  }
  if (entries.length > 0) await recordAudits(tx, actor, entries)
  return kept.map(({ projectId, userId }) => ({ projectId, userId }))
}

const describeRoles = (from: Role | null, to: Role | null): Record<string, Role | null> =>
  from === null || to === null ? { role: to ?? from } : { from, to }

/** The role of groups, of a person (`given`), and both together. The order of the type is from strong to weak. */
const stateSql = (pairs: readonly { projectId: string; userId: string }[]) => sql`
  select p.project_id, p.user_id, m.role, grouped.role as group_role,
    case when m.group_role is null then m.role else m.given_role end as given_role
  from unnest(
    ${pairs.map(({ projectId }) => projectId)}::uuid[], ${pairs.map(({ userId }) => userId)}::uuid[]
  ) as p (project_id, user_id)
  left join memberships m on m.project_id = p.project_id and m.user_id = p.user_id
  left join lateral (
    select min(g.role) as role from membership_groups mg
    join group_roles g on g.project_id = mg.project_id and g.group_name = mg.group_name
    where mg.user_id = p.user_id and mg.project_id = p.project_id
  ) grouped on true`

async function selectStates(
  tx: Database,
  pairs: readonly { projectId: string; userId: string }[],
): Promise<MembershipState[]> {
  const { rows } = await sql<MembershipState>`
    select s.project_id as "projectId", s.user_id as "userId", s.role, least(s.group_role, s.given_role) as "newRole",
      exists (
        select from memberships m join users u on u.id = m.user_id
        where m.project_id = s.project_id and m.role = 'admin' and m.user_id <> s.user_id and u.disabled_at is null
      ) as "hasOtherAdmin"
    from (${stateSql(pairs)}) s order by s.project_id, s.user_id`.execute(tx)
  return rows
}

/** Adds, changes and removes memberships, and counts the members of their projects. */
async function saveMemberships(tx: Database, states: readonly MembershipState[]): Promise<void> {
  if (states.length === 0) return
  await sql`
    with state as (${stateSql(states)}), removed as (
      delete from memberships m using state s
      where m.project_id = s.project_id and m.user_id = s.user_id and s.group_role is null and s.given_role is null
      returning m.project_id
    ), saved as (
      insert into memberships as m (project_id, user_id, role, group_role, given_role)
      select project_id, user_id, least(group_role, given_role), group_role,
        case when group_role is not null then given_role end
      from state where group_role is not null or given_role is not null
      on conflict (project_id, user_id) do update set
        role = excluded.role, group_role = excluded.group_role, given_role = excluded.given_role,
        updated_at = case when m.role = excluded.role then m.updated_at else now() end
      returning m.project_id, xmax = 0 as is_new
    ), difference as (
      select project_id, sum(number) as number from (
        select project_id, -1 as number from removed union all select project_id, 1 from saved where is_new
      ) as one group by project_id
    )
    update projects p set member_count = member_count + d.number
    from difference d where d.project_id = p.id`.execute(tx)
}
