import type { Me } from '@caseward/contract/session'
import { type Browser, openBrowser } from '@caseward/test-support/browser'
import { makeInvitation, makeProject } from '@caseward/test-support/factories'
import { useSingleSignOn } from '@caseward/test-support/single-sign-on'
import { createAuthenticator } from '@caseward/test-support/passkeys'
import { makeUser, makeUserWithPassword, PASSWORD } from '@caseward/test-support/users'
import { describe, expect, it } from 'vitest'

import { endPasswordSessions } from '../session/end-password-sessions.ts'
import { insertSession, PASSKEY_SESSION, PASSWORD_SESSION } from '../session/session.queries.ts'
import { insertSignInLink } from '../session/sign-in-link.queries.ts'
import { createSetupLink } from '../setup/create-setup-link.ts'

const { server, signOn } = useSingleSignOn({ signIn: 'single-sign-on' })

const CODE = 'single_sign_on_required'
const getMe = async (browser: Browser): Promise<Me | null> => {
  const { status, text } = await browser.get('/v1/me')
  return status === 200 ? (JSON.parse(text) as { data: Me }).data : null
}

describe('the first user of a server that requires single sign-on', () => {
  // First, because the links end with the first user.
  it('is created by the setup page without a password, and then signs in at the provider', async () => {
    const path = `/v1/setup/${await createSetupLink(server.db)}`
    const fields = { name: 'Ada', email: 'ada@example.test' }
    const problem = await server.expectProblem(403, 'POST', path, { body: { ...fields, password: PASSWORD } })
    expect(problem.code).toBe(CODE)
    const browser = openBrowser(server)
    expect((await browser.get(path.replace('/v1', ''))).text).not.toContain('type="password"')
    expect((await browser.post(path.replace('/v1', ''), fields)).status).toBe(303)
    expect(await getMe(browser)).toMatchObject({ email: fields.email, has_password: false, is_instance_admin: true })
    const owner = openBrowser(server)
    expect((await signOn(owner, { email: fields.email })).location).toBe('/')
    expect(await getMe(owner)).toMatchObject({ email: fields.email, is_instance_admin: true })
  })
})

describe('a server that requires single sign-on', () => {
  const anyAssertion = createAuthenticator({ url: 'http://localhost' }).get({ challenge: 'any' })

  it('refuses to sign in with the right password, and names where to sign in', async () => {
    const { email } = await makeUserWithPassword(server)
    const problem = await server.expectProblem(403, 'POST', '/v1/session', { body: { email, password: PASSWORD } })
    expect(problem).toMatchObject({ code: CODE, detail: expect.stringMatching(/Example at http\S+\/sign-in\/oidc\.$/) })
    const page = await openBrowser(server).post('/sign-in', { email, password: PASSWORD })
    expect([page.status, page.text.includes('accepts only single sign-on')]).toEqual([403, true])
  })

  it('shows only the provider on the sign-in page', async () => {
    const { status, text } = await openBrowser(server).get('/sign-in?next=/account')
    expect([status, text.includes('Sign in with Example'), text.includes('<input')]).toEqual([200, true, false])
    expect(text).not.toContain('passkey')
    expect(text).toContain('href="/sign-in/oidc?next=%2Faccount"')
  })

  it.each([
    ['POST', '/v1/session/passkey-options', undefined],
    ['POST', '/v1/session/passkey', { passkey: anyAssertion }],
    ['POST', '/v1/password-resets', { email: 'ada@example.test' }],
    ['GET', '/v1/password-resets/x', undefined],
    ['POST', '/v1/password-resets/x', { password: PASSWORD }],
  ])('refuses %s %s', async (method, path, body) => {
    expect((await server.expectProblem(403, method, path, { body })).code).toBe(CODE)
  })

  it('refuses the pages of password reset, with a link to sign in', async () => {
    const browser = openBrowser(server)
    const pages = [
      await browser.get('/reset'),
      await browser.post('/reset', { email: 'ada@example.test' }),
      await browser.get('/reset/x'),
      await browser.post('/reset/x', { password: PASSWORD }),
    ]
    expect(pages.map(({ status }) => status)).toEqual([403, 403, 403, 403])
    for (const { text } of pages) expect(text).toContain('href="/sign-in"')
  })

  it('refuses to change a password', async () => {
    const { token } = await makeUser(server)
    const body = { password: 'another long password', current_password: PASSWORD }
    expect((await server.expectProblem(403, 'PATCH', '/v1/me', { token, body })).code).toBe(CODE)
  })

  it('links an account that has a password at the first sign-on, without asking for the password', async () => {
    const { id, email } = await makeUserWithPassword(server)
    const browser = openBrowser(server)
    expect((await signOn(browser, { email })).location).toBe('/')
    expect(await getMe(browser)).toMatchObject({ id, has_password: false, can_have_password: false })
  })

  it('rejects another user of the provider with the address, and does not name a password', async () => {
    const { email } = await makeUserWithPassword(server)
    await signOn(openBrowser(server), { email, subject: `first ${email}` })
    const page = await signOn(openBrowser(server), { email, subject: `second ${email}` })
    expect([page.status, page.text.includes('operator of this server')]).toEqual([403, true])
    expect(page.text).not.toContain('password')
  })

  it('does not remove the only way to sign in', async () => {
    const { email } = await makeUserWithPassword(server)
    const browser = openBrowser(server)
    await signOn(browser, { email })
    const { data } = JSON.parse((await browser.get('/v1/me/identities')).text) as { data: { id: string }[] }
    const { status, text } = await browser.api('DELETE', `/v1/me/identities/${data[0]?.id}`)
    expect([status, JSON.parse(text)]).toMatchObject([422, { code: 'last_sign_in_method' }])
  })

  it('keeps personal tokens', async () => {
    const { token } = await makeUser(server)
    expect((await server.request('GET', '/v1/me', { token })).status).toBe(200)
  })
})

describe('an invitation to a server that requires single sign-on', () => {
  it('is accepted through the provider by a person without an account', async () => {
    const project = await makeProject(server)
    const { email, secret } = await makeInvitation(server, project, { role: 'viewer' })
    const path = `/join/${secret}`
    const browser = openBrowser(server)
    const page = await browser.get(path)
    expect([page.status, page.text.includes('type="password"')]).toEqual([200, false])
    const next = `?next=${encodeURIComponent(path)}`
    expect(page.text).toContain(`href="/sign-in/oidc${next}"`)
    expect((await signOn(browser, { email }, next)).location).toBe(path)
    expect((await browser.post(path, {})).location).toBe('/')
    const { text } = await browser.get(`/v1/projects/${project.id}/members`)
    expect(JSON.parse(text)).toMatchObject({ data: expect.arrayContaining([expect.objectContaining({ email })]) })
  })

  it('is not accepted with a new password', async () => {
    const { secret } = await makeInvitation(server, await makeProject(server))
    const body = { name: 'Mira', password: PASSWORD }
    const path = `/v1/invitations/${secret}/accept`
    expect((await server.expectProblem(403, 'POST', path, { body })).code).toBe(CODE)
    expect((await openBrowser(server).post(`/join/${secret}`, body)).status).toBe(403)
    expect((await server.request('GET', `/v1/invitations/${secret}`)).status).toBe(200)
  })
})

describe('a session that began with a password or a passkey', () => {
  it.each([PASSWORD_SESSION, PASSKEY_SESSION])(
    'is not valid even if another server has just started it: $method',
    async (start) => {
      const { id } = await makeUserWithPassword(server)
      const browser = openBrowser(server)
      browser.cookies.set('caseward-session', await insertSession(server.db, id, 'Test browser', start))
      expect([(await browser.get('/v1/me')).status, (await browser.get('/')).status]).toEqual([401, 303])
    },
  )

  it('is deleted when the server starts, with an entry in the audit log; others are kept', async () => {
    const user = await makeUserWithPassword(server)
    const browser = openBrowser(server)
    await signOn(browser, user)
    await insertSession(server.db, user.id, 'Test browser', PASSKEY_SESSION)
    expect(await endPasswordSessions(server.db)).toBeGreaterThan(0)
    expect(await endPasswordSessions(server.db)).toBe(0)
    expect((await getMe(browser))?.id).toBe(user.id)
    const entries = server.db.selectFrom('audit_log').selectAll().where('action', '=', 'session.end_password_sessions')
    expect(await entries.execute()).toHaveLength(1)
  })
})

describe('a sign-in link of the operator', () => {
  it('signs in once, after a click, without the provider', async () => {
    const user = await makeUserWithPassword(server)
    const path = `/sign-in/link/${await insertSignInLink(server.db, user.id)}`
    const browser = openBrowser(server)
    for (const visit of [1, 2]) expect([visit, (await browser.get(path)).status]).toEqual([visit, 200])
    expect((await browser.post(path, {})).location).toBe('/')
    expect((await getMe(browser))?.id).toBe(user.id)
    expect((await openBrowser(server).get(path)).status).toBe(410)
    expect((await openBrowser(server).post(path, {})).status).toBe(410)
  })

  it('starts a session of twelve hours', async () => {
    const user = await makeUserWithPassword(server)
    const browser = openBrowser(server)
    await browser.post(`/sign-in/link/${await insertSignInLink(server.db, user.id)}`, {})
    const { data } = JSON.parse((await browser.get('/v1/sessions')).text) as { data: Record<string, string>[] }
    const [session] = data
    expect(Date.parse(session?.['expires_at'] ?? '') - Date.parse(session?.['created_at'] ?? '')).toBe(12 * 3_600_000)
  })

  it.each([
    ['replaced by a newer one', async (id: string) => void (await insertSignInLink(server.db, id))],
    [
      'older than 15 minutes',
      async (id: string) => {
        const expires_at = new Date(Date.now() - 1000)
        await server.db.updateTable('sign_in_links').set({ expires_at }).where('user_id', '=', id).execute()
      },
    ],
    [
      'of a disabled user',
      async (id: string) => {
        await server.db.updateTable('users').set({ disabled_at: new Date() }).where('id', '=', id).execute()
      },
    ],
  ])('returns 410 when it is %s', async (_state, end) => {
    const { id } = await makeUserWithPassword(server)
    const path = `/sign-in/link/${await insertSignInLink(server.db, id)}`
    await end(id)
    expect([(await openBrowser(server).get(path)).status, (await openBrowser(server).post(path, {})).status]).toEqual([
      410, 410,
    ])
  })
})
