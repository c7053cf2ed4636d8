import type { Me } from '@caseward/contract/session'
import { beforeEach, describe, expect, it } from 'vitest'

import { openBrowser } from '@caseward/test-support/browser'
import { useTestServer } from '@caseward/test-support/test-server'
import { removeUsers } from '@caseward/test-support/users'
import { createSetupLink } from './create-setup-link.ts'

const server = useTestServer()
beforeEach(() => removeUsers(server))

const DAY_MS = 24 * 60 * 60 * 1000
const ada = { name: 'Ada', email: 'ada@example.test', password: 'correct horse battery' }
const createSetupPath = async () => `/v1/setup/${await createSetupLink(server.db)}`
const countUsers = async () => (await server.db.selectFrom('users').select('id').execute()).length

describe('GET /v1/setup/:secret', () => {
  it('returns when the link expires: seven days after it was created', async () => {
    const { status, body } = await server.request<{ data: { expires_at: string } }>('GET', await createSetupPath())
    const remainingMs = new Date(body.data.expires_at).getTime() - Date.now()
    expect(status).toBe(200)
    expect(Math.abs(remainingMs - 7 * DAY_MS)).toBeLessThan(10_000)
  })

  it('returns 410 with a hint to restart the server when the secret is unknown', async () => {
    const problem = await server.expectProblem(410, 'GET', '/v1/setup/nonsense')
    expect([problem.code, problem.detail?.includes('Restart the server')]).toEqual(['setup_link_ended', true])
  })
})

describe('POST /v1/setup/:secret', () => {
  it('creates the first account and signs in', async () => {
    const browser = openBrowser(server)
    const response = await browser.api('POST', await createSetupPath(), ada)
    const { data } = JSON.parse(response.text) as { data: Me }
    expect([response.status, data.email, data.has_password]).toEqual([201, ada.email, true])
    expect((await browser.get('/v1/me')).status).toBe(200)
  })

  it('invalidates the link, also on its page', async () => {
    const path = await createSetupPath()
    const pagePath = path.replace('/v1/setup/', '/setup/')
    expect((await openBrowser(server).get(pagePath)).status).toBe(200)
    await server.request('POST', path, { body: ada })
    expect((await openBrowser(server).get(pagePath)).status).toBe(410)
    expect((await server.expectProblem(410, 'GET', path)).code).toBe('setup_done')
    await server.expectProblem(410, 'POST', path, { body: { ...ada, email: 'eve@example.test' } })
    expect(await countUsers()).toBe(1)
  })

  it('ignores a field “secret” in the body', async () => {
    const response = await server.request('POST', await createSetupPath(), { body: { ...ada, secret: 5 } })
    expect(response.status).toBe(201)
  })

  it('returns 410 and creates no user when the secret is unknown', async () => {
    await server.expectProblem(410, 'POST', '/v1/setup/nonsense', { body: ada })
    expect(await countUsers()).toBe(0)
  })

  it('returns 400 with every invalid field, and keeps the link valid', async () => {
    const path = await createSetupPath()
    const problem = await server.expectProblem(400, 'POST', path, {
      body: { name: ' ', email: 'ada', password: 'short' },
    })
    expect(problem.errors?.map((error) => error.path)).toEqual(['/name', '/email', '/password'])
    expect((await server.request('POST', path, { body: ada })).status).toBe(201)
  })

  it('returns 403 when the request comes from another site', async () => {
    const path = await createSetupPath()
    const otherSite = openBrowser(server, { origin: 'https://evil.test' })
    expect([(await otherSite.api('POST', path, ada)).status, await countUsers()]).toEqual([403, 0])
  })
})

describe('the rate limit of /v1/setup/:secret', () => {
  const strictServer = useTestServer({ rateLimitOther: 3 })

  it('is that of sign-in', async () => {
    for (const guess of ['a', 'b', 'c']) await strictServer.expectProblem(410, 'GET', `/v1/setup/${guess}`)
    await strictServer.expectProblem(429, 'GET', '/v1/setup/d')
    await strictServer.expectProblem(429, 'POST', '/v1/setup/d', { body: ada })
  })
})
