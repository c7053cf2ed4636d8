import type { CiToken } from '@caseward/contract/tokens'
import { describe, expect, it } from 'vitest'

import { makeCiToken, makeInvitation, makeProject } from '@caseward/test-support/factories'
import { expireInvitation, getLinkStatus } from '@caseward/test-support/invitation-scenario'
import { useSharedServer } from '@caseward/test-support/test-server'
import { makeMember, makeUser } from '@caseward/test-support/users'
import { SYSTEM_ACTOR } from '../audit/record-audit.ts'
import { inviteMember, resendInvitation } from '../invitations/change-invitations.ts'
import { createCiToken } from '../tokens/create-token.ts'
import { insertMember } from './members.queries.ts'

const NO_RIGHTS = { isInstanceAdmin: false, roles: new Map(), mustSetUpSecondFactor: false }

const server = useSharedServer()

/** A project with two admins: one who stays, and one who can be removed or demoted. */
async function makeProjectWithTwoAdmins() {
  const project = await makeProject(server)
  const former = await makeMember(server, project.id, 'admin')
  const path = `/v1/projects/${project.id}/members/${former.id}`
  const { token } = project.admin
  const selectStatuses = async () => {
    const rows = server.db.selectFrom('invitations').select('status').where('project_id', '=', project.id)
    return (await rows.orderBy('id').execute()).map(({ status }) => status)
  }
  return {
    project,
    former: { ...former, project: { id: project.id, admin: former } },
    selectStatuses,
    remove: () => server.request('DELETE', path, { token }),
    demote: (role = 'member') => server.request('PATCH', path, { token, body: { role } }),
    /** Makes the user an admin again. */
    async restore() {
      await insertMember(server.db, { projectId: project.id, userId: former.id, role: 'member' })
      await server.request('PATCH', path, { token, body: { role: 'admin' } })
    },
    listTokens: async (query = '') =>
      (await server.request<{ data: CiToken[] }>('GET', `/v1/projects/${project.id}/tokens${query}`, { token })).body
        .data,
  }
}

describe.each(['remove', 'demote'] as const)('an admin whose role ends (%s)', (endRole) => {
  it('cannot return with an invitation that they sent to themselves', async () => {
    const { former, ...scenario } = await makeProjectWithTwoAdmins()
    const { secret } = await makeInvitation(server, former.project, { role: 'admin' })
    expect((await scenario[endRole]()).status).toBe(endRole === 'remove' ? 204 : 200)
    expect(await getLinkStatus(server, secret)).toBe(410)
    const newcomer = { name: 'Mallory', password: 'correct horse battery' }
    const problem = await server.expectProblem(410, 'POST', `/v1/invitations/${secret}/accept`, { body: newcomer })
    expect(problem.code).toBe('invitation_revoked')
  })

  it('leaves the invitations of other admins, and those that are not pending, as they are', async () => {
    const { project, former, selectStatuses, ...scenario } = await makeProjectWithTwoAdmins()
    await makeInvitation(server, project)
    const expired = await makeInvitation(server, former.project)
    await expireInvitation(server, expired.id)
    const accepted = await makeInvitation(server, former.project)
    const { token } = await makeUser(server, { email: accepted.email })
    await server.request('POST', `/v1/invitations/${accepted.secret}/accept`, { token })
    await makeInvitation(server, former.project)
    await scenario[endRole]()
    // An expired invitation is stored as pending.
    expect(await selectStatuses()).toEqual(['pending', 'pending', 'accepted', 'revoked'])
  })

  it('cannot return with a link that they received for the invitation of another admin', async () => {
    const { project, former, ...scenario } = await makeProjectWithTwoAdmins()
    const { id } = await makeInvitation(server, project)
    const path = `/v1/projects/${project.id}/invitations/${id}/resend`
    const resent = await server.request<{ join_url: string }>('POST', path, { token: former.token })
    await scenario[endRole]()
    expect(await getLinkStatus(server, resent.body.join_url.split('/').at(-1) ?? '')).toBe(410)
  })

  it('keeps their invitations to other projects', async () => {
    const { former, ...scenario } = await makeProjectWithTwoAdmins()
    const other = await makeProject(server, { token: former.token })
    const { secret } = await makeInvitation(server, other)
    await scenario[endRole]()
    expect(await getLinkStatus(server, secret)).toBe(200)
  })

  it('leaves no pending invitation when they invite someone at the same moment', async () => {
    const scenario = await makeProjectWithTwoAdmins()
    const { project, former, selectStatuses, restore } = scenario
    for (let round = 0; round < 20; round += 1) {
      const body = { email: `${endRole}${round}@race.test`, role: 'admin' }
      const path = `/v1/projects/${project.id}/members/invite`
      const [, ended] = await Promise.all([
        server.request('POST', path, { token: former.token, body }),
        scenario[endRole](),
      ])
      expect(ended.status).toBeLessThan(300)
      expect(await selectStatuses()).not.toContain('pending')
      await restore()
    }
  })

  it('cannot send an invitation or create a CI token with a request that the guard has let through before', async () => {
    const { project, former, ...scenario } = await makeProjectWithTwoAdmins()
    const { id } = await makeInvitation(server, project)
    await scenario[endRole]()
    const { db } = server
    const options = { senderId: former.id, showLink: true }
    const code = endRole === 'remove' ? 'not_a_member' : 'role_required'
    const invitation = { projectId: project.id, email: 'late@example.test', role: 'admin' } as const
    await expect(inviteMember(db, SYSTEM_ACTOR, invitation, options)).rejects.toMatchObject({ statusCode: 403, code })
    const resending = resendInvitation(db, SYSTEM_ACTOR, { projectId: project.id, id }, options)
    await expect(resending).rejects.toMatchObject({ statusCode: 403, code })
    const creator = { kind: 'session', key: '', userId: former.id, access: 'write', ...NO_RIGHTS } as const
    const input = { name: 'CI', access: 'write', expiresAt: null, grants: [] } as const
    const creating = createCiToken(db, SYSTEM_ACTOR, project.id, creator, input)
    await expect(creating).rejects.toMatchObject({ statusCode: 403, code })
  })

  it('leaves valid CI tokens, which the response links and the list marks for review', async () => {
    const { project, former, listTokens, ...scenario } = await makeProjectWithTwoAdmins()
    await makeCiToken(server, project)
    const token = await makeCiToken(server, former.project)
    expect((await listTokens()).map((item) => item.needs_review)).toEqual([false, false])
    const { headers } = await scenario[endRole]()
    const url = `/v1/projects/${project.id}/tokens?created_by=${former.id}`
    expect(headers.get('link')).toBe(`<${url}>; rel="related"; title="CI tokens to review"`)
    expect(await listTokens(`?created_by=${former.id}`)).toMatchObject([{ created_by: former.id, needs_review: true }])
    expect((await listTokens()).map((item) => item.needs_review)).toEqual([true, false])
    expect((await server.request('GET', `/v1/projects/${project.id}`, { token })).status).toBe(200)
  })

  it('is not linked to CI tokens that have expired or belong to another project', async () => {
    const { project, former, listTokens, ...scenario } = await makeProjectWithTwoAdmins()
    await makeCiToken(server, await makeProject(server, { token: former.token }))
    await makeCiToken(server, former.project)
    const expiry = { expires_at: new Date() }
    await server.db.updateTable('api_tokens').set(expiry).where('project_id', '=', project.id).execute()
    expect((await scenario[endRole]()).headers.get('link')).toBeNull()
    expect(await listTokens()).toMatchObject([{ needs_review: false }])
  })
})

describe('GET /v1/projects/:project_id/tokens', () => {
  it('marks tokens for review whose creator has no account anymore', async () => {
    const { former, listTokens } = await makeProjectWithTwoAdmins()
    await makeCiToken(server, former.project)
    await server.db.updateTable('api_tokens').set({ created_with: null }).execute()
    await server.db.deleteFrom('users').where('id', '=', former.id).execute()
    expect(await listTokens()).toMatchObject([{ created_by: null, needs_review: true }])
    expect(await listTokens(`?created_by=${former.id}`)).toEqual([])
  })

  it('returns no tokens for created_by with an unknown or invalid id', async () => {
    const { project, listTokens } = await makeProjectWithTwoAdmins()
    await makeCiToken(server, project)
    expect(await listTokens('?created_by=01a1fc2b-5f29-7584-9e03-d27674921b66')).toEqual([])
    expect(await listTokens('?created_by=nonsense')).toEqual([])
  })
})

describe('PATCH /v1/projects/:project_id/members/:user_id', () => {
  it('keeps the invitations of an admin who stays an admin', async () => {
    const { former, demote, selectStatuses } = await makeProjectWithTwoAdmins()
    await makeInvitation(server, former.project)
    expect((await demote('admin')).headers.get('link')).toBeNull()
    expect(await selectStatuses()).toEqual(['pending'])
  })
})
