import type { AddedFactor, SecondFactors, TotpSetup } from '@caseward/contract/second-factors'
import { describe, expect, it } from 'vitest'

import { type Browser, openBrowser } from '@caseward/test-support/browser'
import { addTotp, computeTotpCode, makeUserWithTotp } from '@caseward/test-support/second-factors'
import { useTestServer } from '@caseward/test-support/test-server'
import { makeSignedInUser, makeUser, PASSWORD } from '@caseward/test-support/users'

const server = useTestServer()

const FACTORS = '/v1/me/second-factors'
const read = (text: string) => (JSON.parse(text) as { data: unknown }).data
const getCode = (text: string) => (JSON.parse(text) as { code: string }).code
const list = async (browser: Browser) => read((await browser.get(FACTORS)).text) as SecondFactors
const setUp = async (browser: Browser) => read((await browser.api('POST', `${FACTORS}/totp`, {})).text) as TotpSetup
const activate = (browser: Browser, id: string, code: string) =>
  browser.api('POST', `${FACTORS}/totp/${id}/activate`, { code })
const ageConfirmation = (userId: string) =>
  server.db.updateTable('sessions').set({ confirmed_at: null }).where('user_id', '=', userId).execute()
const readActions = async (userId: string) => {
  const entries = server.db.selectFrom('audit_log').select('action').where('actor_id', '=', userId).orderBy('id')
  return (await entries.execute()).map(({ action }) => action)
}

describe('an authenticator app', () => {
  it('is in use only after its first right code, which brings ten recovery codes', async () => {
    const { browser } = await makeSignedInUser(server)
    const { id, secret, otpauth_uri: uri, qr_code: qrCode } = await setUp(browser)
    expect([uri.includes(secret), qrCode.startsWith('<svg')]).toEqual([true, true])
    const wrong = await activate(browser, id, '000000')
    expect([wrong.status, getCode(wrong.text)]).toEqual([400, 'wrong_second_factor'])
    expect(await list(browser)).toEqual({ factors: [], recovery_code_count: 0 })
    const { status, text } = await activate(browser, id, computeTotpCode(secret))
    const { factor, recovery_codes: codes } = read(text) as AddedFactor
    expect([status, factor.kind, factor.name]).toEqual([200, 'totp', 'Authenticator app'])
    expect(new Set(codes).size).toBe(10)
    expect(await list(browser)).toEqual({ factors: [factor], recovery_code_count: 10 })
    expect(JSON.parse((await browser.get('/v1/me')).text)).toMatchObject({ data: { has_second_factor: true } })
  })

  it('can be activated once', async () => {
    const { browser } = await makeSignedInUser(server)
    const { id, secret } = await setUp(browser)
    const attempts = await Promise.all([1, 2, 3].map(() => activate(browser, id, computeTotpCode(secret))))
    expect(attempts.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 404, 404])
  })

  it('cannot be activated by another user', async () => {
    const { browser } = await makeSignedInUser(server)
    const { id, secret } = await setUp(browser)
    const other = await makeSignedInUser(server)
    expect((await activate(other.browser, id, computeTotpCode(secret))).status).toBe(404)
  })

  it('stores neither its secret nor a recovery code so that the database reveals it', async () => {
    const { secret, recoveryCodes } = await makeUserWithTotp(server)
    const tables = [
      await server.db.selectFrom('second_factors').selectAll().execute(),
      await server.db.selectFrom('recovery_codes').selectAll().execute(),
      await server.db.selectFrom('audit_log').selectAll().execute(),
    ]
    const text = JSON.stringify(tables, (_key, value: unknown) =>
      Buffer.isBuffer(value) ? value.toString('latin1') : value,
    )
    for (const hidden of [secret, ...recoveryCodes]) expect(text + server.logged.join('')).not.toContain(hidden)
  })

  it('brings no new recovery codes when it is the second one', async () => {
    const { browser } = await makeUserWithTotp(server)
    const { recoveryCodes } = await addTotp(browser, 'Tablet')
    expect(recoveryCodes).toEqual([])
    expect((await list(browser)).factors.map(({ name }) => name)).toEqual(['Authenticator app', 'Tablet'])
  })

  it('needs a session that was confirmed lately', async () => {
    const { id, browser } = await makeSignedInUser(server)
    await ageConfirmation(id)
    const { status, text } = await browser.api('POST', `${FACTORS}/totp`, {})
    expect([status, getCode(text)]).toEqual([403, 'confirmation_required'])
  })

  it('cannot be set up with a token', async () => {
    const { token } = await makeUser(server)
    const problem = await server.expectProblem(403, 'POST', `${FACTORS}/totp`, { token, body: {} })
    expect(problem.code).toBe('session_required')
  })
})

describe('DELETE /v1/me/second-factors/:factor_id', () => {
  it('removes a factor, and with the last one the recovery codes and the question at sign-in', async () => {
    const { id, email, browser, factorId } = await makeUserWithTotp(server)
    const second = await addTotp(browser, 'Tablet')
    expect((await browser.api('DELETE', `${FACTORS}/${factorId}`)).status).toBe(204)
    expect((await list(browser)).recovery_code_count).toBe(10)
    expect((await browser.api('DELETE', `${FACTORS}/${second.factorId}`)).status).toBe(204)
    expect(await list(browser)).toEqual({ factors: [], recovery_code_count: 0 })
    const signIn = await openBrowser(server).api('POST', '/v1/session', { email, password: PASSWORD })
    expect(signIn.status).toBe(201)
    expect((await readActions(id)).filter((action) => action.startsWith('second_factor.'))).toEqual([
      'second_factor.add',
      'second_factor.add',
      'second_factor.remove',
      'second_factor.remove',
    ])
  })

  it('returns 403 to a session that was not confirmed lately, and asks for the factor', async () => {
    const { id, browser, factorId } = await makeUserWithTotp(server)
    await ageConfirmation(id)
    const { status, text } = await browser.api('DELETE', `${FACTORS}/${factorId}`)
    expect([status, JSON.parse(text)]).toEqual([
      403,
      expect.objectContaining({ confirmation_methods: ['totp', 'recovery_code'] }),
    ])
  })

  it('returns 404 for the factor of another user, and for unknown ids', async () => {
    const { factorId } = await makeUserWithTotp(server)
    const { browser } = await makeSignedInUser(server)
    for (const id of [factorId, 'x', '01a1fc2b-5f29-7584-9e03-d27674921b66']) {
      expect((await browser.api('DELETE', `${FACTORS}/${id}`)).status).toBe(404)
    }
  })
})

describe('POST /v1/me/second-factors/recovery-codes', () => {
  it('replaces the recovery codes', async () => {
    const { browser, recoveryCodes } = await makeUserWithTotp(server)
    const { status, text } = await browser.api('POST', `${FACTORS}/recovery-codes`)
    const { recovery_codes: renewed } = read(text) as { recovery_codes: string[] }
    expect([status, renewed.length, renewed.some((code) => recoveryCodes.includes(code))]).toEqual([201, 10, false])
    const confirm = (code = '') => browser.api('POST', '/v1/session/confirm', { recovery_code: code })
    expect((await confirm(recoveryCodes[0])).status).toBe(400)
    expect((await confirm(renewed[0])).status).toBe(200)
    expect((await list(browser)).recovery_code_count).toBe(9)
  })

  it('returns 422 without a second factor', async () => {
    const { browser } = await makeSignedInUser(server)
    expect((await browser.api('POST', `${FACTORS}/recovery-codes`)).status).toBe(422)
  })
})

describe('POST /v1/session/confirm of an account with a second factor', () => {
  it('accepts a code of the authenticator app, and not the password', async () => {
    const { id, browser, getUnusedCode } = await makeUserWithTotp(server)
    await ageConfirmation(id)
    const withPassword = await browser.api('POST', '/v1/session/confirm', { password: PASSWORD })
    expect(getCode(withPassword.text)).toBe('password_not_enough')
    const wrong = await browser.api('POST', '/v1/session/confirm', { totp_code: '000000' })
    expect(JSON.parse(wrong.text)).toMatchObject({ code: 'wrong_second_factor', errors: [{ path: '/totp_code' }] })
    const right = await browser.api('POST', '/v1/session/confirm', { totp_code: await getUnusedCode() })
    expect(right.status).toBe(200)
    expect((await browser.api('POST', '/v1/tokens', { name: 'Laptop' })).status).toBe(201)
    expect(await readActions(id)).toContain('second_factor.reject')
  })

  it('records a wrong code also when the request has an Idempotency-Key, which undoes all else', async () => {
    const { id, browser } = await makeUserWithTotp(server)
    const { status } = await browser.send('POST', '/v1/session/confirm', {
      headers: { origin: server.url, 'content-type': 'application/json', 'idempotency-key': 'key' },
      body: JSON.stringify({ totp_code: '000000' }),
    })
    expect([status, (await readActions(id)).at(-1)]).toEqual([400, 'second_factor.reject'])
  })

  it('is needed to change the password', async () => {
    const { id, browser, getUnusedCode } = await makeUserWithTotp(server)
    await ageConfirmation(id)
    const change = () =>
      browser.api('PATCH', '/v1/me', { password: 'unusual purple lantern', current_password: PASSWORD })
    expect((await change()).status).toBe(403)
    await browser.api('POST', '/v1/session/confirm', { totp_code: await getUnusedCode() })
    expect((await change()).status).toBe(200)
  })
})

describe('a server with DATABASE_URL and no SECRET_KEY', () => {
  const keyless = useTestServer({ secretKey: null, databaseUrl: 'postgres://elsewhere.example.test' })

  it('returns 422 that says what to set', async () => {
    const { browser } = await makeSignedInUser(keyless)
    const { status, text } = await browser.api('POST', `${FACTORS}/totp`, {})
    expect([status, getCode(text), text.includes('SECRET_KEY')]).toEqual([422, 'secret_key_missing', true])
  })
})
