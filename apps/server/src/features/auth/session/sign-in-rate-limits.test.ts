import { describe, expect, it } from 'vitest'

import { openBrowser } from '@caseward/test-support/browser'
import { useTestServer } from '@caseward/test-support/test-server'
import { makeUserWithPassword, PASSWORD } from '@caseward/test-support/users'

const server = useTestServer({ rateLimitSignIn: 5, trustProxy: 1 })

let addresses = 0
const newAddress = () => `198.51.100.${(addresses += 1)}`
const openBrowserAt = (address: string) => openBrowser(server, { 'x-forwarded-for': address })
const signIn = (email: string, address: string, password = 'wrong password') =>
  server.request('POST', '/v1/session', { headers: { 'x-forwarded-for': address }, body: { email, password } })

describe('the rate limit of POST /v1/session', () => {
  it('counts wrong passwords from one IP address for any account, and leaves three an hour for each account', async () => {
    const address = newAddress()
    await useUp(address)
    const attempts = [1, 2, 3, 4].map(() => () => signIn('ada@address.test', address))
    const responses: Awaited<ReturnType<typeof signIn>>[] = []
    for (const send of attempts) responses.push(await send())
    expect(responses.map(({ status }) => status)).toEqual([401, 401, 401, 429])
    expect(JSON.stringify(responses[3]?.body)).toContain('Too many wrong passwords from your network.')
    expect((await signIn('grace@address.test', address)).status).toBe(401)
  })

  it('does not count right passwords', async () => {
    const address = newAddress()
    const users = await Promise.all(Array.from({ length: 8 }, () => makeUserWithPassword(server)))
    const statuses: number[] = []
    for (const { email } of users) statuses.push((await signIn(email, address, PASSWORD)).status)
    expect(new Set(statuses)).toEqual(new Set([201]))
  })
})

/** Sends as many wrong passwords from an address, for as many accounts, as its limit allows. */
async function useUp(address: string) {
  for (let guess = 0; guess < 5; guess += 1) {
    expect((await signIn(`guess${guess}@${address}.test`, address)).status).toBe(401)
  }
}

describe('an office whose members share an IP address, while somebody there guesses', () => {
  const SHARED = '203.0.113.7'
  /** 24 requests at the same time, a third of which are for one account. */
  const guess = (email: string) =>
    Promise.all(Array.from({ length: 24 }, (_, n) => signIn(n % 3 === 0 ? email : `${n}@office.test`, SHARED)))

  it('signs in with known browsers and with new ones of other accounts, on the page and in the API', async () => {
    const [victim, colleague] = [await makeUserWithPassword(server), await makeUserWithPassword(server)]
    const known = openBrowserAt(newAddress())
    await known.api('POST', '/v1/session', { email: victim.email, password: PASSWORD })
    const moved = openBrowserAt(SHARED)
    for (const [name, value] of known.cookies) moved.cookies.set(name, value)
    const guesses = guess(victim.email)
    const during = await moved.api('POST', '/v1/session', { email: victim.email, password: PASSWORD })
    await guesses
    const after = [
      during.status,
      (await moved.api('POST', '/v1/session', { email: victim.email, password: PASSWORD })).status,
      (await moved.post('/sign-in', { email: victim.email, password: PASSWORD })).status,
      (await openBrowserAt(SHARED).api('POST', '/v1/session', { email: colleague.email, password: PASSWORD })).status,
      (await openBrowserAt(SHARED).post('/sign-in', { email: colleague.email, password: PASSWORD })).status,
      (await openBrowserAt(SHARED).post('/reset', { email: victim.email })).status,
    ]
    expect(after).toEqual([201, 201, 303, 201, 303, 200])
  })

  it('allows few of the guesses at one account, also when they are parallel', async () => {
    const statuses = (await guess('someone@office.test')).filter((_, n) => n % 3 === 0).map(({ status }) => status)
    expect(statuses.filter((status) => status === 401).length).toBeLessThanOrEqual(5)
    expect(statuses).not.toContain(201)
  })

  it('counts the guesses of a member at the accounts of others for the address, in a browser that is known for the member', async () => {
    const member = await makeUserWithPassword(server)
    const address = newAddress()
    const browser = openBrowserAt(address)
    await browser.api('POST', '/v1/session', { email: member.email, password: PASSWORD })
    await useUp(address)
    const send = () => browser.api('POST', '/v1/session', { email: 'boss@office.test', password: 'wrong password' })
    const statuses = [await send(), await send(), await send(), await send()].map(({ status }) => status)
    expect(statuses).toEqual([401, 401, 401, 429])
  })
})

describe('the rate limit of POST /sign-in', () => {
  it('counts wrong passwords together with POST /v1/session, and shows when to try again', async () => {
    const { email } = await makeUserWithPassword(server)
    const address = newAddress()
    for (let attempt = 0; attempt < 5; attempt += 1) await signIn(email, address)
    const browser = openBrowserAt(address)
    const page = await browser.post('/sign-in', { email, password: PASSWORD })
    expect([page.status, browser.cookies.size]).toEqual([429, 0])
    expect(page.headers.get('retry-after')).toMatch(/^[1-9]\d?$/)
    expect(page.text).toMatch(/role="alert">Too many wrong passwords\. Try again in \d+ seconds?\./)
  })
})

describe('the rate limit of /reset and /v1/password-resets', () => {
  it('counts requests from one IP address, separately from sign-in, and no links', async () => {
    const { email } = await makeUserWithPassword(server)
    const address = newAddress()
    for (let attempt = 0; attempt < 6; attempt += 1) await signIn(email, address)
    const statuses: number[] = []
    for (let request = 0; request < 4; request += 1) {
      statuses.push((await openBrowserAt(address).post('/reset', { email })).status)
      statuses.push((await openBrowserAt(address).api('POST', '/v1/password-resets', { email })).status)
    }
    // Five, and three that are left for each account.
    expect(statuses).toEqual(Array.from({ length: 8 }, () => 200))
    expect((await openBrowserAt(address).post('/reset', { email })).status).toBe(429)
    expect((await openBrowserAt(address).get('/reset/unknown')).status).toBe(410)
    expect((await openBrowserAt(address).api('GET', '/v1/password-resets/unknown')).status).toBe(410)
  })

  it('does not count requests of others for the same account', async () => {
    const { email } = await makeUserWithPassword(server)
    const statuses: number[] = []
    for (let request = 0; request < 10; request += 1) {
      statuses.push((await openBrowserAt(newAddress()).post('/reset', { email })).status)
    }
    expect(new Set(statuses)).toEqual(new Set([200]))
  })
})

describe.each([0, 1, 2])('the rate limit of sign-in behind %i proxies', (trustProxy) => {
  const strictServer = useTestServer({ rateLimitSignIn: 1, trustProxy })
  const cases = [
    {
      behind: 0,
      rule: 'uses the IP address of the connection and ignores X-Forwarded-For',
      first: '198.51.100.1',
      second: '198.51.100.2',
      isSameClient: true,
    },
    {
      behind: 1,
      rule: 'uses the address that the proxy added',
      first: '198.51.100.1',
      second: '198.51.100.2',
      isSameClient: false,
    },
    {
      behind: 1,
      rule: 'ignores addresses that the client wrote before the one of the proxy',
      first: '192.0.2.1, 198.51.100.3',
      second: '192.0.2.2, 198.51.100.3',
      isSameClient: true,
    },
    {
      behind: 2,
      rule: 'uses the address that the first proxy added',
      first: '198.51.100.1, 10.0.0.1',
      second: '198.51.100.2, 10.0.0.1',
      isSameClient: false,
    },
    {
      behind: 2,
      rule: 'ignores the address that the second proxy added, and those before the first',
      first: '192.0.2.1, 198.51.100.3, 10.0.0.1',
      second: '198.51.100.3, 10.0.0.2',
      isSameClient: true,
    },
    {
      behind: 2,
      rule: 'uses the first address when there are fewer than proxies',
      first: '198.51.100.4',
      second: '198.51.100.4',
      isSameClient: true,
    },
  ].filter(({ behind }) => behind === trustProxy)

  it.each(cases)('$rule ($first and $second)', async ({ rule, first, second, isSameClient }) => {
    const statuses: number[] = []
    for (const address of [first, second]) {
      const body = { email: `${rule.length}@address.test`, password: 'wrong password' }
      const options = { headers: { 'x-forwarded-for': address }, body }
      statuses.push((await strictServer.request('POST', '/v1/session', options)).status)
    }
    expect(statuses).toEqual([401, isSameClient ? 429 : 401])
  })
})
