import { makeProject, makeRun, makeTestCases } from '@caseward/test-support/factories'
import type { Tab } from '@caseward/test-support/tab'
import type { TestServer } from '@caseward/test-support/test-server'
import { makeUserWithPassword } from '@caseward/test-support/users'
import { LONG_NAME, openAccount, type PageState, signIn } from './page-state.ts'

interface RunContent {
  run?: Parameters<typeof makeRun>[2] & { metadata?: Record<string, string>; expected_shards?: number }
  results?: { test_case_id: string; status: string; note?: string }[]
  shards?: string[]
}

/** Opens the page of a run of eight test cases, as a viewer of its project. */
async function openRun(tab: Tab, server: TestServer, { run = {}, results = [], shards = [] }: RunContent) {
  const project = await makeProject(server)
  await makeTestCases(server, project, 8)
  const { id } = await makeRun(server, project, run)
  const post = async (path: string, body?: object) => {
    const { status } = await server.request('POST', `/v1/runs/${id}${path}`, { token: project.admin.token, body })
    if (status !== 200) throw new Error(`POST ${path} returned ${status}`)
  }
  await post('/results/bulk', { results })
  for (const shard of shards) await post(`/shards/${shard}/done`)
  const user = await makeUserWithPassword(server)
  const membership = { project_id: project.id, user_id: user.id, role: 'viewer' } as const
  await server.db.insertInto('memberships').values(membership).execute()
  await signIn(tab, server, user.email)
  await tab.goto(`${server.url}/plain/runs/${id}`)
}

const allPassed = Array.from({ length: 8 }, (_, index) => ({ test_case_id: `WEB-${index + 1}`, status: 'passed' }))

/** The page of a run. */
export const runPageStates: PageState[] = [
  {
    name: 'run-failed',
    status: 200,
    open: (tab, server) =>
      openRun(tab, server, {
        run: {
          name: LONG_NAME,
          expected_shards: 4,
          metadata: {
            branch: 'main',
            commit: '8a006ed1c0ffee0123456789abcdef0123456789',
            ci_url: `https://ci.example.test/builds/${'a1b2c3'.repeat(12)}`,
            'a custom name': LONG_NAME,
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
    open: (tab, server) =>
      openRun(tab, server, { run: { expected_shards: 1 }, results: allPassed, shards: ['chromium'] }),
  },
  {
    name: 'run-not-tested',
    status: 200,
    open: (tab, server) => openRun(tab, server, { results: allPassed.slice(0, 6) }),
  },
  { name: 'run-empty', status: 200, open: (tab, server) => openRun(tab, server, { run: { test_case_ids: [] } }) },
  {
    name: 'run-of-other-project',
    status: 403,
    async open(tab, server) {
      await openAccount(tab, server)
      await tab.goto(`${server.url}/plain/runs/${(await makeRun(server, await makeProject(server))).id}`)
    },
  },
]
