import type { Me } from '@caseward/contract/session'
import { describe, expect, it } from 'vitest'

import { type Browser, openBrowser } from '@caseward/test-support/browser'
import { makeInvitation, makeProject } from '@caseward/test-support/factories'
import { useSingleSignOn } from '@caseward/test-support/single-sign-on'
import { makeSignedInUser, makeUserWithPassword, PASSWORD } from '@caseward/test-support/users'
import { createResetLink } from '../password-reset/password-reset.queries.ts'
import { insertLink } from '../../invitations/invitation-links.queries.ts'

/** No mail server is configured, so that the inviter sees the link. */
const { server, signOn } = useSingleSignOn()

const LINK_PATH = '/sign-in/oidc/link'
const newPassword = 'another long password'
const getMe = async (browser: Browser): Promise<Me | null> => {
  const { status, text } = await browser.get('/v1/me')
  return status === 200 ? (JSON.parse(text) as { data: Me }).data : null
}
const getSignInStatus = async (email: string, password: string) =>
  (await openBrowser(server).api('POST', '/v1/session', { email, password })).status
const getTokenStatus = async (token: string) => (await server.request('GET', '/v1/me', { token })).status

async function createToken(browser: Browser): Promise<string> {
  const { text } = await browser.api('POST', '/v1/tokens', { name: 'laptop' })
  return (JSON.parse(text) as { data: { token: string } }).data.token
}

let victimCount = 0

/** Joins by an invitation link in place of the invited person, and leaves a session and a token in the account. */
async function occupyAddress({ isMailed }: { isMailed: boolean }) {
  victimCount += 1
  const email = `victim${victimCount}@example.test`
  const { id, secret } = await makeInvitation(server, await makeProject(server), { email })
  const link = isMailed ? await insertLink(server.db, id, { isMailed: true }) : secret
  const browser = openBrowser(server)
  expect((await browser.post(`/join/${link}`, { name: 'Mallory', password: PASSWORD })).status).toBe(303)
  return { email, browser, token: await createToken(browser) }
}

async function createResetPath(userId: string): Promise<string> {
  const expires_at = new Date(Date.now() + 60_000)
  await server.db.insertInto('password_resets').values({ user_id: userId, expires_at }).execute()
  return `/reset/${(await createResetLink(server.db, userId))?.secret}`
}

describe('an account that was created with an invitation link that the inviter saw', () => {
  it('belongs to the owner of the address after single sign-on, without password, sessions and tokens', async () => {
    const occupant = await occupyAddress({ isMailed: false })
    const occupantId = (await getMe(occupant.browser))?.id
    const owner = openBrowser(server)
    expect((await signOn(owner, { email: occupant.email })).location).toBe('/')
    expect(await getMe(owner)).toMatchObject({ id: occupantId, email: occupant.email, has_password: false })
    expect(await getMe(occupant.browser)).toBeNull()
    expect(await getTokenStatus(occupant.token)).toBe(401)
    expect(await getSignInStatus(occupant.email, PASSWORD)).toBe(401)
  })

  it('is taken over once: a later sign-on keeps what the owner has created', async () => {
    const { email } = await occupyAddress({ isMailed: false })
    const owner = openBrowser(server)
    await signOn(owner, { email })
    const token = await createToken(owner)
    await signOn(openBrowser(server), { email })
    expect([await getTokenStatus(token), (await getMe(owner))?.email]).toEqual([200, email])
  })

  it('belongs to the owner of the address after a password reset, without sessions and tokens', async () => {
    const occupant = await occupyAddress({ isMailed: false })
    const path = await createResetPath((await getMe(occupant.browser))?.id ?? '')
    expect((await openBrowser(server).get(path)).text).toContain('It also revokes all personal tokens')
    const owner = openBrowser(server)
    expect((await owner.post(path, { password: newPassword })).status).toBe(303)
    expect(await getTokenStatus(occupant.token)).toBe(401)
    expect(await getMe(occupant.browser)).toBeNull()
    expect((await getMe(owner))?.email).toBe(occupant.email)
  })

  it.each(['single sign-on', 'a password reset'])('keeps no invitation of the occupant after %s', async (way) => {
    const { email, browser, token } = await occupyAddress({ isMailed: false })
    const project = await makeProject(server, { token })
    const { id } = await makeInvitation(server, project)
    if (way === 'single sign-on') await signOn(openBrowser(server), { email })
    else {
      const path = await createResetPath((await getMe(browser))?.id ?? '')
      await openBrowser(server).post(path, { password: newPassword })
    }
    const invitation = server.db.selectFrom('invitations').select('status').where('id', '=', id)
    expect((await invitation.executeTakeFirstOrThrow()).status).toBe('revoked')
  })

  it('keeps no reset link and no known browser of the occupant', async () => {
    const { email, browser } = await occupyAddress({ isMailed: false })
    const id = (await getMe(browser))?.id ?? ''
    const path = await createResetPath(id)
    await signOn(openBrowser(server), { email })
    expect((await openBrowser(server).get(path)).status).toBe(410)
    const browsers = await server.db.selectFrom('known_browsers').selectAll().where('user_id', '=', id).execute()
    expect(browsers).toHaveLength(1)
  })
})

describe('an account that was created with an invitation link from an email', () => {
  it('asks for the password at the first single sign-on, and keeps sessions and tokens', async () => {
    const { email, browser, token } = await occupyAddress({ isMailed: true })
    const signedOn = openBrowser(server)
    expect((await signOn(signedOn, { email })).location).toContain(LINK_PATH)
    await signedOn.post(LINK_PATH, { password: PASSWORD })
    expect((await getMe(browser))?.email).toBe(email)
    expect(await getTokenStatus(token)).toBe(200)
  })

  it('keeps its tokens after a password reset', async () => {
    const { browser, token } = await occupyAddress({ isMailed: true })
    const path = await createResetPath((await getMe(browser))?.id ?? '')
    expect((await openBrowser(server).get(path)).text).not.toContain('revokes all personal tokens')
    await openBrowser(server).post(path, { password: newPassword })
    expect(await getTokenStatus(token)).toBe(200)
  })
})

describe('an email address', () => {
  const isConfirmed = async (id: string) => {
    const user = server.db.selectFrom('users').select('email_confirmed_at').where('id', '=', id)
    return (await user.executeTakeFirstOrThrow()).email_confirmed_at !== null
  }

  it.each([
    ['is confirmed', true],
    ['is not confirmed', false],
  ])('%s when a user joins another project with a link that was mailed: %s', async (_, isMailed) => {
    const { id, email, browser } = await makeSignedInUser(server, { isEmailConfirmed: false })
    const invitation = await makeInvitation(server, await makeProject(server), { email })
    const secret = isMailed ? await insertLink(server.db, invitation.id, { isMailed }) : invitation.secret
    expect((await browser.api('POST', `/v1/invitations/${secret}/accept`)).status).toBe(200)
    expect(await isConfirmed(id)).toBe(isMailed)
  })

  it('is confirmed by a password reset', async () => {
    const { id } = await makeUserWithPassword(server, { isEmailConfirmed: false })
    await openBrowser(server).post(await createResetPath(id), { password: newPassword })
    expect(await isConfirmed(id)).toBe(true)
  })
})
