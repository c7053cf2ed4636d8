import { beforeEach, describe, expect, it } from 'vitest'

import { openBrowser } from '@caseward/test-support/browser'
import { getDatabaseUrl } from '@caseward/test-support/caseward-process'
import { cloneDatabase } from '@caseward/test-support/database'
import { startService } from '@caseward/test-support/service'
import { useTestServer } from '@caseward/test-support/test-server'
import { makeUserWithPassword, removeUsers } from '@caseward/test-support/users'
import { createSetupLink } from './create-setup-link.ts'

const DAY_MS = 24 * 60 * 60 * 1000
const ada = { name: 'Ada', email: 'ada@example.test', password: 'correct horse battery' }

describe('/setup/:secret', () => {
  const server = useTestServer()
  beforeEach(() => removeUsers(server))
  const createSetupPath = async () => `/setup/${await createSetupLink(server.db)}`
  const countUsers = async () => (await server.db.selectFrom('users').select('id').execute()).length

  it('creates the first account and signs in', async () => {
    const [browser, path] = [openBrowser(server), await createSetupPath()]
    expect((await browser.get(path)).text).toContain('Set up Caseward')
    const response = await browser.post(path, ada)
    expect([response.status, response.location]).toEqual([303, '/'])
    expect((await browser.get('/v1/me')).text).toContain('ada@example.test')
  })

  it('is named by the sign-in page, until the first account exists', async () => {
    const [browser, path] = [openBrowser(server), await createSetupPath()]
    expect((await browser.get('/sign-in')).text).toMatch(/There is no account yet[^]+into its log when it\s+started/)
    await browser.post(path, ada)
    expect((await openBrowser(server).get('/sign-in')).text).not.toContain('There is no account yet')
  })

  it('returns 410 when the link has been used', async () => {
    const path = await createSetupPath()
    await openBrowser(server).post(path, ada)
    expect((await openBrowser(server).get(path)).status).toBe(410)
    expect((await openBrowser(server).post(path, { ...ada, email: 'eve@example.test' })).status).toBe(410)
    expect(await countUsers()).toBe(1)
  })

  it('shows that Caseward is already set up, with a link to sign-in, when there are users', async () => {
    const path = await createSetupPath()
    await openBrowser(server).post(path, ada)
    for (const endedPath of [path, '/setup/nonsense']) {
      const { text } = await openBrowser(server).get(endedPath)
      expect(text).toContain('Caseward is already set up')
      expect(text).toContain('href="/sign-in">Sign in')
      expect(text).not.toContain('Restart')
    }
  })

  it('shows a hint to restart the server, without links, when the secret is unknown and there are no users', async () => {
    const { text } = await openBrowser(server).get('/setup/nonsense')
    expect(text).toContain('Restart the server')
    expect(text).not.toMatch(/href="\/(?:sign-in|account)"/)
  })

  it('accepts the links of all servers until one is used', async () => {
    const [firstPath, secondPath] = [await createSetupPath(), await createSetupPath()]
    expect((await openBrowser(server).get(firstPath)).status).toBe(200)
    await openBrowser(server).post(secondPath, ada)
    expect((await openBrowser(server).get(firstPath)).status).toBe(410)
  })

  it('creates one account when the link is used several times at the same moment', async () => {
    const path = await createSetupPath()
    const responses = await Promise.all(
      ['ada', 'eve', 'bob'].map((name) => openBrowser(server).post(path, { ...ada, email: `${name}@example.test` })),
    )
    expect(responses.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([303, 410, 410])
    expect(await countUsers()).toBe(1)
  })

  it('returns 410 when the secret is unknown', async () => {
    expect((await openBrowser(server).get('/setup/nonsense')).status).toBe(410)
  })

  it('returns 410 when the link is older than seven days', async () => {
    const path = await createSetupPath()
    const created_at = new Date(Date.now() - 7 * DAY_MS - 1000)
    await server.db.updateTable('setup_links').set({ created_at }).execute()
    expect((await openBrowser(server).get(path)).status).toBe(410)
  })

  it('shows errors at the invalid fields, and keeps the link valid', async () => {
    const [browser, path] = [openBrowser(server), await createSetupPath()]
    const { status, text } = await browser.post(path, { name: 'Ada', email: 'ada', password: 'short' })
    expect(status).toBe(400)
    expect(text).toContain('id="email-error">Must be an email address.')
    expect(text).toContain('id="password-error">Must be at least 8 characters long.')
    expect(text).toContain('value="Ada"')
    expect((await browser.post(path, ada)).status).toBe(303)
  })

  it('is stored as a hash', async () => {
    const secret = (await createSetupLink(server.db)) ?? ''
    const rows = await server.db.selectFrom('setup_links').selectAll().execute()
    expect(rows).toHaveLength(1)
    expect(JSON.stringify(rows)).not.toContain(secret)
    expect(rows[0]?.secret_hash.toString()).not.toContain(secret)
  })

  it('is not created when there are users', async () => {
    await makeUserWithPassword(server)
    expect(await createSetupLink(server.db)).toBeNull()
  })
})

describe('the startup message without users', () => {
  const noAdmin = { ADMIN_EMAIL: '', ADMIN_PASSWORD: '', ADMIN_TOKEN: '' }
  const findSetupPath = (message: string) => /http:\/\/localhost:\d+(\/setup\/[\w-]{43})/.exec(message)?.[1]

  it('contains a setup link, and an explanation when ADMIN_EMAIL is set without ADMIN_PASSWORD or ADMIN_TOKEN', async () => {
    const { connection, drop } = await cloneDatabase()
    const settings = { ...noAdmin, DATABASE_URL: getDatabaseUrl(connection), ADMIN_EMAIL: ada.email }
    const server = await startService(settings)
    expect(server.stderr()).toContain('ADMIN_EMAIL has no effect without ADMIN_PASSWORD or ADMIN_TOKEN')
    const browser = openBrowser(server, { origin: server.url })
    expect((await browser.post(findSetupPath(server.stderr()) ?? '', ada)).status).toBe(303)
    server.signal('SIGTERM')
    await server.ended
    await drop()
  })

  it('contains a new link at each start, which the log does not, and no link once there is a user', async () => {
    const { connection, drop } = await cloneDatabase()
    const settings = { ...noAdmin, DATABASE_URL: getDatabaseUrl(connection) }
    const first = await startService(settings)
    const second = await startService(settings)
    const paths = [findSetupPath(first.stderr()), findSetupPath(second.stderr())]
    expect(new Set(paths).size).toBe(2)
    // Each server accepts the link of the other.
    const browser = openBrowser(first, { origin: first.url })
    expect((await browser.post(paths[1] ?? '', ada)).status).toBe(303)
    expect(first.log().join('') + second.log().join('')).not.toContain(paths[1]?.split('/')[2])
    const third = await startService(settings)
    expect(findSetupPath(third.stderr())).toBeUndefined()
    for (const server of [first, second, third]) server.signal('SIGTERM')
    await Promise.all([first.ended, second.ended, third.ended])
    await drop()
  })
})
