import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'

import { type Browser, openBrowser } from '@caseward/test-support/browser'
import { addPasskey, createAuthenticator, insertPasskey, readPasskeyOptions } from '@caseward/test-support/passkeys'
import { startServerForTest, useSharedServer } from '@caseward/test-support/test-server'
import { makeSignedInUser, makeUserWithPassword, PASSWORD } from '@caseward/test-support/users'
import { insertChallenge, SIGN_IN_PURPOSE } from './passkeys.queries.ts'

const server = useSharedServer()

const OPTIONS = '/v1/session/passkey-options'
const getCode = (text: string) => (JSON.parse(text) as { code: string }).code
const signIn = (browser: Browser, passkey: object) => browser.api('POST', '/v1/session/passkey', { passkey })
const requestOptions = (browser: Browser = openBrowser(server)) => readPasskeyOptions(browser, OPTIONS)

async function makeUserWithPasskey() {
  const user = await makeUserWithPassword(server)
  return { ...user, authenticator: await insertPasskey(server, user.id) }
}

const readAudit = (userId: string) =>
  server.db
    .selectFrom('audit_log')
    .select(['action', 'detail'])
    .where('actor_id', '=', userId)
    .where('action', 'in', ['session.create', 'second_factor.reject'])
    .execute()

describe('POST /v1/session/passkey-options', () => {
  it('asks for any passkey, and for the verification of the user', async () => {
    const options = await requestOptions()
    expect(options).toMatchObject({ rpId: 'localhost', userVerification: 'required' })
    expect(options).not.toHaveProperty('allowCredentials')
  })

  it('is possible with passkeys of the account, because each is asked to be discoverable', async () => {
    const { browser } = await makeSignedInUser(server)
    const options = await readPasskeyOptions(browser, '/v1/me/second-factors/passkey')
    expect(options['authenticatorSelection']).toMatchObject({ residentKey: 'preferred' })
  })

  it('keeps 10,000 challenges, and none that has expired', async () => {
    const insert = (count: number, age: string) =>
      sql`
        insert into passkey_challenges (challenge_hash, purpose, expires_at)
        select sha256(random()::text::bytea), 'sign_in', now() + ${age}::interval - n * interval '1 ms'
        from generate_series(1, ${count}::integer) n`.execute(server.db)
    await insert(50, '-1 minute')
    await insert(10_000, '4 minutes')
    await requestOptions()
    const { rows } = await sql<{ count: number; expired: number }>`
      select count(*), count(*) filter (where expires_at <= now()) as expired
      from passkey_challenges where user_id is null`.execute(server.db)
    expect(rows).toEqual([{ count: 10_000, expired: 0 }])
  })

  it('has a limit of requests for each address, apart from that of sign-ins', async () => {
    const limited = await startServerForTest({ rateLimitSignIn: 1 })
    const browser = openBrowser(limited)
    await requestOptions(browser)
    expect((await browser.api('POST', OPTIONS)).status).toBe(429)
    const { email } = await makeUserWithPassword(limited)
    expect((await browser.api('POST', '/v1/session', { email, password: PASSWORD })).status).toBe(201)
  })
})

describe('POST /v1/session/passkey', () => {
  it('signs in without email address and password, once for each answer', async () => {
    const { id, email, authenticator } = await makeUserWithPasskey()
    const browser = openBrowser(server)
    const passkey = authenticator.get(await requestOptions(browser))
    const { status, text } = await signIn(browser, passkey)
    expect([status, JSON.parse(text)]).toMatchObject([201, { data: { id, email } }])
    expect((await browser.get('/v1/projects')).status).toBe(200)
    expect((await signIn(openBrowser(server), passkey)).status).toBe(401)
  })

  it('counts as a recent confirmation with a second factor, and is recorded with its method', async () => {
    const { id, authenticator } = await makeUserWithPasskey()
    const browser = openBrowser(server)
    await signIn(browser, authenticator.get(await requestOptions(browser)))
    expect((await browser.api('POST', '/v1/tokens', { name: 'Laptop' })).status).toBe(201)
    const sessions = server.db.selectFrom('sessions').select(['method', 'has_second_factor']).where('user_id', '=', id)
    expect(await sessions.execute()).toEqual([{ method: 'passkey', has_second_factor: true }])
    expect(await readAudit(id)).toEqual([
      { action: 'session.create', detail: { by: 'passkey', second_factor: 'passkey' } },
    ])
  })

  it('works with a passkey that was added with the API', async () => {
    const user = await makeSignedInUser(server)
    const { authenticator } = await addPasskey(server, user.browser)
    expect((await signIn(openBrowser(server), authenticator.get(await requestOptions()))).status).toBe(201)
  })

  it('sends an email about a new browser, as with a password', async () => {
    const { email, browser, id } = await makeSignedInUser(server)
    const authenticator = await insertPasskey(server, id)
    const readKinds = async () => {
      const { rows } = await sql<{ kind: string }>`
        select kind from security_notices n join security_mails m on m.id = n.mail_id where email = ${email}`.execute(
        server.db,
      )
      return rows.map(({ kind }) => kind)
    }
    await signIn(browser, authenticator.get(await requestOptions()))
    expect(await readKinds()).toEqual([])
    await signIn(openBrowser(server), authenticator.get(await requestOptions()))
    expect(await readKinds()).toEqual(['new_browser'])
  })

  it('returns the same problem for every wrong answer', async () => {
    const { authenticator } = await makeUserWithPasskey()
    const other = await makeUserWithPasskey()
    const challenge = async () => ({ challenge: (await requestOptions()).challenge })
    const right = authenticator.get(await challenge())
    const expired = await challenge()
    await server.db
      .updateTable('passkey_challenges')
      .set({ expires_at: new Date(0) })
      .execute()
    authenticator.verifiesUser = false
    const withoutVerification = authenticator.get(await challenge())
    authenticator.verifiesUser = true
    authenticator.origin = 'https://elsewhere.example.test'
    const elsewhere = authenticator.get(await challenge())
    authenticator.origin = other.authenticator.origin
    const answers = {
      expired: authenticator.get(expired),
      'not asked for': authenticator.get({ challenge: 'unknown' }),
      'no text': { ...right, response: { ...right.response, clientDataJSON: '{' } },
      'an unknown credential': createAuthenticator(server).get(await challenge()),
      'without verification': withoutVerification,
      'for another site': elsewhere,
      'of another key': { ...other.authenticator.get(await challenge()), id: authenticator.id },
      'for another user': withUser(authenticator.get(await challenge()), other.authenticator.userHandle),
      'for no user': withUser(authenticator.get(await challenge()), ''),
    }
    const responses: Record<string, string> = {}
    for (const [name, answer] of Object.entries(answers)) {
      const { status, text } = await signIn(openBrowser(server), answer)
      responses[name] = `${status} ${text}`
    }
    expect([...new Set(Object.values(responses))]).toEqual([expect.stringMatching(/^401 .*"wrong_passkey"/)])
  })

  it('uses the challenge of a wrong answer up', async () => {
    const { authenticator } = await makeUserWithPasskey()
    const options = await requestOptions()
    authenticator.verifiesUser = false
    expect((await signIn(openBrowser(server), authenticator.get(options))).status).toBe(401)
    authenticator.verifiesUser = true
    expect((await signIn(openBrowser(server), authenticator.get(options))).status).toBe(401)
  })

  it('refuses a challenge that was made for something else', async () => {
    const { id: userId, authenticator } = await makeUserWithPasskey()
    const challenge = 'for another purpose'
    await insertChallenge(server.db, challenge, { purpose: 'confirmation', userId, boundTo: '' })
    expect((await signIn(openBrowser(server), authenticator.get({ challenge }))).status).toBe(401)
  })

  it('refuses a passkey whose counter has gone back, and records that', async () => {
    const { id, authenticator } = await makeUserWithPasskey()
    authenticator.signCount = 7
    expect((await signIn(openBrowser(server), authenticator.get(await requestOptions()))).status).toBe(201)
    authenticator.signCount = 3
    expect((await signIn(openBrowser(server), authenticator.get(await requestOptions()))).status).toBe(401)
    expect(await readAudit(id)).toContainEqual({
      action: 'second_factor.reject',
      detail: { method: 'passkey', name: 'Laptop', reason: 'sign_count_decreased' },
    })
  })

  it('returns 403 to a disabled user, after the right answer only', async () => {
    const { id, authenticator } = await makeUserWithPasskey()
    await server.db.updateTable('users').set({ disabled_at: new Date() }).where('id', '=', id).execute()
    const { status, text } = await signIn(openBrowser(server), authenticator.get(await requestOptions()))
    expect([status, getCode(text)]).toEqual([403, 'account_disabled'])
    authenticator.verifiesUser = false
    expect((await signIn(openBrowser(server), authenticator.get(await requestOptions()))).status).toBe(401)
  })

  it('accepts one of several requests with the same answer', async () => {
    const { authenticator } = await makeUserWithPasskey()
    await insertChallenge(server.db, 'once', SIGN_IN_PURPOSE)
    const passkey = authenticator.get({ challenge: 'once' })
    const responses = await Promise.all([1, 2, 3].map(() => signIn(openBrowser(server), passkey)))
    expect(responses.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([201, 401, 401])
  })
})

const withUser = <T extends { response: object }>(answer: T, userHandle: string) => ({
  ...answer,
  response: { ...answer.response, userHandle },
})
