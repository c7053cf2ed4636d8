import { describe, expect, it } from 'vitest'

import { type Browser, openBrowser } from '@caseward/test-support/browser'
import { makeUserWithTotp } from '@caseward/test-support/second-factors'
import { startServerForTest, useSharedServer } from '@caseward/test-support/test-server'
import { PASSWORD } from '@caseward/test-support/users'
import { createRecoveryLink } from '../../admin/recover-access.ts'

const server = useSharedServer()

const getCode = (text: string) => (JSON.parse(text) as { code: string }).code
const isSignedIn = async (browser: Browser) => (await browser.get('/v1/me')).status === 200
const proveFactor = (browser: Browser, proof: object) => browser.api('POST', '/v1/session/second-factor', proof)

/** Gives the right password in a new browser. */
async function startSignIn(email: string): Promise<Browser> {
  const browser = openBrowser(server)
  await browser.api('POST', '/v1/session', { email, password: PASSWORD })
  return browser
}

describe('POST /v1/session of an account with a second factor', () => {
  it('returns 401 with the ways to continue and a cookie, and starts no session', async () => {
    const { email } = await makeUserWithTotp(server)
    const browser = openBrowser(server)
    const { status, headers, text } = await browser.api('POST', '/v1/session', { email, password: PASSWORD })
    expect([status, JSON.parse(text), headers.get('www-authenticate')]).toEqual([
      401,
      expect.objectContaining({
        code: 'second_factor_required',
        second_factor_methods: ['totp', 'recovery_code'],
      }),
      'Bearer',
    ])
    expect(browser.setCookies).toEqual([
      expect.stringMatching(/^caseward-sign-in=[\w-]+; Max-Age=600; Path=\/; HttpOnly; SameSite=Lax$/),
    ])
    expect(await isSignedIn(browser)).toBe(false)
  })

  it('returns the same as for any account when the password is wrong', async () => {
    const { email } = await makeUserWithTotp(server)
    const { status, text } = await openBrowser(server).api('POST', '/v1/session', { email, password: 'wrong' })
    expect([status, getCode(text)]).toEqual([401, 'wrong_credentials'])
  })
})

describe('POST /v1/session/second-factor', () => {
  it('signs in with a code of the authenticator app, once', async () => {
    const { email, getUnusedCode } = await makeUserWithTotp(server)
    const browser = await startSignIn(email)
    const proof = { totp_code: await getUnusedCode() }
    const { status, text } = await proveFactor(browser, proof)
    expect([status, JSON.parse(text)]).toMatchObject([201, { data: { email, has_second_factor: true } }])
    expect(await isSignedIn(browser)).toBe(true)
    expect(browser.cookies.has('caseward-sign-in')).toBe(false)
    const again = await startSignIn(email)
    expect((await proveFactor(again, proof)).status).toBe(400)
  })

  it('signs in with a recovery code, however it is typed, once', async () => {
    const { id, email, recoveryCodes } = await makeUserWithTotp(server)
    const typed = ` ${(recoveryCodes[0] ?? '').toUpperCase().replaceAll('-', ' ')} `
    expect((await proveFactor(await startSignIn(email), { recovery_code: typed })).status).toBe(201)
    expect((await proveFactor(await startSignIn(email), { recovery_code: typed })).status).toBe(400)
    const uses = server.db.selectFrom('audit_log').select('id').where('action', '=', 'recovery_code.use')
    expect(await uses.where('actor_id', '=', id).execute()).toHaveLength(1)
  })

  it.each(['totp_code', 'recovery_code'] as const)(
    'lets one of several requests with the same %s through',
    async (field) => {
      const { email, getUnusedCode, recoveryCodes } = await makeUserWithTotp(server)
      const browsers = await Promise.all([1, 2, 3, 4].map(() => startSignIn(email)))
      const proof = { [field]: field === 'totp_code' ? await getUnusedCode() : recoveryCodes[0] }
      const responses = await Promise.all(browsers.map((browser) => proveFactor(browser, proof)))
      expect(responses.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([201, 400, 400, 400])
    },
  )

  it('completes a sign-in once', async () => {
    const { email, recoveryCodes } = await makeUserWithTotp(server)
    const browser = await startSignIn(email)
    const responses = await Promise.all(
      recoveryCodes.slice(0, 3).map((code) => proveFactor(browser, { recovery_code: code })),
    )
    expect(responses.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([201, 401, 401])
    const { count } = await server.db
      .selectFrom('recovery_codes')
      .select(({ fn }) => fn.countAll<number>().as('count'))
      .where('user_id', 'in', server.db.selectFrom('users').select('id').where('email', '=', email))
      .executeTakeFirstOrThrow()
    expect(count).toBe(9)
  })

  it('ends the sign-in after five wrong codes, and records each of them', async () => {
    const { id, email, getUnusedCode } = await makeUserWithTotp(server)
    const browser = await startSignIn(email)
    const statuses: number[] = []
    for (let attempt = 0; attempt < 6; attempt += 1) {
      statuses.push((await proveFactor(browser, { totp_code: '000000' })).status)
    }
    expect(statuses).toEqual([400, 400, 400, 400, 400, 401])
    expect((await proveFactor(browser, { totp_code: await getUnusedCode() })).status).toBe(401)
    const entries = server.db.selectFrom('audit_log').select('detail').where('action', '=', 'second_factor.reject')
    expect(await entries.where('actor_id', '=', id).execute()).toEqual(
      Array.from({ length: 5 }, () => ({ detail: { method: 'totp' } })),
    )
  })

  it('returns 401 without a sign-in that waits, and when it has expired', async () => {
    const { id, email, getUnusedCode } = await makeUserWithTotp(server)
    const browser = await startSignIn(email)
    const expiry = { expires_at: new Date(Date.now() - 1000) }
    await server.db.updateTable('pending_sign_ins').set(expiry).where('user_id', '=', id).execute()
    const proof = { totp_code: await getUnusedCode() }
    expect(getCode((await proveFactor(browser, proof)).text)).toBe('sign_in_expired')
    expect(getCode((await proveFactor(openBrowser(server), proof)).text)).toBe('sign_in_expired')
  })

  it('returns 401 after the password was changed', async () => {
    const { email, browser, getUnusedCode } = await makeUserWithTotp(server)
    const waiting = await startSignIn(email)
    await browser.api('PATCH', '/v1/me', { password: 'unusual purple lantern', current_password: PASSWORD })
    expect((await proveFactor(waiting, { totp_code: await getUnusedCode() })).status).toBe(401)
  })

  it.each([{}, { totp_code: '1', recovery_code: '2' }])('returns 400 for %j', async (body) => {
    expect((await proveFactor(openBrowser(server), body)).status).toBe(400)
  })
})

describe('the limits of wrong second factors', () => {
  it('are those of failed sign-ins: the account is refused, and a known browser is not', async () => {
    const limited = await startServerForTest({ rateLimitSignIn: 1, trustProxy: 1 })
    const { email, browser: known } = await makeUserWithTotp(limited)
    let address = 0
    /** Sends each request from another address: only the limit of the account is left. */
    const post = async (browser: Browser, path: string, body: object) => {
      address += 1
      const headers = {
        origin: limited.url,
        'content-type': 'application/json',
        'x-forwarded-for': `203.0.113.${address}`,
      }
      return await browser.send('POST', path, { headers, body: JSON.stringify(body) })
    }
    const guess = async (browser: Browser) => {
      await post(browser, '/v1/session', { email, password: PASSWORD })
      return await post(browser, '/v1/session/second-factor', { totp_code: '000000' })
    }
    const stranger = openBrowser(limited)
    const statuses: number[] = []
    for (let attempt = 0; attempt < 10; attempt += 1) statuses.push((await guess(stranger)).status)
    expect(new Set(statuses)).toEqual(new Set([400]))
    const { status, text } = await post(stranger, '/v1/session', { email, password: PASSWORD })
    expect([status, text.includes('for this account')]).toEqual([429, true])
    expect((await guess(known)).status).toBe(400)
  })
})

describe('a password reset of an account with a second factor', () => {
  it('keeps the factor, and asks for it before a session starts', async () => {
    const { email, getUnusedCode } = await makeUserWithTotp(server)
    const secret = await createRecoveryLink(server.db, email)
    const browser = openBrowser(server)
    const reset = await browser.api('POST', `/v1/password-resets/${secret}`, { password: 'unusual purple lantern' })
    expect([reset.status, getCode(reset.text)]).toEqual([401, 'second_factor_required'])
    expect(await isSignedIn(browser)).toBe(false)
    expect((await proveFactor(browser, { totp_code: await getUnusedCode() })).status).toBe(201)
  })

  it('removes the factors of an account whose address was never confirmed: another person may have added them', async () => {
    const { id, email } = await makeUserWithTotp(server)
    await server.db.updateTable('users').set({ email_confirmed_at: null }).where('id', '=', id).execute()
    const secret = await createRecoveryLink(server.db, email)
    const browser = openBrowser(server)
    const reset = await browser.api('POST', `/v1/password-resets/${secret}`, { password: 'unusual purple lantern' })
    expect(reset.status).toBe(200)
    expect(JSON.parse((await browser.get('/v1/me')).text)).toMatchObject({ data: { has_second_factor: false } })
  })
})
