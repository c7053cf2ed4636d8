import type { Me } from '@caseward/contract/session'
import { describe, expect, it } from 'vitest'

import { type Browser, openBrowser } from '@caseward/test-support/browser'
import { useSingleSignOn } from '@caseward/test-support/single-sign-on'
import { makeSignedInUser, makeUserWithPassword, openSignedInBrowser, PASSWORD } from '@caseward/test-support/users'

const signOnScenario = useSingleSignOn()
const { server, signOn } = signOnScenario

const LINK_PATH = '/sign-in/oidc/link'
const getMe = async (browser: Browser): Promise<Me | null> => {
  const { status, text } = await browser.get('/v1/me')
  return status === 200 ? (JSON.parse(text) as { data: Me }).data : null
}
const getSignInStatus = async (email: string, password: string) =>
  (await openBrowser(server).api('POST', '/v1/session', { email, password })).status

/** Creates a user with a password, and links the account with the user of the provider. */
async function makeLinkedUser() {
  const { id, email } = await makeUserWithPassword(server)
  const subject = `subject of ${id}`
  const browser = openBrowser(server)
  await signOn(browser, { email, subject })
  expect((await browser.post(LINK_PATH, { password: PASSWORD })).status).toBe(303)
  return { id, email, subject, browser }
}

describe('the first single sign-on for an account with a password', () => {
  it('asks for the password on a page that names the account and the provider', async () => {
    const { email } = await makeUserWithPassword(server)
    const browser = openBrowser(server)
    const { status, location } = await signOn(browser, { email }, '?next=/join/abc')
    expect([status, location]).toEqual([303, `${LINK_PATH}?next=%2Fjoin%2Fabc`])
    const { text } = await browser.get(location ?? '')
    expect([text.includes(email), text.includes('Example')]).toEqual([true, true])
    expect(await getMe(browser)).toBeNull()
  })

  it('signs in after the password, redirects to the requested page, and does not ask again', async () => {
    const { id, email } = await makeUserWithPassword(server)
    const browser = openBrowser(server)
    await signOn(browser, { email })
    const linked = await browser.post(`${LINK_PATH}?next=/join/abc`, { password: PASSWORD })
    expect([linked.status, linked.location]).toEqual([303, '/join/abc'])
    expect(await getMe(browser)).toMatchObject({ id, has_password: true })
    const nextBrowser = openBrowser(server)
    expect((await signOn(nextBrowser, { email })).location).toBe('/')
    expect((await getMe(nextBrowser))?.id).toBe(id)
    expect(await getSignInStatus(email, PASSWORD)).toBe(201)
  })

  it('shows an error at the field when the password is wrong, and does not link the account', async () => {
    const { email } = await makeUserWithPassword(server)
    const browser = openBrowser(server)
    await signOn(browser, { email })
    const { status, text } = await browser.post(LINK_PATH, { password: 'wrong password' })
    expect(status).toBe(400)
    expect(text).toContain('id="password-error">This is not the password of this account.')
    expect(await getMe(browser)).toBeNull()
    expect((await signOn(openBrowser(server), { email })).location).toContain(LINK_PATH)
  })

  it('keeps the sessions and tokens of the account', async () => {
    const { email, browser } = await makeSignedInUser(server)
    const signedOn = openBrowser(server)
    await signOn(signedOn, { email })
    await signedOn.post(LINK_PATH, { password: PASSWORD })
    expect((await getMe(browser))?.email).toBe(email)
  })

  it('does not sign in when the password has changed since it was checked', async () => {
    const { email } = await makeUserWithPassword(server)
    const browser = openBrowser(server)
    await signOn(browser, { email })
    const owner = await openSignedInBrowser(server, email)
    const [changed, linked] = await Promise.all([
      owner.api('PATCH', '/v1/me', { current_password: PASSWORD, password: 'another long password' }),
      browser.post(LINK_PATH, { password: PASSWORD }),
    ])
    expect(changed.status).toBe(200)
    // Either the link came first and its session has ended, or the password was wrong.
    expect([303, 400]).toContain(linked.status)
    expect(await getMe(browser)).toBeNull()
  })
})

describe('/sign-in/oidc/link', () => {
  it.each(['GET', 'POST'])('returns 400 to %s without a sign-on that waits for a password', async (method) => {
    const browser = openBrowser(server)
    browser.cookies.set('caseward-identity', 'made-up')
    const page = method === 'GET' ? await browser.get(LINK_PATH) : await browser.post(LINK_PATH, { password: PASSWORD })
    expect([page.status, page.text.includes('Sign-in was not completed')]).toEqual([400, true])
  })

  it('works once, and only for 15 minutes', async () => {
    const { email } = await makeUserWithPassword(server)
    const browser = openBrowser(server)
    await signOn(browser, { email })
    const secret = browser.cookies.get('caseward-identity') ?? ''
    expect(browser.setCookies.at(-1)).toMatch(
      /^caseward-identity=[\w-]{43}; Max-Age=900; Path=\/; HttpOnly; SameSite=Lax$/,
    )
    expect((await browser.post(LINK_PATH, { password: PASSWORD })).status).toBe(303)
    expect(browser.cookies.has('caseward-identity')).toBe(false)
    browser.cookies.set('caseward-identity', secret)
    expect((await browser.post(LINK_PATH, { password: PASSWORD })).status).toBe(400)

    const late = openBrowser(server)
    await signOn(late, { email: (await makeUserWithPassword(server)).email })
    await server.db.updateTable('pending_identities').set({ expires_at: new Date() }).execute()
    expect((await late.get(LINK_PATH)).status).toBe(400)
  })

  it('links one of two users of the provider who both wait for the password', async () => {
    const { email } = await makeUserWithPassword(server)
    const browsers = [openBrowser(server), openBrowser(server)]
    for (const [index, browser] of browsers.entries()) await signOn(browser, { email, subject: `twin ${index}` })
    const pages = await Promise.all(browsers.map((browser) => browser.post(LINK_PATH, { password: PASSWORD })))
    expect(pages.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([303, 403])
  })
})

describe('an account that is linked with a user of the provider', () => {
  it('is found by issuer and subject after the email address at the provider has changed', async () => {
    const { id, subject } = await makeLinkedUser()
    const other = await makeUserWithPassword(server)
    for (const email of ['changed@example.test', other.email]) {
      const browser = openBrowser(server)
      expect((await signOn(browser, { email, subject })).location).toBe('/')
      expect((await getMe(browser))?.id).toBe(id)
    }
  })

  it('is found when the provider no longer says that the address is verified', async () => {
    const { id, email, subject } = await makeLinkedUser()
    const browser = openBrowser(server)
    await signOn(browser, { email, subject, isVerified: false })
    expect((await getMe(browser))?.id).toBe(id)
  })

  it('refuses another user of the provider who has the address now, and says what to do', async () => {
    const { email, subject } = await makeLinkedUser()
    const browser = openBrowser(server)
    const { status, text } = await signOn(browser, { email, subject: `${subject}, another` })
    expect(status).toBe(403)
    expect(text).toContain('linked to another user of your sign-in provider')
    expect(text).toContain('href="/sign-in">Back to sign-in')
    expect(await getMe(browser)).toBeNull()
  })

  it('is linked without asking when it has no password', async () => {
    const { id, email } = await makeUserWithPassword(server, { password: null })
    const browser = openBrowser(server)
    expect((await signOn(browser, { email })).location).toBe('/')
    expect((await getMe(browser))?.id).toBe(id)
    expect((await signOn(openBrowser(server), { email, subject: 'another' })).status).toBe(403)
  })

  it('is linked once when a user signs in in two tabs at the same time', async () => {
    for (let round = 0; round < 5; round += 1) {
      const { id, email } = await makeUserWithPassword(server, { password: null })
      const { provider, getCallbackPath } = signOnScenario
      provider.claims = { email, email_verified: true }
      provider.subject = null
      const browsers = [openBrowser(server), openBrowser(server)]
      const paths: string[] = []
      for (const browser of browsers) paths.push(await getCallbackPath(browser))
      const pages = await Promise.all(browsers.map((browser, index) => browser.get(paths[index] ?? '')))
      expect(pages.map(({ location }) => location)).toEqual(['/', '/'])
      const rows = server.db.selectFrom('sign_in_identities').select('id').where('user_id', '=', id)
      expect(await rows.execute()).toHaveLength(1)
    }
  })
})
