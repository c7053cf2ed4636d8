import { join } from 'node:path'

import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest'

import { type CasewardProcess, startCaseward } from '@caseward/test-support/caseward-process'
import { type Chromium, startChromium } from '@caseward/test-support/chromium'
import { type MailServer, startMailServer } from '@caseward/test-support/mail-server'
import { getMailPart } from '@caseward/test-support/mails'
import { INSTALL_TIMEOUT_MS } from '@caseward/test-support/programs'
import type { Tab } from '@caseward/test-support/tab'
import { createTemporaryDirectory } from '@caseward/test-support/temporary-directory'

/*
 * What people see who have just installed Caseward: the service itself as a process, its first start on an empty
 * folder, limits as they are by default, mails over SMTP, and a browser for each of them.
 */

let chromium: Chromium
beforeAll(async () => {
  chromium = await startChromium()
}, INSTALL_TIMEOUT_MS)
afterAll(() => chromium.close())

/** A story starts a database and some browsers: seconds, and more on a machine that is busy. */
const STORY_MS = 120_000
const PASSWORD = 'correct horse battery'

interface Place {
  caseward: CasewardProcess
  mails: MailServer
  setupLink: string
}

async function firstStart(): Promise<Place> {
  const mails = await startMailServer()
  onTestFinished(() => mails.close())
  const folder = await createTemporaryDirectory()
  const caseward = await startCaseward({
    DATA_DIR: join(folder, 'data'),
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

/** The link in the latest mail to somebody, once it has come. */
async function linkMailedTo({ mails }: Place, email: string): Promise<string> {
  const latest = () => mails.received.findLast(({ to }) => to.includes(email))
  await expect.poll(latest, { timeout: 15_000 }).toBeDefined()
  return /^http\S+$/m.exec(getMailPart(latest()?.raw ?? '', 'text/plain'))?.[0] ?? ''
}

async function setUp({ setupLink }: Place, name: string, email: string): Promise<Tab> {
  const tab = await chromium.newTab()
  await tab.goto(setupLink)
  await tab.fill('Your name', name)
  await tab.fill('E-mail address', email)
  await tab.fill('Password', PASSWORD)
  await tab.follow('button', 'Create your account')
  expect(await tab.path()).toBe('/account')
  return tab
}

async function makeToken(tab: Tab): Promise<string> {
  await tab.fill('What it is for', 'laptop')
  await tab.follow('button', 'Make a token')
  return await tab.evaluate('document.querySelector(".secret").textContent')
}

type Call = (method: string, path: string, body?: unknown) => Promise<{ status: number; body: Answer }>
interface Answer {
  id: string
  data: { id: string }
  member: { id: string }
}

/** Calls the API as somebody, from a program of theirs. */
const createCaller =
  ({ caseward }: Place, token: string): Call =>
  async (method, path, body) => {
    const answer = await caseward.request(method, path, body, token)
    return { status: answer.status, body: answer.body as Answer }
  }

/** Comes by the mail's link, in a browser that was never here, and makes an account and a token. */
async function joinByMail(place: Place, name: string, email: string): Promise<Call> {
  const tab = await chromium.newTab()
  await tab.goto(await linkMailedTo(place, email))
  await tab.fill('Your name', name)
  await tab.fill('Password', PASSWORD)
  await tab.follow('button', 'Create account and join')
  expect(await tab.text()).toContain('Web shop')
  return createCaller(place, await makeToken(tab))
}

/** Somebody who joins without a browser, for the others to try their rights on. */
async function joinByProgram(place: Place, admin: Call, project: string, email: string): Promise<string> {
  expect((await admin('POST', `${project}/members/invite`, { email, role: 'member' })).status).toBe(201)
  const secret = (await linkMailedTo(place, email)).split('/').at(-1)
  const accept = await fetch(`${place.caseward.url}/v1/invitations/${secret}/accept`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ name: email, password: PASSWORD }),
  })
  return ((await accept.json()) as Answer).member.id
}

it(
  'an admin sets up and invites a member and a viewer; each may do what the table says and nothing more',
  { timeout: STORY_MS },
  async () => {
    const place = await firstStart()
    const admin = createCaller(place, await makeToken(await setUp(place, 'Ada', 'ada@example.test')))
    const made = await admin('POST', '/v1/projects', { name: 'Web shop', prefix: 'WEB' })
    const project = `/v1/projects/${made.body.data.id}`
    for (const role of ['member', 'viewer']) {
      const invited = await admin('POST', `${project}/members/invite`, { email: `${role}@example.test`, role })
      expect(invited.status).toBe(201)
    }
    const member = await joinByMail(place, 'Mira', 'member@example.test')
    const viewer = await joinByMail(place, 'Vera', 'viewer@example.test')

    const leaver = await joinByProgram(place, admin, project, 'leaver@example.test')
    const stayer = await joinByProgram(place, admin, project, 'stayer@example.test')
    const folder = (await admin('POST', `${project}/folders`, { name: 'Checkout' })).body.data.id
    const testCase = (await admin('POST', `${project}/test-cases`, { title: 'Pays by card' })).body.data.id
    const run = (await admin('POST', `${project}/runs`, { name: 'Nightly' })).body.data.id
    const milestone = (await admin('POST', `${project}/milestones`, { name: '1.0' })).body.id

    /** What each row of the table stands for. Every call stays possible for who comes after one that was refused. */
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
      'change member roles': [['PATCH', `${project}/members/${stayer}`, { role: 'viewer' }]],
      'invite and remove members': [
        ['POST', `${project}/members/invite`, { email: 'another@example.test', role: 'viewer' }],
        ['DELETE', `${project}/members/${leaver}`],
      ],
      'project settings': [
        ['PATCH', project, { description: 'The shop on the web' }],
        ['POST', `${project}/tokens`, { name: 'CI' }],
      ],
      'delete project': [['DELETE', project]],
    }
    const tried: Record<string, Record<string, string>> = {}
    for (const [row, calls] of Object.entries(rows)) {
      tried[row] = {}
      for (const [role, call] of Object.entries({ viewer, member, admin })) {
        const statuses: number[] = []
        for (const each of calls) statuses.push((await call(...each)).status)
        const may = statuses.every((status) => status >= 200 && status < 300)
        tried[row][role] = may ? 'yes' : statuses.every((status) => status === 403) ? 'no' : statuses.join(' ')
      }
    }
    const [all, editors, admins] = [
      { viewer: 'yes', member: 'yes', admin: 'yes' },
      { viewer: 'no', member: 'yes', admin: 'yes' },
      { viewer: 'no', member: 'no', admin: 'yes' },
    ]
    expect(tried).toEqual({
      'view test cases and runs': all,
      'create and edit test cases': editors,
      'execute test runs': editors,
      'manage milestones': editors,
      'invite and remove members': admins,
      'change member roles': admins,
      'project settings': admins,
      'delete project': admins,
    })
  },
)

it(
  'who forgot the password sets a new one by mail, which signs out whoever else was in; then they sign out',
  { timeout: STORY_MS },
  async () => {
    const place = await firstStart()
    const left = await setUp(place, 'Ada', 'ada@example.test')
    const url = new URL(place.setupLink).origin

    const tab = await chromium.newTab()
    await tab.goto(`${url}/sign-in`)
    await tab.follow('link', 'Forgot your password?')
    await tab.fill('E-mail address', 'ADA@example.test')
    await tab.follow('button', 'Send the link')
    expect(await tab.title()).toBe('Look at your mail · Caseward')
    await tab.goto(await linkMailedTo(place, 'ada@example.test'))
    await tab.fill('New password', 'another long password')
    await tab.follow('button', 'Set the new password')
    expect(await tab.path()).toBe('/account')

    await left.goto(`${url}/account`)
    expect(await left.path()).toBe('/sign-in')
    const signIn = async (password: string) => {
      await left.fill('E-mail address', 'ada@example.test')
      await left.fill('Password', password)
      await left.follow('button', 'Sign in')
    }
    await signIn(PASSWORD)
    expect(await left.text()).toContain('No account has this e-mail address and password.')
    await signIn('another long password')
    expect(await left.path()).toBe('/account')

    await left.follow('button', 'Sign out')
    await left.goto(`${url}/account`)
    expect(await left.path()).toBe('/sign-in')
  },
)
