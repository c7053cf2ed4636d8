import { join } from 'node:path'

import { getDatabaseUrl } from '@caseward/test-support/caseward-process'
import { startChromium } from '@caseward/test-support/chromium'
import { cloneDatabase } from '@caseward/test-support/database'
import { type MailServer, startMailServer } from '@caseward/test-support/mail-server'
import { getMailPart } from '@caseward/test-support/mails'
import { INSTALL_TIMEOUT_MS } from '@caseward/test-support/programs'
import { type Service, startService } from '@caseward/test-support/service'
import { createTemporaryDirectory } from '@caseward/test-support/temporary-directory'
import type { Browser, Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'

/*
 * A new installation from end to end: the service with an empty data directory and default limits, emails over SMTP, and a
 * browser for each user. `main.test.ts` starts it as a process.
 */

let browser: Browser
beforeAll(async () => {
  browser = await startChromium({ sharesProcesses: true })
}, INSTALL_TIMEOUT_MS)
afterAll(() => browser.close())

const PASSWORD = 'correct horse battery'

interface Installation {
  caseward: Service
  mails: MailServer
  setupLink: string
}

async function startInstallation(database: Record<string, string>): Promise<Installation> {
  const mails = await startMailServer()
  onTestFinished(() => mails.close())
  const caseward = await startService({
    ...database,
    SMTP_URL: mails.url,
    ADMIN_EMAIL: '',
    ADMIN_PASSWORD: '',
    ADMIN_TOKEN: '',
  })
  onTestFinished(async () => {
    caseward.signal('SIGTERM')
    await caseward.ended
  })
  return { caseward, mails, setupLink: /http:\S+\/setup\/\S+/.exec(caseward.stderr())?.[0] ?? '' }
}

/** Waits for an email and returns the link in it. */
async function waitForLink({ mails }: Installation, email: string): Promise<string> {
  const latest = () => mails.received.findLast(({ to }) => to.includes(email))
  await expect.poll(latest).toBeDefined()
  return /^http\S+$/m.exec(getMailPart(latest()?.raw ?? '', 'text/plain'))?.[0] ?? ''
}

/** Opens a page with its own cookies, as on another machine. */
async function openPage(url: string): Promise<Page> {
  const page = await browser.newPage()
  await page.goto(url)
  return page
}

/** Fills in the fields of a form by their labels, and submits it. */
async function submit(form: Page | Locator, fields: Record<string, string>, button: string): Promise<void> {
  for (const [label, text] of Object.entries(fields)) await form.getByLabel(label).fill(text)
  await form.getByRole('button', { name: button, exact: true }).click()
}

const getOrigin = (page: Page) => new URL(page.url()).origin
/** Waits until the app has opened: the list of projects, or the only project. */
const waitForApp = (page: Page) => page.waitForURL(/\/(?:projects\/.*)?$/)

async function createFirstUser({ setupLink }: Installation, name: string, email: string): Promise<Page> {
  const page = await openPage(setupLink)
  await submit(page, { 'Your name': name, 'Email address': email, Password: PASSWORD }, 'Create account')
  await waitForApp(page)
  return page
}

async function createToken(page: Page): Promise<string> {
  await page.goto(`${getOrigin(page)}/account/tokens`)
  await page.getByRole('button', { name: 'New token' }).click()
  const dialog = page.getByRole('dialog')
  await submit(dialog, { Name: 'laptop' }, 'Create token')
  return await dialog.getByLabel('Token').inputValue()
}

type Call = (method: string, path: string, body?: unknown) => Promise<{ status: number; body: ResponseBody }>
interface ResponseBody {
  id: string
  data: { id: string }
  member: { id: string }
}

/** Creates a function that calls the API with a token. */
const createCaller =
  ({ caseward }: Installation, token: string): Call =>
  async (method, path, body) => {
    const response = await caseward.request(method, path, body, token)
    return { status: response.status, body: response.body as ResponseBody }
  }

/** Follows the invitation link in a new browser, creates an account and a token. */
async function joinInBrowser(installation: Installation, name: string, email: string): Promise<Call> {
  const page = await openPage(await waitForLink(installation, email))
  await submit(page, { 'Your name': name, Password: PASSWORD }, 'Create account and join')
  await waitForApp(page)
  return createCaller(installation, await createToken(page))
}

/** Invites a user who joins by the API, and returns the id of the new member. */
async function joinByApi(installation: Installation, admin: Call, project: string, email: string): Promise<string> {
  expect((await admin('POST', `${project}/members/invite`, { email, role: 'member' })).status).toBe(201)
  const secret = (await waitForLink(installation, email)).split('/').at(-1)
  const accept = await fetch(`${installation.caseward.url}/v1/invitations/${secret}/accept`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ name: email, password: PASSWORD }),
  })
  return ((await accept.json()) as ResponseBody).member.id
}

describe('a new installation', () => {
  it('gives an admin, a member and a viewer exactly the permissions of the table', async () => {
    const installation = await startInstallation({
      DATA_DIR: join(await createTemporaryDirectory(), 'data'),
    })
    const admin = createCaller(
      installation,
      await createToken(await createFirstUser(installation, 'Ada', 'ada@example.test')),
    )
    const created = await admin('POST', '/v1/projects', { name: 'Web shop', prefix: 'WEB' })
    const project = `/v1/projects/${created.body.data.id}`
    for (const role of ['member', 'viewer']) {
      const invited = await admin('POST', `${project}/members/invite`, { email: `${role}@example.test`, role })
      expect(invited.status).toBe(201)
    }
    const member = await joinInBrowser(installation, 'Mira', 'member@example.test')
    const viewer = await joinInBrowser(installation, 'Vera', 'viewer@example.test')

    const removableMember = await joinByApi(installation, admin, project, 'leaver@example.test')
    const otherMember = await joinByApi(installation, admin, project, 'stayer@example.test')
    const folder = (await admin('POST', `${project}/folders`, { name: 'Checkout' })).body.data.id
    const testCase = (await admin('POST', `${project}/test-cases`, { title: 'Pays by card' })).body.data.id
    const run = (await admin('POST', `${project}/runs`, { name: 'Nightly' })).body.data.id
    const milestone = (await admin('POST', `${project}/milestones`, { name: '1.0' })).body.id

    /** Requests for each row of the table. Each must still be possible for the next role after it was refused. */
    const rows: Record<string, [method: string, path: string, body?: unknown][]> = {
      'view test cases and runs': [
        ['GET', `${project}/test-cases`],
        ['GET', `${project}/test-cases/${testCase}`],
        ['GET', `/v1/runs/${run}`],
        ['GET', `/v1/runs/${run}/results`],
      ],
      'create and edit test cases': [
        ['POST', `${project}/test-cases`, { title: 'Pays by invoice' }],
        ['PATCH', `${project}/test-cases/${testCase}`, { priority: 'high' }],
        ['POST', `${project}/folders`, { name: 'Search' }],
        ['PATCH', `${project}/folders/${folder}`, { name: 'Checkout and payment' }],
      ],
      'execute test runs': [
        ['POST', `${project}/runs`, { name: 'Smoke' }],
        ['PUT', `/v1/runs/${run}/results/${testCase}`, { status: 'passed' }],
        ['POST', `/v1/runs/${run}/results/bulk`, { results: [{ test_case_id: testCase, status: 'failed' }] }],
        ['PATCH', `/v1/runs/${run}`, { name: 'Nightly, all of it' }],
      ],
      'manage milestones': [
        ['POST', `${project}/milestones`, { name: '2.0' }],
        ['PATCH', `${project}/milestones/${milestone}`, { description: 'The first release' }],
      ],
      'change member roles': [['PATCH', `${project}/members/${otherMember}`, { role: 'viewer' }]],
      'invite and remove members': [
        ['POST', `${project}/members/invite`, { email: 'another@example.test', role: 'viewer' }],
        ['DELETE', `${project}/members/${removableMember}`],
      ],
      'project settings': [
        ['PATCH', project, { description: 'The shop on the web' }],
        ['POST', `${project}/tokens`, { name: 'CI' }],
      ],
      'delete project': [['DELETE', project]],
    }
    const actual: Record<string, Record<string, string>> = {}
    for (const [row, calls] of Object.entries(rows)) {
      actual[row] = {}
      for (const [role, call] of Object.entries({ viewer, member, admin })) {
        const statuses: number[] = []
        for (const request of calls) statuses.push((await call(...request)).status)
        const isAllowed = statuses.every((status) => status >= 200 && status < 300)
        actual[row][role] = isAllowed ? 'yes' : statuses.every((status) => status === 403) ? 'no' : statuses.join(' ')
      }
    }
    const [everyone, editors, admins] = [
      { viewer: 'yes', member: 'yes', admin: 'yes' },
      { viewer: 'no', member: 'yes', admin: 'yes' },
      { viewer: 'no', member: 'no', admin: 'yes' },
    ]
    expect(actual).toEqual({
      'view test cases and runs': everyone,
      'create and edit test cases': editors,
      'execute test runs': editors,
      'manage milestones': editors,
      'invite and remove members': admins,
      'change member roles': admins,
      'project settings': admins,
      'delete project': admins,
    })
  })

  it('lets a user reset a forgotten password by email, which ends the other sessions, and then sign out', async () => {
    const { connection, drop } = await cloneDatabase()
    onTestFinished(drop)
    const installation = await startInstallation({ DATABASE_URL: getDatabaseUrl(connection) })
    const otherPage = await createFirstUser(installation, 'Ada', 'ada@example.test')
    const url = new URL(installation.setupLink).origin

    const page = await openPage(`${url}/sign-in`)
    await page.getByRole('link', { name: 'Forgot your password?' }).click()
    await page.waitForURL(`${url}/reset`)
    await submit(page, { 'Email address': 'ADA@example.test' }, 'Send link')
    await page.getByRole('heading', { name: 'Check your email' }).waitFor()
    await page.goto(await waitForLink(installation, 'ada@example.test'))
    await submit(page, { 'New password': 'another long password' }, 'Set new password')
    await waitForApp(page)

    await otherPage.goto(`${url}/account`)
    expect(new URL(otherPage.url()).pathname).toBe('/sign-in')
    const signIn = (password: string) =>
      submit(otherPage, { 'Email address': 'ada@example.test', Password: password }, 'Sign in')
    await signIn(PASSWORD)
    await otherPage.getByText('Incorrect email address or password.').waitFor()
    await signIn('another long password')
    await otherPage.waitForURL(`${url}/account/profile`)

    await otherPage.getByRole('button', { name: 'Your account' }).click()
    await otherPage.getByRole('menuitem', { name: 'Sign out' }).click()
    await otherPage.waitForURL(`${url}/sign-in`)
    await otherPage.goto(`${url}/account`)
    expect(new URL(otherPage.url()).pathname).toBe('/sign-in')
  })
})
