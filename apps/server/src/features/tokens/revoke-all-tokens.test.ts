import type { NewToken, Token } from '@caseward/contract/tokens'
import { describe, expect, it } from 'vitest'

import { openBrowser } from '@caseward/test-support/browser'
import { makeCiToken, makeProject } from '@caseward/test-support/factories'
import { useSharedServer } from '@caseward/test-support/test-server'
import { makeSignedInUser, makeTokenInBrowser, makeUser } from '@caseward/test-support/users'

const server = useSharedServer()

const getStatus = async (token: string) => (await server.request('GET', '/v1/projects', { token })).status
const getStatuses = (tokens: readonly string[]) => Promise.all(tokens.map(getStatus))

async function createToken(path: string, token: string): Promise<string> {
  const { status, body } = await server.request<{ data: NewToken }>('POST', path, { token, body: { name: 'New' } })
  expect(status).toBe(201)
  return body.data.token
}

describe('DELETE /v1/tokens', () => {
  it('revokes all personal tokens of the user and the tokens that were created with them, and no others', async () => {
    const [user, otherUser] = [await makeSignedInUser(server), await makeSignedInUser(server)]
    const first = await makeTokenInBrowser(user.browser)
    const project = await makeProject(server, { token: first.token })
    const revoked = [
      first.token,
      (await makeTokenInBrowser(user.browser)).token,
      await createToken('/v1/tokens', first.token),
      await createToken(`/v1/projects/${project.id}/tokens`, first.token),
    ]
    const kept = [
      (await makeTokenInBrowser(otherUser.browser)).token,
      await makeCiToken(server, await makeProject(server)),
    ]
    expect(await getStatuses([...revoked, ...kept])).toEqual([200, 200, 200, 200, 200, 200])
    expect((await user.browser.api('DELETE', '/v1/tokens')).status).toBe(204)
    expect(await getStatuses([...revoked, ...kept])).toEqual([401, 401, 401, 401, 200, 200])
    const { status, text } = await user.browser.get('/v1/tokens')
    expect([status, JSON.parse(text) as { data: Token[] }]).toEqual([200, { data: [] }])
  })

  it('revokes the token that sends the request, whose name stays in the audit log', async () => {
    const { id, token } = await makeUser(server)
    expect((await server.request('DELETE', '/v1/tokens', { token })).status).toBe(204)
    expect(await getStatus(token)).toBe(401)
    const entries = server.db.selectFrom('audit_log').select(['action', 'token_name']).where('subject_id', '=', id)
    expect(await entries.execute()).toEqual([{ action: 'user.revoke_tokens', token_name: 'test' }])
  })

  it('returns 204 when the user has no tokens', async () => {
    const { browser } = await makeSignedInUser(server)
    expect((await browser.api('DELETE', '/v1/tokens')).status).toBe(204)
  })

  it('returns 401 without a token and a session', async () => {
    expect((await openBrowser(server).api('DELETE', '/v1/tokens')).status).toBe(401)
  })
})
