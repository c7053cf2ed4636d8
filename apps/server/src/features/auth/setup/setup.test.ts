import type { Me } from '@caseward/contract/session'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { openBrowser } from '@caseward/test-support/browser'
import { startTestServer, type TestServer } from '@caseward/test-support/test-server'
import { createSetupLink } from './setup-link.ts'

let server: TestServer
beforeEach(async () => {
  server = await startTestServer()
})
afterEach(() => server.close())

const ada = { name: 'Ada', email: 'ada@example.test', password: 'correct horse battery' }
const issue = async () => `/v1/setup/${await createSetupLink(server.db)}`
const userCount = async () => (await server.db.selectFrom('users').select('id').execute()).length

describe('/v1/setup/:secret', () => {
  it('tells until when the link works: seven days', async () => {
    const { status, body } = await server.request<{ data: { expires_at: string } }>('GET', await issue())
    const msLeft = new Date(body.data.expires_at).getTime() - Date.now()
    expect(status).toBe(200)
    expect(Math.abs(msLeft - 7 * 86_400_000)).toBeLessThan(10_000)
  })

  it('makes the first account and signs in', async () => {
    const browser = openBrowser(server)
    const answer = await browser.api('POST', await issue(), ada)
    const { data } = JSON.parse(answer.text) as { data: Me }
    expect([answer.status, data.email, data.has_password]).toEqual([201, ada.email, true])
    expect((await browser.get('/v1/me')).status).toBe(200)
  })

  it('works once, and is the same link as that of the page', async () => {
    const path = await issue()
    const page = path.replace('/v1/setup/', '/setup/')
    expect((await openBrowser(server).get(page)).status).toBe(200)
    await server.request('POST', path, { body: ada })
    expect((await openBrowser(server).get(page)).status).toBe(410)
    expect((await server.expectProblem(410, 'GET', path)).code).toBe('set_up_done')
    await server.expectProblem(410, 'POST', path, { body: { ...ada, email: 'eve@example.test' } })
    expect(await userCount()).toBe(1)
  })

  it('is the one in the address, whatever a field of the body is called', async () => {
    expect((await server.request('POST', await issue(), { body: { ...ada, secret: 5 } })).status).toBe(201)
  })

  it('is nothing when it is made up, and says how to come by one', async () => {
    const problem = await server.expectProblem(410, 'GET', '/v1/setup/nonsense')
    expect([problem.code, problem.detail?.includes('Restart the server')]).toEqual(['set_up_link_ended', true])
    await server.expectProblem(410, 'POST', '/v1/setup/nonsense', { body: ada })
    expect(await userCount()).toBe(0)
  })

  it('names every field that is wrong, and stays good', async () => {
    const path = await issue()
    const problem = await server.expectProblem(400, 'POST', path, {
      body: { name: ' ', email: 'ada', password: 'short' },
    })
    expect(problem.errors?.map((error) => error.path)).toEqual(['/name', '/email', '/password'])
    expect((await server.request('POST', path, { body: ada })).status).toBe(201)
  })

  it('is not for another site to use', async () => {
    const path = await issue()
    const evil = openBrowser(server, { origin: 'https://evil.test' })
    expect([(await evil.api('POST', path, ada)).status, await userCount()]).toEqual([403, 0])
  })

  it('is guessed no faster than sign-in', async () => {
    const strict = await startTestServer({ rateLimitSignIn: 3 })
    for (const guess of ['a', 'b', 'c']) await strict.expectProblem(410, 'GET', `/v1/setup/${guess}`)
    await strict.expectProblem(429, 'GET', '/v1/setup/d')
    await strict.expectProblem(429, 'POST', '/v1/setup/d', { body: ada })
    await strict.close()
  })
})
