import { generateKeyPairSync, type JsonWebKey, randomUUID } from 'node:crypto'

import { type Browser, openBrowser } from '@caseward/test-support/browser'
import { makeProject } from '@caseward/test-support/factories'
import { signOutAtProvider } from '@caseward/test-support/oidc-provider'
import { insertTotp } from '@caseward/test-support/second-factors'
import { useSingleSignOn } from '@caseward/test-support/single-sign-on'
import { makeSession, makeUserWithPassword } from '@caseward/test-support/users'
import { importJWK, type JWTPayload, SignJWT, UnsecuredJWT } from 'jose'
import { describe, expect, it } from 'vitest'

const scenario = useSingleSignOn()
const { server, signOn } = scenario
const PATH = '/sign-in/oidc/backchannel-logout'
const EVENT = 'http://schemas.openid.net/event/backchannel-logout'

interface Header {
  alg?: string
  typ?: string
  kid?: string
}

/** The claims of a valid token; undefined removes one. */
const createClaims = (changes: Record<string, unknown> = {}): JWTPayload => {
  const { issuer, clientId } = scenario.provider
  const iat = Math.floor(Date.now() / 1000)
  const claims = { iss: issuer, aud: clientId, iat, exp: iat + 120, jti: randomUUID(), events: { [EVENT]: {} } }
  return JSON.parse(JSON.stringify({ ...claims, sub: 'nobody', ...changes })) as JWTPayload
}
async function sign(claims: JWTPayload, header: Header = {}, jwk: JsonWebKey = scenario.provider.signingKey) {
  const { alg = 'RS256', typ = 'logout+jwt', kid = scenario.provider.signingKey.kid } = header
  return await new SignJWT(claims).setProtectedHeader({ alg, typ, kid }).sign(await importJWK({ ...jwk }, alg))
}
async function send(token: string, url = server.url) {
  const body = new URLSearchParams({ logout_token: token })
  const response = await fetch(url + PATH, { method: 'POST', body })
  return { status: response.status, text: await response.text(), headers: response.headers }
}
const isSignedIn = async (browser: Browser) => (await browser.get('/v1/me')).status === 200

/** Signs a new user on in several browsers, each with a session of its own at the provider. */
async function signOnIn(count: number) {
  const { id, email } = await makeUserWithPassword(server, { password: null })
  const browsers: Browser[] = []
  for (let number = 0; number < count; number += 1) {
    const browser = openBrowser(server)
    await signOn(browser, { email, subject: id })
    browsers.push(browser)
  }
  return { id, browsers }
}

describe('signing out at the provider', () => {
  it('ends the session that began there, and no other session of the user', async () => {
    const { id, browsers } = await signOnIn(2)
    const withoutProvider = openBrowser(server)
    const { name, value } = await makeSession(server, id)
    withoutProvider.cookies.set(name, value)
    await signOutAtProvider(scenario.provider)
    const [first, second] = browsers
    expect([first && (await isSignedIn(first)), second && (await isSignedIn(second))]).toEqual([true, false])
    expect(await isSignedIn(withoutProvider)).toBe(true)
    const entries = server.db.selectFrom('audit_log').select(['actor_kind', 'detail']).where('subject_id', '=', id)
    expect(await entries.where('action', '=', 'session.end_by_provider').execute()).toEqual([
      { actor_kind: 'system', detail: { issuer: scenario.provider.issuer, count: 1 } },
    ])
  })

  it('closes the event streams of the session', async () => {
    const { id, browsers } = await signOnIn(1)
    const project = await makeProject(server)
    await server.db.insertInto('memberships').values({ project_id: project.id, user_id: id, role: 'viewer' }).execute()
    const [browser] = browsers
    const cookie = [...(browser?.cookies ?? [])].map(([name, value]) => `${name}=${value}`).join('; ')
    const response = await fetch(`${server.url}/v1/projects/${project.id}/events`, { headers: { cookie } })
    expect(response.status).toBe(200)
    await signOutAtProvider(scenario.provider)
    await response.text()
  })
})

/** A user with a second factor who has signed on: the sign-in waits for the factor. */
async function signOnWithFactor() {
  const { id, email } = await makeUserWithPassword(server, { password: null })
  const { code } = await insertTotp(server, id)
  const browser = openBrowser(server)
  await signOn(browser, { email, subject: id })
  const complete = async () => (await browser.api('POST', '/v1/session/second-factor', { totp_code: code })).status
  return { id, browser, complete }
}

describe('a sign-on that waits for the second factor', () => {
  it('ends when the user signs out at the provider, and is recorded', async () => {
    const { id, browser, complete } = await signOnWithFactor()
    await signOutAtProvider(scenario.provider)
    expect([await complete(), await isSignedIn(browser)]).toEqual([401, false])
    const entries = server.db.selectFrom('audit_log').select('detail').where('subject_id', '=', id)
    expect(await entries.where('action', '=', 'session.end_by_provider').execute()).toEqual([
      { detail: { issuer: scenario.provider.issuer, count: 1 } },
    ])
  })

  it('ends with a logout of its user, and not with one of another user or session', async () => {
    const { id, browser, complete } = await signOnWithFactor()
    for (const claims of [{ sub: 'another' }, { sub: id, sid: 'another' }]) {
      expect((await send(await sign(createClaims(claims)))).status).toBe(200)
    }
    const other = await signOnWithFactor()
    expect((await send(await sign(createClaims({ sub: other.id })))).status).toBe(200)
    expect([await complete(), await isSignedIn(browser)]).toEqual([201, true])
    expect(await other.complete()).toBe(401)
  })
})

describe('a valid logout token', () => {
  it('with a user ends all sessions of the user that began at the provider, and returns 200 without storing', async () => {
    const { id, browsers } = await signOnIn(2)
    const others = await signOnIn(1)
    const { status, text, headers } = await send(await sign(createClaims({ sub: id })))
    expect([status, text, headers.get('cache-control')]).toEqual([200, '', 'no-store'])
    for (const browser of browsers) expect(await isSignedIn(browser)).toBe(false)
    for (const browser of others.browsers) expect(await isSignedIn(browser)).toBe(true)
  })

  it.each([
    ['for several audiences', () => ({ aud: ['other', scenario.provider.clientId] })],
    ['without exp, which not all providers set', () => ({ exp: undefined })],
    ['that names nothing here', () => ({ sid: 'unknown' })],
  ])('is accepted %s', async (_what, getChanges) => {
    expect((await send(await sign(createClaims(getChanges())))).status).toBe(200)
  })

  it('with another session (sid) of the user ends nothing', async () => {
    const { id, browsers } = await signOnIn(1)
    expect((await send(await sign(createClaims({ sub: id, sid: 'another' })))).status).toBe(200)
    expect(browsers[0] && (await isSignedIn(browsers[0]))).toBe(true)
  })

  it('counts once: a copy of it does not end a later session', async () => {
    const { id } = await signOnIn(1)
    const token = await sign(createClaims({ sub: id }))
    expect((await send(token)).status).toBe(200)
    const browser = openBrowser(server)
    await signOn(browser, { email: `${id}@example.test`, subject: id })
    expect((await send(token)).status).toBe(400)
    expect(await isSignedIn(browser)).toBe(true)
  })
})

describe('a logout token that is not valid returns 400 and ends nothing:', () => {
  /** All wrong tokens are about one user, whose session must survive. */
  let started: ReturnType<typeof signOnIn> | undefined
  const now = () => Math.floor(Date.now() / 1000)
  const stranger = { ...generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey.export({ format: 'jwk' }) }
  it.each<[string, (sub: string) => Promise<string> | string]>([
    ['signed by a stranger with the id of the key', (sub) => sign(createClaims({ sub }), {}, stranger)],
    ['signed with a key that the provider does not have', (sub) => sign(createClaims({ sub }), { kid: 'x' }, stranger)],
    ['not signed (alg none)', (sub) => new UnsecuredJWT(createClaims({ sub })).encode()],
    [
      'signed with the client secret',
      (sub) =>
        new SignJWT(createClaims({ sub }))
          .setProtectedHeader({ alg: 'HS256' })
          .sign(new TextEncoder().encode(scenario.provider.clientSecret)),
    ],
    [
      'with changed claims',
      async (sub) => {
        const [header = '', , signature = ''] = (await sign(createClaims())).split('.')
        return [header, Buffer.from(JSON.stringify(createClaims({ sub }))).toString('base64url'), signature].join('.')
      },
    ],
    ['of another issuer', (sub) => sign(createClaims({ sub, iss: 'https://evil.example' }))],
    ['without an issuer', (sub) => sign(createClaims({ sub, iss: undefined }))],
    ['for another client', (sub) => sign(createClaims({ sub, aud: 'another-client' }))],
    ['without an audience', (sub) => sign(createClaims({ sub, aud: undefined }))],
    ['that is ten minutes old', (sub) => sign(createClaims({ sub, iat: now() - 600 }))],
    ['of the future', (sub) => sign(createClaims({ sub, iat: now() + 600 }))],
    ['without a time of issue', (sub) => sign(createClaims({ sub, iat: undefined }))],
    ['that has expired', (sub) => sign(createClaims({ sub, exp: now() - 120 }))],
    ['without an id (jti)', (sub) => sign(createClaims({ sub, jti: undefined }))],
    ['without events', (sub) => sign(createClaims({ sub, events: undefined }))],
    ['with another event', (sub) => sign(createClaims({ sub, events: { 'https://example.test/event': {} } }))],
    ['with an event that is no object', (sub) => sign(createClaims({ sub, events: { [EVENT]: true } }))],
    ['with a nonce, as ID tokens have', (sub) => sign(createClaims({ sub, nonce: 'n' }))],
    ['without a user and a session', () => sign(createClaims({ sub: undefined }))],
    ['with a user that is a number', () => sign(createClaims({ sub: 7 }))],
    ['of another type', (sub) => sign(createClaims({ sub }), { typ: 'at+jwt' })],
    ['of 20,000 characters', (sub) => sign(createClaims({ sub, filler: 'x'.repeat(10_000) }))],
    ['that is no JWT', () => 'nonsense'],
  ])('%s', async (_what, create) => {
    started ??= signOnIn(1)
    const { id, browsers } = await started
    const { status, text, headers } = await send(await create(id))
    expect([status, JSON.parse(text)]).toEqual([
      400,
      { error: 'invalid_request', error_description: expect.any(String) },
    ])
    expect([headers.get('cache-control'), headers.get('content-type')]).toEqual([
      'no-store',
      expect.stringContaining('application/json'),
    ])
    expect(browsers[0] && (await isSignedIn(browsers[0]))).toBe(true)
  })

  it('a form without a token', async () => {
    const response = await fetch(server.url + PATH, { method: 'POST', body: new URLSearchParams({ token: 'x' }) })
    expect(response.status).toBe(400)
  })
})
