import type { InstanceUser } from '@caseward/contract/admin'
import type { CiToken } from '@caseward/contract/tokens'
import { beforeAll, describe, expect, it } from 'vitest'

import { openBrowser } from '@caseward/test-support/browser'
import { makeInvitation, makeProject } from '@caseward/test-support/factories'
import { useTestServer } from '@caseward/test-support/test-server'
import {
  makeInstanceAdmin,
  makeSignedInUser,
  makeUser,
  makeUserWithPassword,
  PASSWORD,
} from '@caseward/test-support/users'
import { createResetLink, saveReset } from '../auth/password-reset/password-reset.queries.ts'
import { insertMember } from '../members/members.queries.ts'

const server = useTestServer()
let token: string
beforeAll(async () => {
  token = (await makeInstanceAdmin(server)).token
})

const setDisabled = async (id: string, disabled: boolean) => {
  const body = { disabled }
  const path = `/v1/admin/users/${id}`
  const response = await server.request<{ data: InstanceUser }>('PATCH', path, { token, body })
  expect(response.status).toBe(200)
  return response.body.data
}
const requestMe = async (userToken: string) => (await server.request('GET', '/v1/me', { token: userToken })).status
const signIn = (email: string, password = PASSWORD) =>
  server.request('POST', '/v1/session', { body: { email, password } })

describe('PATCH /v1/admin/users/:user_id with disabled: true', () => {
  it('returns the user, and takes effect at once on sessions and personal tokens', async () => {
    const { id, browser } = await makeSignedInUser(server)
    const created = JSON.parse((await browser.api('POST', '/v1/tokens', { name: 'Laptop' })).text) as {
      data: { token: string }
    }
    expect([await requestMe(created.data.token), (await browser.get('/v1/me')).status]).toEqual([200, 200])
    expect(await setDisabled(id, true)).toMatchObject({
      id,
      disabled_at: expect.any(String),
      session_count: 0,
      token_count: 0,
    })
    expect([await requestMe(created.data.token), (await browser.get('/v1/me')).status]).toEqual([401, 401])
    expect((await browser.get('/')).location).toBe('/sign-in')
  })

  it('refuses sessions and tokens that are stored after it, as by a request that was in progress', async () => {
    const user = await makeSignedInUser(server)
    const { token: personalToken, id } = await makeUser(server)
    for (const userId of [user.id, id]) {
      await server.db.updateTable('users').set({ disabled_at: new Date() }).where('id', '=', userId).execute()
    }
    await expect.poll(() => requestMe(personalToken), { timeout: 1500 }).toBe(401)
    await expect.poll(async () => (await user.browser.get('/v1/me')).status, { timeout: 1500 }).toBe(401)
  })

  it('refuses sign-in with the right password and says why, and with a wrong one as for anybody', async () => {
    const { id, email } = await makeUserWithPassword(server)
    await setDisabled(id, true)
    const problem = await server.expectProblem(403, 'POST', '/v1/session', { body: { email, password: PASSWORD } })
    expect([problem.code, problem.detail]).toEqual([
      'account_disabled',
      expect.stringContaining('Ask an administrator'),
    ])
    expect((await signIn(email, 'wrong')).body).toMatchObject({ status: 401, code: 'wrong_credentials' })
    const page = await openBrowser(server).post('/sign-in', { email, password: PASSWORD })
    expect([page.status, page.text.includes('Your account is disabled')]).toEqual([403, true])
    const sessions = server.db.selectFrom('sessions').select('id').where('user_id', '=', id)
    expect(await sessions.execute()).toEqual([])
  })

  it('sends no reset link, ends existing ones, and refuses one that was created after it', async () => {
    const { id, email } = await makeUserWithPassword(server)
    await saveReset(server.db, id)
    const earlier = await createResetLink(server.db, id)
    await setDisabled(id, true)
    const body = { password: 'another long password' }
    await server.expectProblem(410, 'POST', `/v1/password-resets/${earlier?.secret}`, { body })
    expect((await server.request('POST', '/v1/password-resets', { body: { email } })).status).toBe(200)
    const resets = server.db.selectFrom('password_resets').select('user_id').where('user_id', '=', id)
    expect(await resets.execute()).toEqual([])
    await saveReset(server.db, id)
    expect(await createResetLink(server.db, id)).toBeNull()
  })

  it('refuses a reset link that was created just before, and keeps the password', async () => {
    const { id, email } = await makeUserWithPassword(server)
    await saveReset(server.db, id)
    const link = await createResetLink(server.db, id)
    await server.db.updateTable('users').set({ disabled_at: new Date() }).where('id', '=', id).execute()
    const body = { password: 'another long password' }
    const problem = await server.expectProblem(403, 'POST', `/v1/password-resets/${link?.secret}`, { body })
    expect(problem.code).toBe('account_disabled')
    await server.db.updateTable('users').set({ disabled_at: null }).where('id', '=', id).execute()
    expect((await signIn(email)).status).toBe(201)
  })

  it('keeps memberships and CI tokens that were created in a browser, and revokes the pending invitations of the user', async () => {
    const project = await makeProject(server)
    const path = `/v1/projects/${project.id}`
    const { id, browser } = await makeSignedInUser(server)
    await insertMember(server.db, { projectId: project.id, userId: id, role: 'admin' })
    const createToken = async (url: string) =>
      (JSON.parse((await browser.api('POST', url, { name: 'New' })).text) as { data: { token: string } }).data.token
    const ciToken = await createToken(`${path}/tokens`)
    const invitation = await makeInvitation(server, {
      ...project,
      admin: { id, token: await createToken('/v1/tokens') },
    })
    const otherInvitation = await makeInvitation(server, project)
    await setDisabled(id, true)
    const members = await server.request<{ data: { id: string }[] }>('GET', `${path}/members`, {
      token: project.admin.token,
    })
    expect(members.body.data.map((member) => member.id)).toContain(id)
    expect((await server.request('GET', path, { token: ciToken })).status).toBe(200)
    const tokens = await server.request<{ data: CiToken[] }>('GET', `${path}/tokens`, { token: project.admin.token })
    expect(tokens.body.data).toMatchObject([{ created_by: id, needs_review: true }])
    const revoked = await server.expectProblem(410, 'GET', `/v1/invitations/${invitation.secret}`)
    expect(revoked.code).toBe('invitation_revoked')
    expect((await server.request('GET', `/v1/invitations/${otherInvitation.secret}`)).status).toBe(200)
  })
})

describe('PATCH /v1/admin/users/:user_id with disabled: false', () => {
  it('lets the user sign in again; the former sessions and tokens stay invalid', async () => {
    const { id, email, browser } = await makeSignedInUser(server)
    await setDisabled(id, true)
    expect(await setDisabled(id, false)).toMatchObject({ id, disabled_at: null })
    expect((await browser.get('/v1/me')).status).toBe(401)
    expect((await signIn(email)).status).toBe(201)
  })
})

describe('DELETE /v1/admin/users/:user_id/sessions and …/tokens', () => {
  it('end all sessions and only these, at once; the user can sign in again', async () => {
    const { id, email, browser } = await makeSignedInUser(server)
    const other = await makeSignedInUser(server)
    const { body } = await server.request('DELETE', `/v1/admin/users/${id}/sessions`, { token })
    expect([body, (await browser.get('/v1/me')).status]).toEqual(['', 401])
    expect([(await other.browser.get('/v1/me')).status, (await signIn(email)).status]).toEqual([200, 201])
  })

  it('revoke all personal tokens and only these, at once', async () => {
    const [user, other] = [await makeUser(server), await makeUser(server)]
    expect(await requestMe(user.token)).toBe(200)
    const { status } = await server.request('DELETE', `/v1/admin/users/${user.id}/tokens`, { token })
    expect([status, await requestMe(user.token), await requestMe(other.token)]).toEqual([204, 401, 200])
  })

  it('return 404 for an id of the wrong form', async () => {
    for (const path of ['sessions', 'tokens']) {
      await server.expectProblem(404, 'DELETE', `/v1/admin/users/nonsense/${path}`, { token })
    }
    await server.expectProblem(404, 'PATCH', '/v1/admin/users/nonsense', { token, body: { disabled: true } })
  })
})
