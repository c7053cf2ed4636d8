import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { openBrowser } from '@caseward/test-support/browser'
import { startTestServer, type TestServer } from '@caseward/test-support/test-server'
import { makeSignedInUser, makeUserWithPassword, PASSWORD } from '@caseward/test-support/users'

let server: TestServer
let dataDir: string
beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'caseward-reset-'))
  server = await startTestServer({ dataDir })
  await server.startWorker()
})
afterAll(async () => {
  await server.close()
  await rm(dataDir, { recursive: true })
})

const next = 'another long password'

async function mailsTo(email: string): Promise<string[]> {
  const folder = join(dataDir, 'outbox')
  const files = (await readdir(folder).catch(() => [])).filter((file) => file.endsWith('.eml')).toSorted()
  const mails = await Promise.all(files.map((file) => readFile(join(folder, file), 'utf8')))
  return mails.filter((mail) => mail.toLowerCase().includes(`to: ${email.toLowerCase()}`))
}

/** Asks for a link, and returns its path once the mail has come. */
async function askFor(email: string): Promise<string> {
  const before = (await mailsTo(email)).length
  expect((await openBrowser(server).post('/reset', { email })).status).toBe(200)
  await expect.poll(async () => (await mailsTo(email)).length, { timeout: 10_000 }).toBe(before + 1)
  const mail = (await mailsTo(email)).at(-1) ?? ''
  return /(\/reset\/[\w-]{43})/.exec(mail.replaceAll('=\r\n', ''))?.[1] ?? ''
}

const canSignIn = async (email: string, password: string) =>
  (await openBrowser(server).post('/sign-in', { email, password })).status === 303

describe('the link of a reset', () => {
  it('sets a new password, ends all sessions but a new one, and works once', async () => {
    const { email, browser: other } = await makeSignedInUser(server)
    const path = await askFor(email)
    const browser = openBrowser(server)
    expect((await browser.get(path)).text).toContain(email)
    expect((await browser.post(path, { password: next })).location).toBe('/account')
    expect((await browser.get('/account')).status).toBe(200)
    expect((await other.get('/account')).location).toBe('/sign-in')
    expect([await canSignIn(email, PASSWORD), await canSignIn(email, next)]).toEqual([false, true])
    expect((await openBrowser(server).post(path, { password: 'a third long password' })).status).toBe(410)
    expect(await canSignIn(email, next)).toBe(true)
  })

  it('sets one password when it is used twice at once', async () => {
    const { email } = await makeUserWithPassword(server)
    const path = await askFor(email)
    const answers = await Promise.all([1, 2].map((n) => openBrowser(server).post(path, { password: `${next} ${n}` })))
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([303, 410])
  })

  it('ends an hour after it was asked for', async () => {
    const { email, id } = await makeUserWithPassword(server)
    const path = await askFor(email)
    const links = server.db.selectFrom('password_reset_links').select('expires_at').where('user_id', '=', id)
    const msLeft = ((await links.execute())[0]?.expires_at.getTime() ?? 0) - Date.now()
    expect(msLeft).toBeGreaterThan(3_500_000)
    expect(msLeft).toBeLessThanOrEqual(3_600_000)
    const ended = { expires_at: new Date() }
    await server.db.updateTable('password_reset_links').set(ended).where('user_id', '=', id).execute()
    expect((await openBrowser(server).get(path)).status).toBe(410)
    expect((await openBrowser(server).post(path, { password: next })).status).toBe(410)
  })

  it('leads to where a new one is asked for, when it has ended', async () => {
    expect((await openBrowser(server).get('/reset/nonsense')).text).toContain('href="/reset">Ask for a new link')
  })

  it('goes on when a newer one is asked for, be it by somebody else, and ends when that is used', async () => {
    const { email } = await makeUserWithPassword(server)
    const [first, second] = [await askFor(email), await askFor(email)]
    expect((await openBrowser(server).get(first)).status).toBe(200)
    expect((await openBrowser(server).post(second, { password: next })).status).toBe(303)
    expect((await openBrowser(server).get(first)).status).toBe(410)
    expect((await openBrowser(server).post(first, { password: 'a third long password' })).status).toBe(410)
  })

  it('ends when the password is changed otherwise', async () => {
    const { email, browser } = await makeSignedInUser(server)
    const path = await askFor(email)
    await browser.api('PATCH', '/v1/me', { password: next, current_password: PASSWORD })
    expect((await openBrowser(server).get(path)).status).toBe(410)
  })

  it('gives a password to who has none', async () => {
    const { email } = await makeUserWithPassword(server, { password: null })
    await openBrowser(server).post(await askFor(email), { password: next })
    expect(await canSignIn(email, next)).toBe(true)
  })

  it('stays good when the new password is too short', async () => {
    const { email } = await makeUserWithPassword(server)
    const path = await askFor(email)
    const { status, text } = await openBrowser(server).post(path, { password: 'short' })
    expect([status, text.includes('id="password-error"')]).toEqual([400, true])
    expect((await openBrowser(server).post(path, { password: next })).status).toBe(303)
  })

  it('lies nowhere but in the mail', async () => {
    const { email } = await makeUserWithPassword(server)
    const secret = (await askFor(email)).split('/')[2] ?? ''
    const rows = await server.db.selectFrom('password_reset_links').selectAll().execute()
    expect(rows.map(({ secret_hash }) => String(secret_hash)).join('')).not.toContain(secret)
    expect(server.logged.join('')).not.toContain(secret)
  })
})

describe('asking for a reset', () => {
  it('is answered alike, and takes as long, for an address that nobody has', async () => {
    const { email } = await makeUserWithPassword(server)
    const ask = async (each: string) => {
      const start = performance.now()
      const { status, text } = await openBrowser(server).post('/reset', { email: each })
      return { status, text: text.replaceAll(each, ''), ms: performance.now() - start }
    }
    const [known, unknown] = [await ask(email), await ask('nobody@example.test')]
    expect([known.status, known.text]).toEqual([unknown.status, unknown.text])
    for (const { ms } of [known, unknown]) expect(ms).toBeGreaterThanOrEqual(245)
    expect(Math.abs(known.ms - unknown.ms)).toBeLessThan(150)
  })

  it('sends nothing to an address that nobody has', async () => {
    const { email } = await makeUserWithPassword(server)
    await openBrowser(server).post('/reset', { email: 'nobody@example.test' })
    await askFor(email) // by when the other would have come
    expect(await mailsTo('nobody@example.test')).toEqual([])
  })

  it('is not for another site to do', async () => {
    const { email } = await makeUserWithPassword(server)
    const { status } = await openBrowser(server, { origin: 'https://evil.test' }).post('/reset', { email })
    expect(status).toBe(403)
  })
})
