import { openBrowser } from '@caseward/test-support/browser'
import { useTestServer } from '@caseward/test-support/test-server'
import { makeUserWithPassword, PASSWORD } from '@caseward/test-support/users'
import { describe, expect, it } from 'vitest'

import { generateSecret } from './secret.ts'

const LIMIT = 5
const server = useTestServer({ rateLimitInvalidTokens: LIMIT, trustProxy: 1 })

let addressCount = 0

/** Opens browsers at an address that no other test uses. */
function openAddress() {
  addressCount += 1
  const headers = { 'x-forwarded-for': `198.51.100.${addressCount}` }
  const open = () => openBrowser(server, headers)
  async function sendInvalidCookie(path: string): Promise<number> {
    const browser = open()
    browser.cookies.set('caseward-session', generateSecret())
    return (await browser.get(path)).status
  }
  return {
    sendInvalidCookie,
    async useUpLimit(): Promise<void> {
      for (let count = 0; count < LIMIT; count += 1) await sendInvalidCookie('/v1/me')
    },
    async signIn() {
      const browser = open()
      const { email } = await makeUserWithPassword(server)
      await browser.api('POST', '/v1/session', { email, password: PASSWORD })
      return browser
    },
  }
}

describe('requests with the cookie of a session that is not valid', () => {
  it.each([
    ['the API', '/v1/me', 401],
    ['a page', '/account', 303],
  ])('return 429 above the limit of their address: %s', async (_what, path, status) => {
    const address = openAddress()
    const statuses: number[] = []
    while (statuses.length <= LIMIT) statuses.push(await address.sendInvalidCookie(path))
    expect(statuses).toEqual([...Array<number>(LIMIT).fill(status), 429])
    expect(await openAddress().sendInvalidCookie(path)).toBe(status)
  })

  it('do not affect a session that was valid lately, until it ends', async () => {
    const address = openAddress()
    const browser = await address.signIn()
    await browser.get('/v1/me')
    await address.useUpLimit()
    expect((await browser.get('/v1/me')).status).toBe(200)
    const cookies = new Map(browser.cookies)
    await browser.api('DELETE', '/v1/session')
    for (const [name, value] of cookies) browser.cookies.set(name, value)
    expect((await browser.get('/v1/me')).status).toBe(429)
  })

  it('do not affect a session that has just started at the same address', async () => {
    const address = openAddress()
    await address.useUpLimit()
    const browser = await address.signIn()
    expect((await browser.get('/v1/me')).status).toBe(200)
  })

  it('do not affect requests with tokens or without a cookie', async () => {
    const address = openAddress()
    await address.useUpLimit()
    const headers = { 'x-forwarded-for': `198.51.100.${addressCount}` }
    expect((await server.request('GET', '/v1/me', { token: 'nonsense', headers })).status).toBe(401)
    expect((await server.request('GET', '/v1/me', { headers })).status).toBe(401)
    expect((await openBrowser(server, headers).get('/sign-in')).status).toBe(200)
  })
})
