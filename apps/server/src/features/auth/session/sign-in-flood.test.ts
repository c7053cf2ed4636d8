import { openBrowser } from '@caseward/test-support/browser'
import { useTestServer } from '@caseward/test-support/test-server'
import { makeUserWithPassword, PASSWORD } from '@caseward/test-support/users'
import { describe, expect, it } from 'vitest'

const server = useTestServer({ rateLimitSignIn: 5, trustProxy: 1 })

describe('160 sign-ins at the same time from as many addresses', () => {
  it('return 503 with Retry-After when the queue of passwords is full, while a known browser signs in', async () => {
    const { email } = await makeUserWithPassword(server)
    const known = openBrowser(server, { 'x-forwarded-for': '198.51.100.1' })
    await known.api('POST', '/v1/session', { email, password: PASSWORD })
    const flood = Array.from({ length: 160 }, (_, n) =>
      server.request('POST', '/v1/session', {
        headers: { 'x-forwarded-for': `192.0.2.${n}` },
        body: { email: `${n}@flood.test`, password: 'wrong password' },
      }),
    )
    const owner = await known.api('POST', '/v1/session', { email, password: PASSWORD })
    const responses = await Promise.all(flood)
    const busy = responses.find(({ status }) => status === 503)
    expect(owner.status).toBe(201)
    expect(busy?.body).toMatchObject({ code: 'sign_in_busy' })
    expect(busy?.headers.get('retry-after')).toMatch(/^[1-9]$/)
    expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([401, 503]))
  })
})
