import { describe, expect, it } from 'vitest'

import { openBrowser } from '@caseward/test-support/browser'
import { useTestServer } from '@caseward/test-support/test-server'
import { makeUserWithPassword, PASSWORD } from '@caseward/test-support/users'

const server = useTestServer({ rateLimitSignIn: 3, trustProxy: 1 })

let addresses = 0
const newAddress = () => `198.51.100.${(addresses += 1)}`
const openBrowserAt = (address: string) => openBrowser(server, { 'x-forwarded-for': address })
const signIn = (email: string, address: string, password = 'wrong password') =>
  server.request('POST', '/v1/session', { headers: { 'x-forwarded-for': address }, body: { email, password } })

describe('the rate limit of POST /v1/session', () => {
  it('counts attempts from one IP address on any account', async () => {
    const address = newAddress()
    const statuses: number[] = []
    for (let attempt = 0; attempt < 4; attempt += 1) {
      statuses.push((await signIn(`user${attempt}@address.test`, address)).status)
    }
    expect(statuses).toEqual([401, 401, 401, 429])
  })
})

describe('the rate limit of POST /sign-in', () => {
  it('counts requests together with POST /v1/session, and shows when to try again', async () => {
    const { email } = await makeUserWithPassword(server)
    const address = newAddress()
    for (let attempt = 0; attempt < 3; attempt += 1) await signIn(email, address)
    const browser = openBrowserAt(address)
    const page = await browser.post('/sign-in', { email, password: PASSWORD })
    expect([page.status, browser.cookies.size]).toEqual([429, 0])
    expect(page.headers.get('retry-after')).toMatch(/^[1-9]\d?$/)
    expect(page.text).toMatch(/role="alert">Too many requests\. Try again in \d+ seconds?\./)
  })
})

describe('the rate limit of /reset and /v1/password-resets', () => {
  it('counts requests from one IP address, separately from sign-in', async () => {
    const { email } = await makeUserWithPassword(server)
    const address = newAddress()
    for (let attempt = 0; attempt < 4; attempt += 1) await signIn(email, address)
    const statuses = [
      (await openBrowserAt(address).post('/reset', { email })).status,
      (await openBrowserAt(address).get('/reset/unknown')).status,
      (await openBrowserAt(address).api('POST', '/v1/password-resets', { email })).status,
      (await openBrowserAt(address).api('GET', '/v1/password-resets/unknown')).status,
    ]
    expect(statuses).toEqual([200, 410, 200, 429])
  })

  it('does not count requests of others for the same account', async () => {
    const { email } = await makeUserWithPassword(server)
    const statuses: number[] = []
    for (let request = 0; request < 5; request += 1) {
      statuses.push((await openBrowserAt(newAddress()).post('/reset', { email })).status)
    }
    expect(statuses).toEqual([200, 200, 200, 200, 200])
  })
})

describe.each([
  {
    trustProxy: 0,
    rule: 'uses the IP address of the connection and ignores X-Forwarded-For',
    first: '198.51.100.1',
    second: '198.51.100.2',
    isSameClient: true,
  },
  {
    trustProxy: 1,
    rule: 'uses the address that the proxy added',
    first: '198.51.100.1',
    second: '198.51.100.2',
    isSameClient: false,
  },
  {
    trustProxy: 1,
    rule: 'ignores addresses that the client wrote before the one of the proxy',
    first: '192.0.2.1, 198.51.100.1',
    second: '192.0.2.2, 198.51.100.1',
    isSameClient: true,
  },
  {
    trustProxy: 2,
    rule: 'uses the address that the first proxy added',
    first: '198.51.100.1, 10.0.0.1',
    second: '198.51.100.2, 10.0.0.1',
    isSameClient: false,
  },
  {
    trustProxy: 2,
    rule: 'ignores the address that the second proxy added, and those before the first',
    first: '192.0.2.1, 198.51.100.1, 10.0.0.1',
    second: '198.51.100.1, 10.0.0.2',
    isSameClient: true,
  },
  {
    trustProxy: 2,
    rule: 'uses the first address when there are fewer than proxies',
    first: '198.51.100.1',
    second: '198.51.100.1',
    isSameClient: true,
  },
])('the rate limit of sign-in behind $trustProxy proxies', ({ trustProxy, rule, first, second, isSameClient }) => {
  const strictServer = useTestServer({ rateLimitSignIn: 1, trustProxy })

  it(`${rule} (${first} and ${second} are ${isSameClient ? 'the same client' : 'two clients'})`, async () => {
    const statuses: number[] = []
    for (const [index, address] of [first, second].entries()) {
      const body = { email: `user${index}@address.test`, password: 'wrong password' }
      const options = { headers: { 'x-forwarded-for': address }, body }
      statuses.push((await strictServer.request('POST', '/v1/session', options)).status)
    }
    expect(statuses).toEqual([401, isSameClient ? 429 : 401])
  })
})
