import { openBrowser } from '@caseward/test-support/browser'
import { makeProject } from '@caseward/test-support/factories'
import { useSingleSignOn } from '@caseward/test-support/single-sign-on'
import { makeMember, makeUser, makeUserWithPassword } from '@caseward/test-support/users'
import { sql } from 'kysely'
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest'

import { SYSTEM_ACTOR } from '../audit/record-audit.ts'
import { replaceGroupRoles } from './replace-group-roles.ts'

type Role = 'admin' | 'member' | 'viewer'

const scenario = useSingleSignOn({ oidcGroupsClaim: 'realm_access.roles', oidcAdminGroup: 'operators' })
const { server, signOn } = scenario

let admin: { id: string; token: string }
/** Another instance administrator, so that the last one is not the one of a test. */
beforeAll(async () => {
  admin = await makeUser(server)
  await server.db.updateTable('users').set({ is_instance_admin: true }).where('id', '=', admin.id).execute()
})

async function makeProjectWithRoles(roles: Record<string, Role>) {
  const project = await makeProject(server, { token: admin.token })
  await setRoles(project.id, roles)
  return project
}
const setRoles = (projectId: string, roles: Record<string, Role>, status = 200) =>
  server
    .request('PUT', `/v1/projects/${projectId}/group-roles`, {
      token: admin.token,
      body: { group_roles: Object.entries(roles).map(([group, role]) => ({ group, role })) },
    })
    .then((response) => {
      expect([response.status, response.body]).toMatchObject([status, {}])
      return response.body
    })
const signOnWith = (user: { id: string; email: string }, groups: unknown) =>
  signOn(openBrowser(server), { email: user.email, subject: user.id, claims: { realm_access: { roles: groups } } })
const makePerson = () => makeUserWithPassword(server, { password: null })
async function getRole(projectId: string, userId: string): Promise<Role | null> {
  const { body } = await server.request<{ data: { id: string; role: Role }[]; meta: { total: number } }>(
    'GET',
    `/v1/projects/${projectId}/members?per_page=100`,
    { token: admin.token },
  )
  expect(body.meta.total).toBe(body.data.length)
  return body.data.find(({ id }) => id === userId)?.role ?? null
}
const listActions = async (projectId: string, userId: string) =>
  (
    await server.db
      .selectFrom('audit_log')
      .select('action')
      .where('project_id', '=', projectId)
      .where('subject_id', '=', userId)
      .orderBy('id')
      .execute()
  ).map(({ action }) => action)

describe('a sign-on with groups', () => {
  it('adds the user with the strongest role, changes it, and removes the user, with entries in the audit log', async () => {
    const project = await makeProjectWithRoles({ qa: 'viewer', leads: 'admin' })
    const person = await makePerson()
    await signOnWith(person, ['qa', 'unrelated'])
    expect(await getRole(project.id, person.id)).toBe('viewer')
    await signOnWith(person, ['qa', 'leads'])
    expect(await getRole(project.id, person.id)).toBe('admin')
    await signOnWith(person, ['qa'])
    expect(await getRole(project.id, person.id)).toBe('viewer')
    await signOnWith(person, [])
    expect(await getRole(project.id, person.id)).toBeNull()
    expect(await listActions(project.id, person.id)).toEqual([
      'member.add',
      'member.change_role',
      'member.change_role',
      'member.remove',
    ])
  })

  it('never lowers or removes what a person gave', async () => {
    const project = await makeProjectWithRoles({ qa: 'viewer', leads: 'admin' })
    const person = await makePerson()
    await server.db
      .insertInto('memberships')
      .values({ project_id: project.id, user_id: person.id, role: 'member' })
      .execute()
    await server.db.updateTable('projects').set({ member_count: 2 }).where('id', '=', project.id).execute()
    await signOnWith(person, ['qa'])
    expect(await getRole(project.id, person.id)).toBe('member')
    await signOnWith(person, ['leads'])
    expect(await getRole(project.id, person.id)).toBe('admin')
    await signOnWith(person, [])
    expect(await getRole(project.id, person.id)).toBe('member')
  })

  it('removes the user without the claim, and changes nothing when it is no list', async () => {
    const project = await makeProjectWithRoles({ qa: 'viewer' })
    const person = await makePerson()
    await signOnWith(person, 'qa')
    expect(await getRole(project.id, person.id)).toBe('viewer')
    await signOnWith(person, { qa: true })
    expect(await getRole(project.id, person.id)).toBe('viewer')
    await signOn(openBrowser(server), { email: person.email, subject: person.id })
    expect(await getRole(project.id, person.id)).toBeNull()
  })

  it('keeps the last admin of a project, and says so in the log and in the audit log', async () => {
    const project = await makeProjectWithRoles({ leads: 'admin' })
    const person = await makePerson()
    await signOnWith(person, ['leads'])
    await server.db
      .deleteFrom('memberships')
      .where('user_id', '=', admin.id)
      .where('project_id', '=', project.id)
      .execute()
    await signOnWith(person, [])
    const membership = server.db.selectFrom('memberships').select('role').where('user_id', '=', person.id)
    expect(await membership.execute()).toEqual([{ role: 'admin' }])
    expect(await listActions(project.id, person.id)).toContain('member.keep_last_admin')
    expect(server.logged.join('')).toContain('kept the last admin of a project')
  })

  it('works when a project is full: it adds the user to the others only, and again when there is room', async () => {
    const [full, other] = [await makeProjectWithRoles({ qa: 'viewer' }), await makeProjectWithRoles({ qa: 'viewer' })]
    await makeMember(server, full.id, 'member')
    const person = await makePerson()
    const setQuota = async (max_members_per_project: number | null) => {
      await server.db.updateTable('instance_settings').set({ max_members_per_project }).execute()
    }
    await setQuota(2)
    onTestFinished(() => setQuota(null))
    const { status, location } = await signOnWith(person, ['qa'])
    expect([status, location]).toEqual([303, '/'])
    expect([await getRole(full.id, person.id), await getRole(other.id, person.id)]).toEqual([null, 'viewer'])
    expect(await listActions(full.id, person.id)).toEqual(['member.skip_full_project'])
    expect(server.logged.join('')).toContain('because the project is full')
    await setQuota(null)
    await signOnWith(person, ['qa'])
    expect(await getRole(full.id, person.id)).toBe('viewer')
  })

  it('adds no user whose account is deleted in the same moment', async () => {
    const project = await makeProjectWithRoles({ qa: 'viewer' })
    const person = await makePerson()
    const { status } = await server.db.transaction().execute(async (tx) => {
      await tx.selectFrom('projects').select('id').where('id', '=', project.id).forUpdate().execute()
      const response = signOnWith(person, ['qa'])
      const isWaiting = sql<{ count: number }>`
        select count(*)::integer as count from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock' and query like '%for no key update%'`
      await expect.poll(async () => (await isWaiting.execute(server.db)).rows[0]?.count).toBe(1)
      const now = new Date()
      const changes = { disabled_at: now, deleted_at: now }
      await server.db.updateTable('users').set(changes).where('id', '=', person.id).execute()
      // The sign-on goes on when this transaction has ended.
      return { status: response.then((page) => page.status) }
    })
    expect(await status).toBe(303)
    expect(await getRole(project.id, person.id)).toBeNull()
  })

  it('makes users of the admin group instance administrators, and others no longer; those of a person stay', async () => {
    const [person, given] = [await makePerson(), await makePerson()]
    await server.db.updateTable('users').set({ is_instance_admin: true }).where('id', '=', given.id).execute()
    const isAdmin = async ({ id }: { id: string }) =>
      (await server.db.selectFrom('users').select('is_instance_admin').where('id', '=', id).executeTakeFirstOrThrow())
        .is_instance_admin
    await signOnWith(person, ['operators'])
    await signOnWith(given, ['operators'])
    expect([await isAdmin(person), await isAdmin(given)]).toEqual([true, true])
    await signOnWith(person, [])
    await signOnWith(given, [])
    expect([await isAdmin(person), await isAdmin(given)]).toEqual([false, true])
  })
})

describe('PUT /v1/projects/:project_id/group-roles', () => {
  it('changes and removes members by their groups at once, and lists who has which', async () => {
    const project = await makeProjectWithRoles({ qa: 'viewer' })
    const person = await makePerson()
    await signOnWith(person, ['qa'])
    expect(await setRoles(project.id, { qa: 'member' })).toEqual({
      data: [{ group: 'qa', role: 'member', user_ids: [person.id] }],
      meta: { groups_claim: 'realm_access.roles' },
    })
    expect(await getRole(project.id, person.id)).toBe('member')
    await setRoles(project.id, {})
    expect(await getRole(project.id, person.id)).toBeNull()
  })

  it('returns 422 and changes nothing when the project would have no admin', async () => {
    const project = await makeProjectWithRoles({ leads: 'admin' })
    const person = await makePerson()
    await signOnWith(person, ['leads'])
    await server.db
      .updateTable('memberships')
      .set({ group_role: 'admin' })
      .where('user_id', '=', admin.id)
      .where('project_id', '=', project.id)
      .execute()
    await server.db
      .insertInto('membership_groups')
      .values({ project_id: project.id, user_id: admin.id, group_name: 'leads' })
      .execute()
    expect(await setRoles(project.id, { leads: 'viewer' }, 422)).toMatchObject({ code: 'last_admin' })
    expect(await getRole(project.id, person.id)).toBe('admin')
  })

  it('only removes groups on a server that reads none', async () => {
    const project = await makeProjectWithRoles({ qa: 'viewer', leads: 'admin' })
    const change = (roles: [string, Role][]) =>
      replaceGroupRoles(
        { db: server.db, singleSignOn: null },
        SYSTEM_ACTOR,
        project.id,
        roles.map(([group, role]) => ({ group, role })),
      )
    await expect(change([['qa', 'member']])).rejects.toMatchObject({ code: 'groups_not_configured' })
    expect(await change([['qa', 'viewer']])).toEqual([{ group: 'qa', role: 'viewer', user_ids: [] }])
  })

  it('refuses a group that is named twice, an empty name and more than 100 groups', async () => {
    const project = await makeProjectWithRoles({})
    const path = `/v1/projects/${project.id}/group-roles`
    const group = { group: 'qa', role: 'viewer' }
    for (const group_roles of [
      [group, group],
      [{ ...group, group: '' }],
      Array.from({ length: 101 }, (_, index) => ({ group: `g${index}`, role: 'viewer' })),
    ]) {
      await server.expectProblem(400, 'PUT', path, { token: admin.token, body: { group_roles } })
    }
  })

  it('returns 403 to members who are not admins', async () => {
    const project = await makeProjectWithRoles({})
    const { token } = await makeMember(server, project.id, 'member')
    await server.expectProblem(403, 'GET', `/v1/projects/${project.id}/group-roles`, { token })
  })
})

describe('a member by a group', () => {
  it('cannot get a weaker role by hand, and keeps a stronger one without the group', async () => {
    const project = await makeProjectWithRoles({ qa: 'member' })
    const person = await makePerson()
    await signOnWith(person, ['qa'])
    const path = `/v1/projects/${project.id}/members/${person.id}`
    const change = (role: Role) => server.request('PATCH', path, { token: admin.token, body: { role } })
    expect((await change('viewer')).body).toMatchObject({ code: 'role_from_group' })
    expect((await change('admin')).status).toBe(200)
    await signOnWith(person, [])
    expect(await getRole(project.id, person.id)).toBe('admin')
  })
})
