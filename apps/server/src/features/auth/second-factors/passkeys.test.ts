import { randomUUID } from 'node:crypto'

import type { AddedFactor } from '@caseward/contract/second-factors'
import { describe, expect, it } from 'vitest'

import { type Browser, openBrowser } from '@caseward/test-support/browser'
import { addPasskey, createAuthenticator, readPasskeyOptions } from '@caseward/test-support/passkeys'
import { useTestServer } from '@caseward/test-support/test-server'
import { makeSignedInUser, PASSWORD } from '@caseward/test-support/users'

const server = useTestServer()

const SET_UP = '/v1/me/second-factors/passkey'
const PROOF = '/v1/session/second-factor'
const CONFIRM = '/v1/session/confirm'
const CONFIRM_OPTIONS = '/v1/session/confirm/passkey-options'
const getCode = (text: string) => (JSON.parse(text) as { code: string }).code
const activate = (browser: Browser, credential: object) => browser.api('POST', `${SET_UP}/activate`, { credential })
const ageConfirmation = (userId: string) =>
  server.db.updateTable('sessions').set({ confirmed_at: null }).where('user_id', '=', userId).execute()

/** Calls the API with an `Idempotency-Key`, as the web app does. */
const sendWithKey = (browser: Browser, path: string, body: object) =>
  browser.send('POST', path, {
    headers: { 'content-type': 'application/json', origin: server.url, 'idempotency-key': randomUUID() },
    body: JSON.stringify(body),
  })

async function makeUserWithPasskey() {
  const user = await makeSignedInUser(server)
  return { ...user, ...(await addPasskey(server, user.browser)) }
}

/** Gives the right password in a new browser, and asks for the options of the second factor. */
async function startSignIn(email: string) {
  const browser = openBrowser(server)
  await browser.api('POST', '/v1/session', { email, password: PASSWORD })
  return { browser, options: await readPasskeyOptions(browser, `${PROOF}/passkey-options`) }
}

describe('adding a passkey', () => {
  it('makes it a second factor, and brings recovery codes with the first one only', async () => {
    const { browser, response } = await makeUserWithPasskey()
    const { factor, recovery_codes: codes } = (JSON.parse(response.text) as { data: AddedFactor }).data
    expect([factor.kind, factor.name, codes?.length]).toEqual(['passkey', 'Passkey', 10])
    const second = await addPasskey(server, browser, 'Key ring')
    expect(JSON.parse(second.response.text)).toMatchObject({
      data: { factor: { name: 'Key ring' }, recovery_codes: null },
    })
  })

  it('asks the browser for another authenticator than those of the account', async () => {
    const { browser, authenticator } = await makeUserWithPasskey()
    const options = await readPasskeyOptions(browser, SET_UP)
    expect(options).toMatchObject({
      rp: { id: 'localhost', name: 'Caseward' },
      excludeCredentials: [{ id: authenticator.id, transports: ['internal'] }],
    })
  })

  it('needs a session that was confirmed lately', async () => {
    const { id, browser } = await makeSignedInUser(server)
    await ageConfirmation(id)
    expect(getCode((await browser.api('POST', SET_UP)).text)).toBe('confirmation_required')
  })

  it('refuses a challenge that it has not made, that was used, or that is of another session', async () => {
    const { browser } = await makeSignedInUser(server)
    const unknown = await activate(browser, createAuthenticator(server).create({ challenge: 'unknown' }))
    expect([unknown.status, getCode(unknown.text)]).toEqual([400, 'wrong_second_factor'])
    const options = await readPasskeyOptions(browser, SET_UP)
    const { browser: other } = await makeSignedInUser(server)
    expect((await activate(other, createAuthenticator(server).create(options))).status).toBe(400)
    expect((await activate(browser, createAuthenticator(server).create(options))).status).toBe(200)
    expect((await activate(browser, createAuthenticator(server).create(options))).status).toBe(400)
  })

  it('refuses a passkey for another origin', async () => {
    const { browser } = await makeSignedInUser(server)
    const authenticator = createAuthenticator(server)
    authenticator.origin = 'https://elsewhere.example.test'
    const { status } = await activate(browser, authenticator.create(await readPasskeyOptions(browser, SET_UP)))
    expect(status).toBe(400)
  })

  it('refuses an id of more than 1,023 bytes and a key of more than 4,096 bytes, and accepts an id of 1,023', async () => {
    const { browser } = await makeSignedInUser(server)
    const add = async (sizes: { idBytes?: number; extraKeyBytes?: number }) => {
      const options = await readPasskeyOptions(browser, SET_UP)
      return (await activate(browser, createAuthenticator(server, sizes).create(options))).status
    }
    expect([await add({ idBytes: 1024 }), await add({ extraKeyBytes: 4096 })]).toEqual([400, 400])
    expect([await add({ idBytes: 1023 }), await add({ extraKeyBytes: 1000 })]).toEqual([200, 200])
  })

  it('uses up the challenge of a refused passkey, also with an Idempotency-Key', async () => {
    const { browser } = await makeSignedInUser(server)
    const options = await readPasskeyOptions(browser, SET_UP)
    const authenticator = createAuthenticator(server)
    authenticator.origin = 'https://elsewhere.example.test'
    expect(
      (await sendWithKey(browser, `${SET_UP}/activate`, { credential: authenticator.create(options) })).status,
    ).toBe(400)
    expect((await activate(browser, createAuthenticator(server).create(options))).status).toBe(400)
  })

  it('refuses a passkey of another account', async () => {
    const { authenticator } = await makeUserWithPasskey()
    const { browser } = await makeSignedInUser(server)
    const { status } = await activate(browser, authenticator.create(await readPasskeyOptions(browser, SET_UP)))
    expect(status).toBe(400)
  })
})

describe('signing in with a passkey as second factor', () => {
  it('starts the session, and accepts each answer once', async () => {
    const { email, authenticator } = await makeUserWithPasskey()
    const { browser, options } = await startSignIn(email)
    const passkey = authenticator.get(options)
    const { status, text } = await browser.api('POST', PROOF, { passkey })
    expect([status, JSON.parse(text)]).toMatchObject([201, { data: { email } }])
    const again = await startSignIn(email)
    expect((await again.browser.api('POST', PROOF, { passkey })).status).toBe(400)
  })

  it('refuses another origin, a key of another account, and an answer to another sign-in', async () => {
    const { id, email, authenticator } = await makeUserWithPasskey()
    const first = await startSignIn(email)
    const second = await startSignIn(email)
    const prove = async (passkey: object) => (await second.browser.api('POST', PROOF, { passkey })).status
    expect(await prove(authenticator.get(first.options))).toBe(400)
    const options = await readPasskeyOptions(second.browser, `${PROOF}/passkey-options`)
    expect(await prove({ ...authenticator.get(options), id: createAuthenticator(server).id })).toBe(400)
    authenticator.origin = 'https://elsewhere.example.test'
    const other = await readPasskeyOptions(second.browser, `${PROOF}/passkey-options`)
    expect(await prove(authenticator.get(other))).toBe(400)
    const entries = server.db.selectFrom('audit_log').select('detail').where('action', '=', 'second_factor.reject')
    expect(await entries.where('actor_id', '=', id).execute()).toHaveLength(3)
  })

  it('refuses a passkey whose counter has gone back, and records that', async () => {
    const { id, email, authenticator } = await makeUserWithPasskey()
    authenticator.signCount = 7
    const first = await startSignIn(email)
    expect((await first.browser.api('POST', PROOF, { passkey: authenticator.get(first.options) })).status).toBe(201)
    authenticator.signCount = 3
    const second = await startSignIn(email)
    expect((await second.browser.api('POST', PROOF, { passkey: authenticator.get(second.options) })).status).toBe(400)
    const entries = server.db.selectFrom('audit_log').select('detail').where('action', '=', 'second_factor.reject')
    expect(await entries.where('actor_id', '=', id).execute()).toContainEqual({
      detail: { method: 'passkey', name: 'Passkey', reason: 'sign_count_decreased' },
    })
    expect(server.logged.some((line) => line.includes('sign counter went back'))).toBe(true)
  })

  it('needs a sign-in that waits', async () => {
    const { status, text } = await openBrowser(server).api('POST', `${PROOF}/passkey-options`)
    expect([status, getCode(text)]).toEqual([401, 'sign_in_expired'])
  })
})

describe('confirming with a passkey', () => {
  it('confirms the session that asked, once', async () => {
    const { id, browser, authenticator } = await makeUserWithPasskey()
    await ageConfirmation(id)
    const passkey = authenticator.get(await readPasskeyOptions(browser, CONFIRM_OPTIONS))
    expect((await browser.api('POST', CONFIRM, { passkey })).status).toBe(200)
    expect((await browser.api('POST', CONFIRM, { passkey })).status).toBe(400)
    expect((await browser.api('POST', '/v1/tokens', { name: 'Laptop' })).status).toBe(201)
  })

  it('uses up the challenge of a refused answer, also with an Idempotency-Key', async () => {
    const { browser, authenticator } = await makeUserWithPasskey()
    const options = await readPasskeyOptions(browser, CONFIRM_OPTIONS)
    const { origin } = authenticator
    authenticator.origin = 'https://elsewhere.example.test'
    expect((await sendWithKey(browser, CONFIRM, { passkey: authenticator.get(options) })).status).toBe(400)
    authenticator.origin = origin
    expect((await browser.api('POST', CONFIRM, { passkey: authenticator.get(options) })).status).toBe(400)
  })

  it('records a passkey whose counter has gone back once, also with an Idempotency-Key', async () => {
    const { id, browser, authenticator } = await makeUserWithPasskey()
    authenticator.signCount = 7
    const first = authenticator.get(await readPasskeyOptions(browser, CONFIRM_OPTIONS))
    expect((await sendWithKey(browser, CONFIRM, { passkey: first })).status).toBe(200)
    authenticator.signCount = 3
    const copy = authenticator.get(await readPasskeyOptions(browser, CONFIRM_OPTIONS))
    expect((await sendWithKey(browser, CONFIRM, { passkey: copy })).status).toBe(400)
    const entries = server.db.selectFrom('audit_log').select('detail').where('action', '=', 'second_factor.reject')
    const details = (await entries.where('actor_id', '=', id).execute()).map(({ detail }) => JSON.stringify(detail))
    expect(details.filter((detail) => detail.includes('sign_count_decreased'))).toHaveLength(1)
  })

  it('asks for the verification of the user in a session that began with a passkey alone, and requires it', async () => {
    const { authenticator, ...user } = await makeUserWithPasskey()
    const browser = openBrowser(server)
    const passkey = authenticator.get(await readPasskeyOptions(browser, '/v1/session/passkey-options'))
    expect((await browser.api('POST', '/v1/session/passkey', { passkey })).status).toBe(201)
    await ageConfirmation(user.id)
    const confirm = async () => {
      const options = await readPasskeyOptions(browser, CONFIRM_OPTIONS)
      expect(options['userVerification']).toBe('required')
      return (await browser.api('POST', CONFIRM, { passkey: authenticator.get(options) })).status
    }
    authenticator.verifiesUser = false
    expect(await confirm()).toBe(400)
    expect(getCode((await browser.api('POST', '/v1/tokens', { name: 'Laptop' })).text)).toBe('confirmation_required')
    authenticator.verifiesUser = true
    expect(await confirm()).toBe(200)
  })

  it('accepts an answer without verification in a session that began with a password', async () => {
    const { browser, authenticator } = await makeUserWithPasskey()
    authenticator.verifiesUser = false
    const options = await readPasskeyOptions(browser, CONFIRM_OPTIONS)
    expect(options['userVerification']).toBe('preferred')
    expect((await browser.api('POST', CONFIRM, { passkey: authenticator.get(options) })).status).toBe(200)
  })

  it('returns 422 without a passkey', async () => {
    const { browser } = await makeSignedInUser(server)
    const { status, text } = await browser.api('POST', CONFIRM_OPTIONS)
    expect([status, getCode(text)]).toEqual([422, 'no_passkey'])
  })
})
