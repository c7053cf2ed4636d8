import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { openBrowser } from '@caseward/test-support/browser'
import { resetMailLimits } from '@caseward/test-support/mails'
import { useTestServer } from '@caseward/test-support/test-server'
import { makeSignedInUser, makeTokenInBrowser, makeUserWithPassword, PASSWORD } from '@caseward/test-support/users'

let dataDir: string
beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'caseward-reset-'))
})
afterAll(() => rm(dataDir, { recursive: true }))
const server = useTestServer(() => ({ dataDir }))
beforeAll(() => server.startWorker())

const newPassword = 'another long password'

/** The emails with a link, without those that say what happened to the account. */
async function readResetMailsTo(email: string): Promise<string[]> {
  return (await readMailsTo(email)).filter((mail) => findResetPath(mail) !== undefined)
}

const findResetPath = (mail: string) => /(\/reset\/[\w-]{43})/.exec(mail.replaceAll('=\r\n', ''))?.[1]

async function readMailsTo(email: string): Promise<string[]> {
  const outbox = join(dataDir, 'outbox')
  const files = (await readdir(outbox).catch(() => [])).filter((file) => file.endsWith('.eml')).toSorted()
  const mails = await Promise.all(files.map((file) => readFile(join(outbox, file), 'utf8')))
  return mails.filter((mail) => mail.toLowerCase().includes(`to: ${email.toLowerCase()}`))
}

/** Requests a link on the page, and returns its path from the email. Earlier requests do not count. */
async function requestResetPath(email: string): Promise<string> {
  await resetMailLimits(server)
  const mailCount = (await readResetMailsTo(email)).length
  expect((await openBrowser(server).post('/reset', { email })).status).toBe(200)
  await expect.poll(async () => (await readResetMailsTo(email)).length).toBe(mailCount + 1)
  return findResetPath((await readResetMailsTo(email)).at(-1) ?? '') ?? ''
}

const canSignIn = async (email: string, password: string) =>
  (await openBrowser(server).post('/sign-in', { email, password })).status === 303

describe('/reset/:secret', () => {
  it('sets the new password, ends all other sessions and signs in', async () => {
    const { email, browser: otherBrowser } = await makeSignedInUser(server)
    const path = await requestResetPath(email)
    const browser = openBrowser(server)
    expect((await browser.get(path)).text).toContain(email)
    expect((await browser.post(path, { password: newPassword })).location).toBe('/')
    expect((await browser.get('/')).status).toBe(200)
    expect((await otherBrowser.get('/')).location).toBe('/sign-in')
    expect([await canSignIn(email, PASSWORD), await canSignIn(email, newPassword)]).toEqual([false, true])
  })

  it('revokes the personal tokens when the box is checked, also after the form was shown again with an error', async () => {
    const { email, browser: otherBrowser } = await makeSignedInUser(server)
    const { token } = await makeTokenInBrowser(otherBrowser)
    const getTokenStatus = async () => (await server.request('GET', '/v1/me', { token })).status
    const path = await requestResetPath(email)
    await openBrowser(server).post(path, { password: newPassword })
    expect(await getTokenStatus()).toBe(200)
    const nextPath = await requestResetPath(email)
    const failed = await openBrowser(server).post(nextPath, { password: 'short', revoke_tokens: 'yes' })
    expect(failed.text).toMatch(/name="revoke_tokens"[^>]* checked/)
    expect(await getTokenStatus()).toBe(200)
    await openBrowser(server).post(nextPath, { password: newPassword, revoke_tokens: 'yes' })
    expect(await getTokenStatus()).toBe(401)
  })

  it('returns 410 and keeps the password when the link has been used', async () => {
    const { email } = await makeUserWithPassword(server)
    const path = await requestResetPath(email)
    await openBrowser(server).post(path, { password: newPassword })
    expect((await openBrowser(server).post(path, { password: 'a third long password' })).status).toBe(410)
    expect(await canSignIn(email, newPassword)).toBe(true)
  })

  it('sets one password when the link is used twice at the same moment', async () => {
    const { email } = await makeUserWithPassword(server)
    const path = await requestResetPath(email)
    const passwords = [`${newPassword} 1`, `${newPassword} 2`]
    const responses = await Promise.all(passwords.map((password) => openBrowser(server).post(path, { password })))
    expect(responses.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([303, 410])
  })

  it('returns 410 when the link is older than one hour', async () => {
    const { email, id } = await makeUserWithPassword(server)
    const path = await requestResetPath(email)
    const [link] = await server.db
      .selectFrom('password_reset_links')
      .select('expires_at')
      .where('user_id', '=', id)
      .execute()
    const remainingMs = (link?.expires_at.getTime() ?? 0) - Date.now()
    expect(remainingMs).toBeGreaterThan(3_500_000)
    expect(remainingMs).toBeLessThanOrEqual(3_600_000)
    const expired = { expires_at: new Date() }
    await server.db.updateTable('password_reset_links').set(expired).where('user_id', '=', id).execute()
    expect((await openBrowser(server).get(path)).status).toBe(410)
    expect((await openBrowser(server).post(path, { password: newPassword })).status).toBe(410)
  })

  it('shows a link for requesting a new link when the link is not valid', async () => {
    expect((await openBrowser(server).get('/reset/nonsense')).text).toContain('href="/reset">Request a new link')
  })

  it('stays valid when a newer link is requested, and ends when the newer link is used', async () => {
    const { email } = await makeUserWithPassword(server)
    const [olderPath, newerPath] = [await requestResetPath(email), await requestResetPath(email)]
    expect((await openBrowser(server).get(olderPath)).status).toBe(200)
    expect((await openBrowser(server).post(newerPath, { password: newPassword })).status).toBe(303)
    expect((await openBrowser(server).get(olderPath)).status).toBe(410)
    expect((await openBrowser(server).post(olderPath, { password: 'a third long password' })).status).toBe(410)
  })

  it('returns 410 when the user has changed the password meanwhile', async () => {
    const { email, browser } = await makeSignedInUser(server)
    const path = await requestResetPath(email)
    await browser.api('PATCH', '/v1/me', { password: newPassword, current_password: PASSWORD })
    expect((await openBrowser(server).get(path)).status).toBe(410)
  })

  it('sets a password for a user who had none', async () => {
    const { email } = await makeUserWithPassword(server, { password: null })
    await openBrowser(server).post(await requestResetPath(email), { password: newPassword })
    expect(await canSignIn(email, newPassword)).toBe(true)
  })

  it('shows an error at the field when the new password is too short, and keeps the link valid', async () => {
    const { email } = await makeUserWithPassword(server)
    const path = await requestResetPath(email)
    const { status, text } = await openBrowser(server).post(path, { password: 'short' })
    expect([status, text.includes('id="password-error"')]).toEqual([400, true])
    expect((await openBrowser(server).post(path, { password: newPassword })).status).toBe(303)
  })

  it('has a secret that is stored only as a hash and is not logged', async () => {
    const { email } = await makeUserWithPassword(server)
    const secret = (await requestResetPath(email)).split('/')[2] ?? ''
    const rows = await server.db.selectFrom('password_reset_links').selectAll().execute()
    expect(rows.map(({ secret_hash }) => String(secret_hash)).join('')).not.toContain(secret)
    expect(server.logged.join('')).not.toContain(secret)
  })
})

describe('POST /reset', () => {
  it('returns the same page after the same time when no user has that address', async () => {
    const { email } = await makeUserWithPassword(server)
    const measureRequest = async (address: string) => {
      const start = performance.now()
      const { status, text } = await openBrowser(server).post('/reset', { email: address })
      return { status, text: text.replaceAll(address, ''), ms: performance.now() - start }
    }
    const [known, unknown] = [await measureRequest(email), await measureRequest('unknown@example.test')]
    expect([known.status, known.text]).toEqual([unknown.status, unknown.text])
    // The fastest of each, alternating: other load on the machine then slows both alike.
    const [knownTimes, unknownTimes] = [[known.ms], [unknown.ms]]
    for (let round = 0; round < 1; round += 1) {
      knownTimes.push((await measureRequest(email)).ms)
      unknownTimes.push((await measureRequest('unknown@example.test')).ms)
    }
    for (const ms of [...knownTimes, ...unknownTimes]) expect(ms).toBeGreaterThanOrEqual(245)
    expect(Math.abs(Math.min(...knownTimes) - Math.min(...unknownTimes))).toBeLessThan(150)
  })

  it('sends no email when no user has that address', async () => {
    const { email } = await makeUserWithPassword(server)
    await openBrowser(server).post('/reset', { email: 'unknown@example.test' })
    await requestResetPath(email) // An email requested earlier would have been sent by now.
    expect(await readMailsTo('unknown@example.test')).toEqual([])
  })

  it('sends one email when a link is requested eight times at once, with the same response and link', async () => {
    const { email } = await makeUserWithPassword(server)
    const responses = await Promise.all(Array.from({ length: 8 }, () => openBrowser(server).post('/reset', { email })))
    expect(new Set(responses.map(({ status, text }) => `${status} ${text}`)).size).toBe(1)
    expect(responses[0]?.status).toBe(200)
    // Another email after this one shows that the queue is empty.
    await requestResetPath((await makeUserWithPassword(server)).email)
    expect(await readMailsTo(email)).toHaveLength(1)
  })

  it('sends another email after five minutes, and not before', async () => {
    const { email } = await makeUserWithPassword(server)
    await requestResetPath(email)
    await openBrowser(server).post('/reset', { email })
    await requestResetPath((await makeUserWithPassword(server)).email)
    expect(await readMailsTo(email)).toHaveLength(1)
    await server.db.updateTable('mail_limits').set({ resets_at: new Date() }).execute()
    await openBrowser(server).post('/reset', { email })
    await expect.poll(async () => (await readMailsTo(email)).length).toBe(2)
  })

  it('returns 403 when the form is sent by another site', async () => {
    const { email } = await makeUserWithPassword(server)
    const { status } = await openBrowser(server, { origin: 'https://evil.test' }).post('/reset', { email })
    expect(status).toBe(403)
  })
})
