import type { Me } from '@caseward/contract/session'
import { describe, expect, it } from 'vitest'

import { openBrowser } from '@caseward/test-support/browser'
import { makeCiToken, makeProject } from '@caseward/test-support/factories'
import { useSharedServer, useTestServer } from '@caseward/test-support/test-server'
import { makeSignedInUser, makeUser, makeUserWithPassword, PASSWORD } from '@caseward/test-support/users'
import { createResetLink, saveReset } from './password-reset.queries.ts'

const server = useSharedServer()

const newPassword = 'another long password'

const requestReset = (email: string) =>
  server.request<{ message: string }>('POST', '/v1/password-resets', { body: { email } })

/** Stores that a reset was requested, as a request does after the time that it takes, and returns the path of its link. */
async function createResetPath({ id }: { id: string }): Promise<string> {
  await saveReset(server.db, id)
  return await createAnotherResetPath({ id })
}

/** The path of the link in an email that is sent again for the same request. */
const createAnotherResetPath = async ({ id }: { id: string }) =>
  `/v1/password-resets/${(await createResetLink(server.db, id))?.secret}`

const signIn = async (email: string, password: string) =>
  (await server.request('POST', '/v1/session', { body: { email, password } })).status

describe('POST /v1/password-resets', () => {
  it('records a request for the user with that address, in upper or lower case', async () => {
    const { id, email } = await makeUserWithPassword(server)
    expect((await requestReset(email.toUpperCase())).status).toBe(200)
    const resets = server.db.selectFrom('password_resets').select('user_id').where('user_id', '=', id)
    expect(await resets.execute()).toHaveLength(1)
  })

  it('returns the same response when no user has that address, and not before a time that hides the difference', async () => {
    const { email } = await makeUserWithPassword(server)
    const measureRequest = async (address: string) => {
      const start = performance.now()
      const { status, body } = await requestReset(address)
      return { response: { status, body }, ms: performance.now() - start }
    }
    const [known, unknown] = [await measureRequest(email), await measureRequest('unknown@example.test')]
    expect(known.response).toEqual(unknown.response)
    for (const { ms } of [known, unknown]) expect(ms).toBeGreaterThanOrEqual(245)
  })

  it('returns 400 when the address is invalid', async () => {
    const problem = await server.expectProblem(400, 'POST', '/v1/password-resets', { body: { email: 'ada' } })
    expect(problem.errors).toEqual([{ path: '/email', message: 'must be an email address' }])
  })

  it('returns 403 when the request comes from another site', async () => {
    const { email } = await makeUserWithPassword(server)
    const otherSite = openBrowser(server, { origin: 'https://evil.test' })
    expect((await otherSite.api('POST', '/v1/password-resets', { email })).status).toBe(403)
  })
})

describe('the rate limit of POST /v1/password-resets', () => {
  const strictServer = useTestServer({ rateLimitSignIn: 3, trustProxy: 1 })
  const requestFrom = async (address: string, email: string) => {
    const headers = { 'x-forwarded-for': address }
    return (await strictServer.request('POST', '/v1/password-resets', { headers, body: { email } })).status
  }

  it('does not count requests of others for one account', async () => {
    const statuses = [1, 2, 3, 4].map((n) => requestFrom(`198.51.100.${n}`, 'ada@example.test'))
    expect(await Promise.all(statuses)).toEqual([200, 200, 200, 200])
  })

  it('counts requests from one IP address for any account, and leaves three an hour for each account', async () => {
    const statuses = [1, 2, 3].map((n) => requestFrom('198.51.100.9', `${n}@example.test`))
    expect(await Promise.all(statuses)).toEqual([200, 200, 200])
    for (const status of [200, 200, 200, 429]) expect(await requestFrom('198.51.100.9', '4@example.test')).toBe(status)
    expect(await requestFrom('198.51.100.9', '5@example.test')).toBe(200)
  })
})

describe('GET /v1/password-resets/:secret', () => {
  it('returns the user’s email address and when the link expires', async () => {
    const user = await makeUserWithPassword(server)
    const { status, body } = await server.request('GET', await createResetPath(user))
    expect([status, body]).toEqual([200, { data: { email: user.email, expires_at: expect.any(String) } }])
  })

  it('returns 410 when the secret is unknown', async () => {
    await server.expectProblem(410, 'GET', '/v1/password-resets/nonsense')
  })
})

describe('POST /v1/password-resets/:secret', () => {
  const body = { password: newPassword }

  it('sets the password, ends all sessions and signs in', async () => {
    const { browser: otherBrowser, ...user } = await makeSignedInUser(server)
    const browser = openBrowser(server)
    const response = await browser.api('POST', await createResetPath(user), body)
    expect([response.status, (JSON.parse(response.text) as { data: Me }).data.email]).toEqual([200, user.email])
    expect([(await browser.get('/v1/me')).status, (await otherBrowser.get('/v1/me')).status]).toEqual([200, 401])
    expect([await signIn(user.email, PASSWORD), await signIn(user.email, newPassword)]).toEqual([401, 201])
  })

  it.each([{}, { revoke_tokens: false }])('keeps tokens valid with %j', async (fields) => {
    const user = await makeUser(server)
    await server.request('POST', await createResetPath(user), { body: { ...body, ...fields } })
    expect((await server.request('GET', '/v1/me', { token: user.token })).status).toBe(200)
  })

  it('revokes all personal tokens, and tokens created with them, with revoke_tokens', async () => {
    const user = await makeUser(server)
    const other = await makeUser(server)
    const ciToken = await makeCiToken(server, await makeProject(server, { token: user.token }))
    const path = await createResetPath(user)
    expect((await server.request('POST', path, { body: { ...body, revoke_tokens: true } })).status).toBe(200)
    const statuses = [user.token, ciToken, other.token].map(
      async (token) => (await server.request('GET', '/v1/projects', { token })).status,
    )
    expect(await Promise.all(statuses)).toEqual([401, 401, 200])
  })

  it('returns 400 when revoke_tokens is not a boolean', async () => {
    const path = await createResetPath(await makeUserWithPassword(server))
    const problem = await server.expectProblem(400, 'POST', path, { body: { ...body, revoke_tokens: 'yes' } })
    expect(problem.errors).toEqual([{ path: '/revoke_tokens', message: expect.any(String) }])
  })

  it('invalidates the link, also on its page', async () => {
    const path = await createResetPath(await makeUserWithPassword(server))
    const pagePath = path.replace('/v1/password-resets/', '/reset/')
    expect((await openBrowser(server).get(pagePath)).status).toBe(200)
    await server.request('POST', path, { body })
    expect((await openBrowser(server).get(pagePath)).status).toBe(410)
    expect((await server.expectProblem(410, 'GET', path)).code).toBe('reset_link_ended')
    await server.expectProblem(410, 'POST', path, { body: { password: 'a third long password' } })
  })

  it('accepts the links of both emails when an email was sent twice', async () => {
    const user = await makeUserWithPassword(server)
    const paths = [await createResetPath(user), await createAnotherResetPath(user)]
    for (const path of paths) expect((await server.request('GET', path)).status).toBe(200)
    expect((await server.request('POST', paths[0] ?? '', { body })).status).toBe(200)
  })

  it('sets one password when two links are used at the same moment', async () => {
    for (let round = 0; round < 3; round += 1) {
      const user = await makeUserWithPassword(server)
      const paths = [await createResetPath(user), await createAnotherResetPath(user)]
      const responses = await Promise.all(
        paths.map((path, index) => server.request('POST', path, { body: { password: `${newPassword} ${index}` } })),
      )
      expect(responses.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 410])
      const winner = responses.findIndex(({ status }) => status === 200)
      expect(await signIn(user.email, `${newPassword} ${winner}`)).toBe(201)
    }
  })

  it('keeps the link valid when the new password is too short', async () => {
    const path = await createResetPath(await makeUserWithPassword(server))
    await server.expectProblem(400, 'POST', path, { body: { password: 'short' } })
    expect((await server.request('POST', path, { body })).status).toBe(200)
  })

  it('ignores a field “secret” in the body', async () => {
    const path = await createResetPath(await makeUserWithPassword(server))
    expect((await server.request('POST', path, { body: { ...body, secret: 5 } })).status).toBe(200)
  })

  it('returns 410 when the secret is unknown', async () => {
    await server.expectProblem(410, 'POST', '/v1/password-resets/nonsense', { body })
  })

  it('returns 403 and keeps the password when the request comes from another site', async () => {
    const user = await makeUserWithPassword(server)
    const path = await createResetPath(user)
    const otherSite = openBrowser(server, { origin: 'https://evil.test' })
    expect((await otherSite.api('POST', path, body)).status).toBe(403)
    expect([otherSite.cookies.size, await signIn(user.email, PASSWORD)]).toEqual([0, 201])
  })
})

describe('createResetLink', () => {
  it('returns null when the password was changed after the reset was requested', async () => {
    const { id, email, browser } = await makeSignedInUser(server)
    await requestReset(email)
    await browser.api('PATCH', '/v1/me', { password: newPassword, current_password: PASSWORD })
    expect(await createResetLink(server.db, id)).toBeNull()
  })
})
