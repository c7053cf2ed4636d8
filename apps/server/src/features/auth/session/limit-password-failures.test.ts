import { describe, expect, it } from 'vitest'

import { type Browser, openBrowser } from '@caseward/test-support/browser'
import { useTestServer } from '@caseward/test-support/test-server'
import { makeUserWithPassword, PASSWORD } from '@caseward/test-support/users'
import { hashSecret } from '../../../access/secret.ts'
import { createResetLink } from '../password-reset/password-reset.queries.ts'

/** One request a minute from each IP address, and ten wrong passwords an hour for each account. */
const server = useTestServer({ rateLimitSignIn: 1, trustProxy: 1 })
const ACCOUNT_LIMIT = 10

let addresses = 0
/** Moves a browser, or a new one, to an IP address from which nothing was sent. */
function moveToNewAddress(browser?: Browser): Browser {
  addresses += 1
  const address = `198.51.${addresses >> 8}.${addresses & 0xff}`
  const moved = openBrowser(server, { 'x-forwarded-for': address })
  for (const [name, value] of browser?.cookies ?? []) moved.cookies.set(name, value)
  return moved
}

const signIn = (email: string, password: string, browser = moveToNewAddress()) =>
  browser.api('POST', '/v1/session', { email, password })
const getSignInStatus = async (email: string, password: string, browser?: Browser) =>
  (await signIn(email, password, browser)).status

/** Signs in, and returns the browser, in which the user is known from now on. */
async function makeKnownBrowser(email: string): Promise<Browser> {
  const browser = moveToNewAddress()
  expect(await getSignInStatus(email, PASSWORD, browser)).toBe(201)
  return browser
}

/** Sends wrong passwords from different addresses at the same time, and counts the statuses. */
async function countGuesses(email: string, count: number, browser?: Browser): Promise<Record<number, number>> {
  const guesses = Array.from({ length: count }, () =>
    getSignInStatus(email, 'wrong password', moveToNewAddress(browser)),
  )
  const counts: Record<number, number> = {}
  for (const status of await Promise.all(guesses)) counts[status] = (counts[status] ?? 0) + 1
  return counts
}

describe('the limit of wrong passwords for an account', () => {
  it('lets through as many parallel guesses as it allows, from any IP addresses', async () => {
    const { email } = await makeUserWithPassword(server)
    expect(await countGuesses(email, 3 * ACCOUNT_LIMIT)).toEqual({ 401: ACCOUNT_LIMIT, 429: 2 * ACCOUNT_LIMIT })
  })

  it('counts an account that does not exist, in upper and lower case', async () => {
    await countGuesses('unknown@account.test', 5)
    await countGuesses('UNKNOWN@account.test', 5)
    expect(await getSignInStatus('unknown@account.test', PASSWORD)).toBe(429)
  })

  it('does not count right passwords', async () => {
    const { email } = await makeUserWithPassword(server)
    for (let count = 0; count < ACCOUNT_LIMIT + 2; count += 1) expect(await getSignInStatus(email, PASSWORD)).toBe(201)
    expect(await countGuesses(email, 2)).toEqual({ 401: 2 })
  })

  it('refuses the right password in a new browser for up to an hour, and says what else to do', async () => {
    const { email } = await makeUserWithPassword(server)
    await countGuesses(email, ACCOUNT_LIMIT)
    const response = await signIn(email, PASSWORD)
    expect([response.status, response.headers.get('ratelimit-limit')]).toEqual([429, String(ACCOUNT_LIMIT)])
    expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(3500)
    expect(response.text).toMatch(/Try again in 60 minutes, use a browser in which you have signed in before, or reset/)
  })

  it('does not lock out a browser in which the user has signed in before', async () => {
    const { email } = await makeUserWithPassword(server)
    const browser = await makeKnownBrowser(email)
    await countGuesses(email, 2 * ACCOUNT_LIMIT)
    expect(await getSignInStatus(email, PASSWORD, moveToNewAddress(browser))).toBe(201)
  })

  it('locks out a browser in which only another user has signed in', async () => {
    const [victim, attacker] = [await makeUserWithPassword(server), await makeUserWithPassword(server)]
    const browser = await makeKnownBrowser(attacker.email)
    await countGuesses(victim.email, ACCOUNT_LIMIT)
    expect(await getSignInStatus(victim.email, PASSWORD, moveToNewAddress(browser))).toBe(429)
  })

  it('limits the guesses in a known browser, such as a stolen one, without locking out the others', async () => {
    const { email } = await makeUserWithPassword(server)
    const [stolen, own] = [await makeKnownBrowser(email), await makeKnownBrowser(email)]
    expect(await countGuesses(email, 2 * ACCOUNT_LIMIT, stolen)).toEqual({ 401: ACCOUNT_LIMIT, 429: ACCOUNT_LIMIT })
    expect(await getSignInStatus(email, PASSWORD, moveToNewAddress(own))).toBe(201)
    expect(await getSignInStatus(email, PASSWORD)).toBe(201)
  })

  it('does not lock out the owner from a password reset', async () => {
    const { id, email } = await makeUserWithPassword(server)
    await countGuesses(email, ACCOUNT_LIMIT)
    expect((await moveToNewAddress().post('/reset', { email })).status).toBe(200)
    const path = `/reset/${(await createResetLink(server.db, id))?.secret}`
    const browser = moveToNewAddress()
    expect((await browser.post(path, { password: 'another long password' })).status).toBe(303)
    expect(await getSignInStatus(email, 'another long password', moveToNewAddress(browser))).toBe(201)
  })
})

describe('a known browser', () => {
  it('gets a cookie that is HttpOnly and lasts for 400 days', async () => {
    const { email } = await makeUserWithPassword(server)
    expect((await makeKnownBrowser(email)).setCookies).toContainEqual(
      expect.stringMatching(/^caseward-browser=[\w-]{43}; Max-Age=34560000; Path=\/; HttpOnly; SameSite=Lax$/),
    )
  })

  it('gets a new secret at each sign-in, so that an attacker who planted the old one stays unknown', async () => {
    const { email } = await makeUserWithPassword(server)
    const attacker = await makeKnownBrowser((await makeUserWithPassword(server)).email)
    const victim = moveToNewAddress(attacker)
    await signIn(email, PASSWORD, victim)
    expect(victim.cookies.get('caseward-browser')).not.toBe(attacker.cookies.get('caseward-browser'))
    await countGuesses(email, ACCOUNT_LIMIT)
    expect(await getSignInStatus(email, PASSWORD, moveToNewAddress(attacker))).toBe(429)
    expect(await getSignInStatus(email, PASSWORD, moveToNewAddress(victim))).toBe(201)
  })

  it('stays known for every account that is used in it', async () => {
    const [first, second] = [await makeUserWithPassword(server), await makeUserWithPassword(server)]
    const browser = await makeKnownBrowser(first.email)
    const later = moveToNewAddress(browser)
    await signIn(second.email, PASSWORD, later)
    await countGuesses(first.email, ACCOUNT_LIMIT)
    expect(await getSignInStatus(first.email, PASSWORD, moveToNewAddress(later))).toBe(201)
  })

  it.each([
    ['a password reset', (id: string) => resetPassword(id)],
    ['a password change elsewhere', (_id: string, email: string) => changePassword(email)],
  ])('is forgotten after %s', async (_, endSignIns) => {
    const { id, email } = await makeUserWithPassword(server)
    const browser = await makeKnownBrowser(email)
    const owner = await endSignIns(id, email)
    await countGuesses(email, ACCOUNT_LIMIT)
    expect(await getSignInStatus(email, 'another long password', moveToNewAddress(browser))).toBe(429)
    expect(await getSignInStatus(email, 'another long password', moveToNewAddress(owner))).toBe(201)
  })

  it('is one of 50: the one that was used longest ago is forgotten', async () => {
    const { id, email } = await makeUserWithPassword(server)
    const [oldest, newest] = [await makeKnownBrowser(email), await makeKnownBrowser(email)]
    const rows = Array.from({ length: 49 }, (_, index) => ({
      user_id: id,
      secret_hash: Buffer.alloc(32, index),
      last_used_at: new Date(Date.now() - 60_000),
    }))
    const secretHashes = await server.db
      .selectFrom('known_browsers')
      .select('secret_hash')
      .where('user_id', '=', id)
      .execute()
    expect(secretHashes).toHaveLength(2)
    await server.db.insertInto('known_browsers').values(rows).execute()
    await server.db
      .updateTable('known_browsers')
      .set({ last_used_at: new Date(Date.now() - 120_000) })
      .where('user_id', '=', id)
      .where('secret_hash', '=', hashSecret(oldest.cookies.get('caseward-browser') ?? ''))
      .execute()
    const next = moveToNewAddress(newest)
    expect(await getSignInStatus(email, PASSWORD, next)).toBe(201)
    await countGuesses(email, ACCOUNT_LIMIT)
    expect(await getSignInStatus(email, PASSWORD, moveToNewAddress(oldest))).toBe(429)
    expect(await getSignInStatus(email, PASSWORD, moveToNewAddress(next))).toBe(201)
  })

  it('is not a program that signs in without an Origin header, and so cannot push out browsers', async () => {
    const { id, email } = await makeUserWithPassword(server)
    const headers = { 'x-forwarded-for': '203.0.113.1' }
    const response = await server.request('POST', '/v1/session', { headers, body: { email, password: PASSWORD } })
    expect([response.status, response.headers.getSetCookie().length]).toEqual([201, 1])
    expect(await server.db.selectFrom('known_browsers').selectAll().where('user_id', '=', id).execute()).toEqual([])
  })
})

async function resetPassword(userId: string): Promise<Browser> {
  const expires_at = new Date(Date.now() + 60_000)
  await server.db.insertInto('password_resets').values({ user_id: userId, expires_at }).execute()
  const secret = (await createResetLink(server.db, userId))?.secret
  const browser = moveToNewAddress()
  await browser.api('POST', `/v1/password-resets/${secret}`, { password: 'another long password' })
  return browser
}

async function changePassword(email: string): Promise<Browser> {
  const browser = await makeKnownBrowser(email)
  await browser.api('PATCH', '/v1/me', { password: 'another long password', current_password: PASSWORD })
  return browser
}

describe('the limit of wrong current passwords in a password change', () => {
  const change = (browser: Browser, current_password: string, password = 'another long password') =>
    browser.api('PATCH', '/v1/me', { password, current_password })

  it('counts wrong passwords of a session, and no right ones', async () => {
    const { email } = await makeUserWithPassword(server)
    const browser = await makeKnownBrowser(email)
    const statuses = [
      (await change(browser, PASSWORD)).status,
      (await change(browser, 'another long password', PASSWORD)).status,
      (await change(browser, 'wrong password')).status,
      (await change(browser, PASSWORD)).status,
    ]
    expect(statuses).toEqual([200, 200, 400, 429])
  })

  it('is not reached by failed sign-ins or by another session', async () => {
    const { email } = await makeUserWithPassword(server)
    const [browser, otherBrowser] = [await makeKnownBrowser(email), await makeKnownBrowser(email)]
    await countGuesses(email, 2 * ACCOUNT_LIMIT)
    await change(otherBrowser, 'wrong password')
    expect((await change(otherBrowser, PASSWORD)).status).toBe(429)
    expect((await change(browser, PASSWORD)).status).toBe(200)
  })
})
