import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { openBrowser } from '@caseward/test-support/browser'
import { getDatabaseUrl, startCaseward } from '@caseward/test-support/caseward-process'
import { cloneDatabase } from '@caseward/test-support/database'
import { startTestServer, type TestServer } from '@caseward/test-support/test-server'
import { makeUserWithPassword } from '@caseward/test-support/users'
import { createSetupLink } from './setup-link.ts'

const ada = { name: 'Ada', email: 'ada@example.test', password: 'correct horse battery' }

describe('the setup link', () => {
  let server: TestServer
  beforeEach(async () => {
    server = await startTestServer()
  })
  afterEach(() => server.close())
  const issue = async () => `/setup/${await createSetupLink(server.db)}`
  const userCount = async () => (await server.db.selectFrom('users').select('id').execute()).length

  it('makes the first account and signs in', async () => {
    const [browser, path] = [openBrowser(server), await issue()]
    expect((await browser.get(path)).text).toContain('Set up Caseward')
    const answer = await browser.post(path, ada)
    expect([answer.status, answer.location]).toEqual([303, '/account'])
    expect((await browser.get('/account')).text).toContain('ada@example.test')
  })

  it('works once', async () => {
    const path = await issue()
    await openBrowser(server).post(path, ada)
    expect((await openBrowser(server).get(path)).status).toBe(410)
    expect((await openBrowser(server).post(path, { ...ada, email: 'eve@example.test' })).status).toBe(410)
    expect(await userCount()).toBe(1)
  })

  it('says, once somebody has set up, that somebody has, and leads to sign-in', async () => {
    const path = await issue()
    await openBrowser(server).post(path, ada)
    for (const ended of [path, '/setup/nonsense']) {
      const { text } = await openBrowser(server).get(ended)
      expect(text).toContain('Somebody has set Caseward up')
      expect(text).toContain('href="/sign-in">Sign in')
      expect(text).not.toContain('Restart')
    }
  })

  it('says, as long as nobody has, that a new one comes with a restart, and leads to no account', async () => {
    const { text } = await openBrowser(server).get('/setup/nonsense')
    expect(text).toContain('Restart the server')
    expect(text).not.toMatch(/href="\/(?:sign-in|account)"/)
  })

  it('of every server is good, until one was used', async () => {
    const [one, other] = [await issue(), await issue()]
    expect((await openBrowser(server).get(one)).status).toBe(200)
    await openBrowser(server).post(other, ada)
    expect((await openBrowser(server).get(one)).status).toBe(410)
  })

  it('makes one account when it is used twice at once', async () => {
    const path = await issue()
    const answers = await Promise.all(
      ['ada', 'eve', 'bob'].map((name) => openBrowser(server).post(path, { ...ada, email: `${name}@example.test` })),
    )
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([303, 410, 410])
    expect(await userCount()).toBe(1)
  })

  it('is not given once there is somebody', async () => {
    await makeUserWithPassword(server)
    expect(await createSetupLink(server.db)).toBeNull()
  })

  it('opens nothing when it is made up, or older than seven days', async () => {
    const path = await issue()
    expect((await openBrowser(server).get('/setup/nonsense')).status).toBe(410)
    await server.db
      .updateTable('setup_links')
      .set({ created_at: new Date(Date.now() - 7 * 86_400_000 - 1000) })
      .execute()
    expect((await openBrowser(server).get(path)).status).toBe(410)
  })

  it('shows what is wrong beside the fields, and stays good', async () => {
    const [browser, path] = [openBrowser(server), await issue()]
    const { status, text } = await browser.post(path, { name: 'Ada', email: 'ada', password: 'short' })
    expect(status).toBe(400)
    expect(text).toContain('id="email-error">Must be an e-mail address.')
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
})

describe('the server’s greeting', () => {
  const nobody = { ADMIN_EMAIL: '', ADMIN_PASSWORD: '', ADMIN_TOKEN: '' }
  const link = (told: string) => /http:\/\/localhost:\d+(\/setup\/[\w-]{43})/.exec(told)?.[1]

  it('gives a link, and says why, where ADMIN_EMAIL comes without what would let its user in', async () => {
    const { connection, drop } = await cloneDatabase()
    const settings = { ...nobody, DATABASE_URL: getDatabaseUrl(connection), ADMIN_EMAIL: ada.email }
    const server = await startCaseward(settings)
    expect(server.stderr()).toContain('ADMIN_EMAIL makes one only together with ADMIN_PASSWORD or ADMIN_TOKEN')
    const browser = openBrowser(server, { origin: server.url })
    expect((await browser.post(link(server.stderr()) ?? '', ada)).status).toBe(303)
    server.signal('SIGTERM')
    await server.ended
    await drop()
  })

  it('gives a new link at each start without anybody, and none afterwards', async () => {
    const { connection, drop } = await cloneDatabase()
    const settings = { ...nobody, DATABASE_URL: getDatabaseUrl(connection) }
    const first = await startCaseward(settings)
    const second = await startCaseward(settings)
    const paths = [link(first.stderr()), link(second.stderr())]
    expect(new Set(paths).size).toBe(2)
    // Each server knows the other's.
    const browser = openBrowser(first, { origin: first.url })
    expect((await browser.post(paths[1] ?? '', ada)).status).toBe(303)
    expect(first.log().join('') + second.log().join('')).not.toContain(paths[1]?.split('/')[2])
    const third = await startCaseward(settings)
    expect(link(third.stderr())).toBeUndefined()
    for (const server of [first, second, third]) server.signal('SIGTERM')
    await Promise.all([first.ended, second.ended, third.ended])
    await drop()
  })
})
