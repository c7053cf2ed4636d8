import type { NewToken } from '@caseward/contract/tokens'
import { describe, expect, it } from 'vitest'

import { makeProject } from '@caseward/test-support/factories'
import { useSharedServer } from '@caseward/test-support/test-server'
import { makeSignedInUser, makeTokenInBrowser, makeUser } from '@caseward/test-support/users'
import { SYSTEM_ACTOR } from '../audit/record-audit.ts'
import { createPersonalToken } from './create-token.ts'

const NO_RIGHTS = { isInstanceAdmin: false, roles: new Map(), mustSetUpSecondFactor: false }

const server = useSharedServer()

const inHours = (hours: number) => new Date(Date.now() + hours * 60 * 60 * 1000).toISOString()
const getStatus = async (token: string) => (await server.request('GET', '/v1/projects', { token })).status

async function createToken(token: string, fields: object = {}, path = '/v1/tokens'): Promise<NewToken> {
  const response = await server.request<{ data: NewToken }>('POST', path, { token, body: { name: 'New', ...fields } })
  expect(response.status).toBe(201)
  return response.body.data
}

/** A project, and a token of its admin that created a personal token and a CI token, which created nothing. */
async function makeFamily(fields: object = {}) {
  const project = await makeProject(server)
  const tokensPath = `/v1/projects/${project.id}/tokens`
  const parent = await createToken(project.admin.token, fields)
  const child = await createToken(parent.token)
  const grandchild = await createToken(child.token)
  const ci = await createToken(grandchild.token, {}, tokensPath)
  return { project, tokensPath, parent, child, grandchild, ci }
}

describe('a token that was created with a token', () => {
  it('expires with that token at the latest', async () => {
    const expiry = inHours(1)
    const { parent, child, grandchild, ci, tokensPath } = await makeFamily({ expires_at: expiry })
    expect([parent, child, grandchild, ci].map(({ expires_at }) => expires_at)).toEqual([
      expiry,
      expiry,
      expiry,
      expiry,
    ])
    expect((await createToken(child.token, { expires_at: inHours(2) })).expires_at).toBe(expiry)
    expect((await createToken(child.token, { expires_at: inHours(2) }, tokensPath)).expires_at).toBe(expiry)
    const sooner = inHours(0.5)
    expect((await createToken(child.token, { expires_at: sooner })).expires_at).toBe(sooner)
  })

  it('is revoked with that token, at any depth and in any project', async () => {
    const { parent, child, grandchild, ci, project } = await makeFamily()
    for (const { token } of [parent, child, grandchild, ci]) expect(await getStatus(token)).toBe(200)
    await server.request('DELETE', `/v1/tokens/${parent.id}`, project.admin)
    for (const { token } of [parent, child, grandchild, ci]) expect(await getStatus(token)).toBe(401)
    expect(await getStatus(project.admin.token)).toBe(200)
  })

  it('stays valid when a token is revoked that was created with it', async () => {
    const { parent, child, grandchild, project } = await makeFamily()
    await server.request('DELETE', `/v1/tokens/${child.id}`, project.admin)
    expect([await getStatus(parent.token), await getStatus(grandchild.token)]).toEqual([200, 401])
  })

  it('is revoked with that token by a session, which can create the first token', async () => {
    const { browser } = await makeSignedInUser(server)
    const parent = await makeTokenInBrowser(browser)
    const child = await createToken(parent.token)
    const { data } = JSON.parse((await browser.get('/v1/tokens')).text) as { data: NewToken[] }
    expect(data.map(({ id, created_with }) => [id, created_with])).toEqual([
      [child.id, parent.id],
      [parent.id, null],
    ])
    expect((await browser.api('DELETE', `/v1/tokens/${parent.id}`)).status).toBe(204)
    expect(await getStatus(child.token)).toBe(401)
  })

  it('is listed with the user and the token that created it', async () => {
    const { project, tokensPath, parent, child, grandchild, ci } = await makeFamily()
    const list = async (path: string) =>
      (await server.request<{ data: NewToken[] }>('GET', path, project.admin)).body.data.map(
        ({ id, created_by, created_with }) => ({ id, created_by, created_with }),
      )
    const created_by = project.admin.id
    expect(await list(tokensPath)).toEqual([{ id: ci.id, created_by, created_with: grandchild.id }])
    expect((await list('/v1/tokens')).slice(0, 2)).toEqual([
      { id: grandchild.id, created_by, created_with: child.id },
      { id: child.id, created_by, created_with: parent.id },
    ])
  })

  it('cannot have write access when that token is read-only, because it cannot create any', async () => {
    const project = await makeProject(server)
    const { token } = await createToken(project.admin.token, { access: 'read' })
    const body = { name: 'New', access: 'read' }
    for (const path of ['/v1/tokens', `/v1/projects/${project.id}/tokens`]) {
      expect(await server.expectProblem(403, 'POST', path, { token, body })).toMatchObject({ code: 'read_only_token' })
    }
  })

  it('does not survive when that token is revoked at the same moment', async () => {
    const { token } = await makeUser(server)
    for (let round = 0; round < 30; round += 1) {
      const parent = await createToken(token)
      const [created, revoked] = await Promise.all([
        server.request<{ data: NewToken }>('POST', '/v1/tokens', { token: parent.token, body: { name: 'Late' } }),
        server.request('DELETE', `/v1/tokens/${parent.id}`, { token }),
      ])
      expect(revoked.status).toBe(204)
      const isCreated = created.status === 201
      expect([created.status, isCreated ? await getStatus(created.body.data.token) : 401]).toEqual([
        isCreated ? 201 : 401,
        401,
      ])
    }
  })
})

describe('createPersonalToken', () => {
  const input = { name: 'Late', access: 'write', expiresAt: null, grants: [] } as const

  it('fails with 401 when the token of the creator was revoked after the guard had let the request through', async () => {
    const user = await makeUser(server)
    const { id: key } = await createToken(user.token)
    const creator = { kind: 'personal', key, userId: user.id, access: 'write', ...NO_RIGHTS } as const
    await server.request('DELETE', `/v1/tokens/${key}`, { token: user.token })
    await expect(createPersonalToken(server.db, SYSTEM_ACTOR, creator, input)).rejects.toMatchObject({
      statusCode: 401,
    })
  })

  it('fails with 401 when the session of the creator was ended after the guard had let the request through', async () => {
    const { id: userId, browser } = await makeSignedInUser(server)
    const [session] = await server.db.selectFrom('sessions').select('id').where('user_id', '=', userId).execute()
    const creator = { kind: 'session', key: session?.id ?? '', userId, access: 'write', ...NO_RIGHTS } as const
    expect((await createPersonalToken(server.db, SYSTEM_ACTOR, creator, input)).created_with).toBeNull()
    await browser.api('DELETE', '/v1/session')
    await expect(createPersonalToken(server.db, SYSTEM_ACTOR, creator, input)).rejects.toMatchObject({
      statusCode: 401,
    })
  })
})
