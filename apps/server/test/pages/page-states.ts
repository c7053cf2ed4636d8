import { createResetLink } from '../../src/features/auth/password-reset/reset-password.ts'
import { generateSecret } from '../../src/features/auth/session/session.queries.ts'
import { hashSecret } from '../../src/access/secret.ts'
import { makeInvitation, makeProject, makeRun, makeTestCases } from '@caseward/test-support/factories'
import type { Tab } from '@caseward/test-support/tab'
import type { TestServer } from '@caseward/test-support/test-server'
import { makeUserWithPassword, openSignedInBrowser, PASSWORD } from '@caseward/test-support/users'

/** A page as people meet it: how they come to it, and what it is answered with. */
export interface PageState {
  name: string
  status: number
  arrive(tab: Tab, server: TestServer): Promise<void>
  /** The fields that are wrong, in their order. */
  wrong?: string[]
}

const LONG = 'A name that goes on for longer than most, as names of projects will'

const visit =
  (path: string) =>
  async (tab: Tab, { url }: TestServer) =>
    await tab.goto(url + path)

/** Sends a form as it is: what the browser itself would hold back is what the server must answer. */
async function send(tab: Tab, button: string): Promise<void> {
  await tab.evaluate('document.querySelectorAll("form").forEach((form) => { form.noValidate = true })')
  await tab.follow('button', button)
}

async function signIn(tab: Tab, server: TestServer, email: string): Promise<void> {
  await tab.goto(`${server.url}/sign-in`)
  await tab.fill('E-mail address', email)
  await tab.fill('Password', PASSWORD)
  await tab.follow('button', 'Sign in')
}

async function goToAccount(tab: Tab, server: TestServer) {
  const person = await makeUserWithPassword(server)
  await signIn(tab, server, person.email)
  return person
}

async function makeToken(tab: Tab, name: string): Promise<void> {
  await tab.fill('What it is for', name)
  await tab.follow('button', 'Make a token')
}

async function goToInvitation(tab: Tab, server: TestServer, email?: string): Promise<string> {
  const project = await makeProject(server, { name: LONG })
  const { secret } = await makeInvitation(server, project, email === undefined ? {} : { email })
  await tab.goto(`${server.url}/join/${secret}`)
  return secret
}

async function goToReset(tab: Tab, server: TestServer): Promise<void> {
  const { id } = await makeUserWithPassword(server)
  const expires_at = new Date(Date.now() + 60_000)
  await server.db.insertInto('password_resets').values({ user_id: id, expires_at }).execute()
  await tab.goto(`${server.url}/reset/${(await createResetLink(server.db, id))?.secret}`)
}

async function goToSetup(tab: Tab, server: TestServer): Promise<void> {
  // As one made before there was anybody.
  const secret = generateSecret()
  await server.db
    .insertInto('setup_links')
    .values({ secret_hash: hashSecret(secret) })
    .execute()
  await tab.goto(`${server.url}/setup/${secret}`)
}

interface RunShown {
  run?: Parameters<typeof makeRun>[2] & { metadata?: Record<string, string>; expected_shards?: number }
  results?: { test_case_id: string; status: string; note?: string }[]
  shards?: string[]
}

/** Comes to the page of a run over eight cases, as a viewer of its project. */
async function goToRun(tab: Tab, server: TestServer, { run = {}, results = [], shards = [] }: RunShown) {
  const project = await makeProject(server)
  await makeTestCases(server, project, 8)
  const { id } = await makeRun(server, project, run)
  const post = async (path: string, body?: object) => {
    const { status } = await server.request('POST', `/v1/runs/${id}${path}`, { token: project.admin.token, body })
    if (status !== 200) throw new Error(`POST ${path} answered ${status}`)
  }
  await post('/results/bulk', { results })
  for (const shard of shards) await post(`/shards/${shard}/done`)
  const person = await makeUserWithPassword(server)
  const membership = { project_id: project.id, user_id: person.id, role: 'viewer' } as const
  await server.db.insertInto('memberships').values(membership).execute()
  await signIn(tab, server, person.email)
  await tab.goto(`${server.url}/runs/${id}`)
}

const allPassed = Array.from({ length: 8 }, (_, index) => ({ test_case_id: `WEB-${index + 1}`, status: 'passed' }))

/** Every page in every state. */
export const pageStates: PageState[] = [
  { name: 'setup', status: 200, arrive: goToSetup },
  {
    name: 'setup-wrong',
    status: 400,
    wrong: ['name', 'email', 'password'],
    async arrive(tab, server) {
      await goToSetup(tab, server)
      await tab.fill('E-mail address', 'ada')
      await tab.fill('Password', 'short')
      await send(tab, 'Create your account')
    },
  },
  {
    name: 'setup-ended',
    status: 410,
    async arrive(tab, server) {
      await makeUserWithPassword(server)
      await visit('/setup/used')(tab, server)
    },
  },
  { name: 'sign-in', status: 200, arrive: visit('/sign-in') },
  {
    name: 'sign-in-wrong',
    status: 401,
    async arrive(tab, server) {
      await visit('/sign-in')(tab, server)
      await tab.fill('E-mail address', 'ada@example.test')
      await tab.fill('Password', 'wrong password')
      await tab.follow('button', 'Sign in')
    },
  },
  {
    name: 'sign-in-empty',
    status: 400,
    wrong: ['email', 'password'],
    async arrive(tab, server) {
      await visit('/sign-in')(tab, server)
      await send(tab, 'Sign in')
    },
  },
  { name: 'join-new', status: 200, arrive: async (tab, server) => void (await goToInvitation(tab, server)) },
  {
    name: 'join-new-wrong',
    status: 400,
    wrong: ['name', 'password'],
    async arrive(tab, server) {
      await goToInvitation(tab, server)
      await tab.fill('Password', 'short')
      await send(tab, 'Create account and join')
    },
  },
  {
    name: 'join-existing',
    status: 200,
    arrive: async (tab, server) => void (await goToInvitation(tab, server, (await makeUserWithPassword(server)).email)),
  },
  {
    name: 'join-signed-in',
    status: 200,
    async arrive(tab, server) {
      const { email } = await goToAccount(tab, server)
      await goToInvitation(tab, server, email)
    },
  },
  {
    name: 'join-somebody-else',
    status: 200,
    async arrive(tab, server) {
      await goToAccount(tab, server)
      await goToInvitation(tab, server)
    },
  },
  {
    name: 'join-ended',
    status: 410,
    async arrive(tab, server) {
      const secret = await goToInvitation(tab, server)
      await server.db.updateTable('invitations').set({ status: 'revoked' }).execute()
      await tab.goto(`${server.url}/join/${secret}`)
    },
  },
  { name: 'reset', status: 200, arrive: visit('/reset') },
  {
    name: 'reset-wrong',
    status: 400,
    wrong: ['email'],
    async arrive(tab, server) {
      await visit('/reset')(tab, server)
      await tab.fill('E-mail address', 'ada')
      await send(tab, 'Send the link')
    },
  },
  {
    name: 'reset-asked',
    status: 200,
    async arrive(tab, server) {
      await visit('/reset')(tab, server)
      await tab.fill('E-mail address', 'ada@example.test')
      await tab.follow('button', 'Send the link')
    },
  },
  { name: 'reset-form', status: 200, arrive: goToReset },
  {
    name: 'reset-form-wrong',
    status: 400,
    wrong: ['password'],
    async arrive(tab, server) {
      await goToReset(tab, server)
      await tab.fill('New password', 'short')
      await send(tab, 'Set the new password')
    },
  },
  { name: 'reset-ended', status: 410, arrive: visit('/reset/used') },
  { name: 'account', status: 200, arrive: async (tab, server) => void (await goToAccount(tab, server)) },
  {
    name: 'account-new-token',
    status: 200,
    async arrive(tab, server) {
      await goToAccount(tab, server)
      await makeToken(tab, 'laptop')
    },
  },
  {
    name: 'account-full',
    status: 200,
    async arrive(tab, server) {
      const { id, email } = await goToAccount(tab, server)
      for (const name of ['laptop', LONG]) await makeToken(tab, name)
      await server.db.updateTable('api_tokens').set({ access: 'read' }).where('name', '=', LONG).execute()
      for (const role of ['admin', 'member', 'viewer'] as const) {
        const project = await makeProject(server, role === 'member' ? { name: LONG } : {})
        await server.db.insertInto('memberships').values({ project_id: project.id, user_id: id, role }).execute()
      }
      await openSignedInBrowser(server, email)
      await tab.goto(`${server.url}/account`)
    },
  },
  {
    name: 'account-token-wrong',
    status: 400,
    wrong: ['name'],
    async arrive(tab, server) {
      await goToAccount(tab, server)
      await send(tab, 'Make a token')
    },
  },
  {
    name: 'account-password-wrong',
    status: 400,
    wrong: ['current_password'],
    async arrive(tab, server) {
      await goToAccount(tab, server)
      await tab.fill('Current password', 'wrong password')
      await tab.fill('New password', 'another long password')
      await tab.follow('button', 'Change the password')
    },
  },
  {
    name: 'account-password-changed',
    status: 200,
    async arrive(tab, server) {
      await goToAccount(tab, server)
      await tab.fill('Current password', PASSWORD)
      await tab.fill('New password', 'another long password')
      await tab.follow('button', 'Change the password')
    },
  },
  {
    name: 'account-without-password',
    status: 200,
    async arrive(tab, server) {
      const { id } = await goToAccount(tab, server)
      await server.db.updateTable('users').set({ password_hash: null }).where('id', '=', id).execute()
      await tab.goto(`${server.url}/account`)
    },
  },
  {
    name: 'run-failed',
    status: 200,
    arrive: (tab, server) =>
      goToRun(tab, server, {
        run: {
          name: LONG,
          expected_shards: 4,
          metadata: {
            branch: 'main',
            commit: '8a006ed1c0ffee0123456789abcdef0123456789',
            ci_url: `https://ci.example.test/builds/${'a1b2c3'.repeat(12)}`,
            'a name of somebody’s own': LONG,
          },
        },
        results: [
          ...allPassed.slice(0, 4),
          { test_case_id: 'WEB-5', status: 'failed', note: `Expected 200\n  got 500\n    at ${'x'.repeat(150)}` },
          { test_case_id: 'WEB-6', status: 'blocked', note: 'The payment provider is down.' },
          { test_case_id: 'WEB-7', status: 'retest' },
        ],
        shards: ['1', '3'],
      }),
  },
  {
    name: 'run-passed',
    status: 200,
    arrive: (tab, server) =>
      goToRun(tab, server, { run: { expected_shards: 1 }, results: allPassed, shards: ['chromium'] }),
  },
  {
    name: 'run-not-tested',
    status: 200,
    arrive: (tab, server) => goToRun(tab, server, { results: allPassed.slice(0, 6) }),
  },
  { name: 'run-empty', status: 200, arrive: (tab, server) => goToRun(tab, server, { run: { test_case_ids: [] } }) },
  {
    name: 'run-of-others',
    status: 403,
    async arrive(tab, server) {
      await goToAccount(tab, server)
      await tab.goto(`${server.url}/runs/${(await makeRun(server, await makeProject(server))).id}`)
    },
  },
  { name: 'not-found', status: 404, arrive: visit('/nothing/here') },
]
