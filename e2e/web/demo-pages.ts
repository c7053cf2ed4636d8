import type { TestServer } from '@caseward/test-support/test-server'
import { makeInstanceAdmin } from '@caseward/test-support/users'
import { waitUntil } from '@caseward/test-support/wait-until'

import type { routePatterns } from '../../apps/web/src/paths.ts'

/** A demo project, and what its pages are addressed by. */
export interface Demo {
  id: string
  /** Of a run by hand with open results, files and comments. */
  run: string
  /** A result of {@link run} with files and comments. */
  result: string
  /** An attachment of {@link result}. */
  attachment: string
  /** Of a run of CI that has failures. */
  ciRun: string
  /** Of a rerun. */
  rerun: string
  milestone: string
  sharedStep: string
  testCase: string
}

/** Two pictures, a video and a log. */
const FILE_COUNT = 4

/** Makes a demo project. Its only member is a user whose token has no session. */
export async function makeDemo(server: TestServer): Promise<Demo> {
  const { token } = await makeInstanceAdmin(server)
  const get = async <T>(path: string) => (await server.request<{ data: T }>('GET', path, { token })).body.data
  const created = await server.request<{ data: { id: string } }>('POST', '/v1/projects/demo', { token })
  const project = `/v1/projects/${created.body.data.id}`
  const runs = await get<{ id: string; name: string }[]>(`${project}/runs?per_page=100`)
  const milestones = await get<{ id: string; name: string }[]>(`${project}/milestones?per_page=100`)
  const run = find(runs, ({ name }) => name === 'Regression 2.4').id
  let results: { id: string; test_case_id: string; attachment_count: number }[] = []
  const hasFiles = ({ attachment_count: count }: (typeof results)[number]) => count === FILE_COUNT
  // The demo answers before its files are stored.
  await waitUntil(async () => {
    results = await get(`/v1/runs/${run}/results?fields=row&per_page=2000`)
    return results.some(hasFiles)
  }, 'the files of the demo are stored')
  const result = find(results, hasFiles)
  const attachments = await get<{ id: string; name: string }[]>(`/v1/runs/${run}/results/${result.id}/attachments`)
  const sharedSteps = await get<{ id: string }[]>(`${project}/shared-steps`)
  return {
    id: created.body.data.id,
    run,
    result: result.id,
    attachment: find(attachments, ({ name }) => name === 'checkout-actual.png').id,
    ciRun: find(runs, ({ name }) => name === 'Nightly #842').id,
    rerun: find(runs, ({ name }) => name.includes('rerun')).id,
    milestone: find(milestones, ({ name }) => name === 'Release 2.4').id,
    sharedStep: find(sharedSteps, () => true).id,
    testCase: result.test_case_id,
  }
}

function find<T>(items: readonly T[], isWanted: (item: T) => boolean): T {
  const found = items.find((item) => isWanted(item))
  if (found === undefined) throw new Error('The demo has changed: what a page is about is not in it')
  return found
}

export const UNKNOWN_PATH = '/no/such/page'

const inProject =
  (path: string) =>
  ({ id }: Demo) =>
    `/projects/${id}${path}`

/** The pages of the app by the name of their pattern, so that the compiler misses none. Each has the states that its URL holds. */
export const demoPages: Record<keyof typeof routePatterns, Record<string, (demo: Demo) => string>> = {
  projects: { projects: () => '/?all=1' },
  project: { overview: inProject('') },
  cases: {
    cases: inProject('/cases'),
    'case in the panel': ({ id, testCase }) => `/projects/${id}/cases?case=${testCase}`,
    'no case found': inProject('/cases?q=nothing+has+this+title'),
  },
  importCases: {
    'import of a sheet': inProject('/cases/import'),
    'import from a tool': inProject('/cases/import/tool'),
  },
  sharedSteps: {
    'shared steps': inProject('/shared-steps'),
    'shared step': ({ id, sharedStep }) => `/projects/${id}/shared-steps/${sharedStep}`,
  },
  duplicates: { duplicates: inProject('/cases/duplicates') },
  archivedCases: { 'archived cases': inProject('/cases/archived') },
  case: { case: ({ id, testCase }) => `/projects/${id}/cases/${testCase}` },
  runs: { runs: inProject('/runs'), 'completed runs': inProject('/runs?status=completed') },
  newRun: { 'new run': inProject('/runs/new') },
  tests: { tests: inProject('/tests') },
  insight: {
    health: inProject('/insight/health'),
    causes: inProject('/insight/failures'),
    flaky: inProject('/insight/flaky'),
    quarantine: inProject('/insight/quarantine'),
    speed: inProject('/insight/speed'),
    drift: inProject('/insight/drift'),
    report: inProject('/insight/report'),
  },
  milestones: { milestones: inProject('/milestones') },
  members: {
    members: inProject('/members'),
    groups: inProject('/members/groups'),
    'imported people': inProject('/members/imported'),
  },
  settings: {
    general: inProject('/settings/general'),
    fields: inProject('/settings/fields'),
    configurations: inProject('/settings/configurations'),
    tokens: inProject('/settings/tokens'),
    danger: inProject('/settings/danger'),
  },
  milestone: { milestone: ({ id, milestone }) => `/projects/${id}/milestones/${milestone}` },
  run: {
    run: ({ run }) => `/runs/${run}`,
    'result in the panel': ({ run, result }) => `/runs/${run}?status=all&result=${result}`,
    'run of CI': ({ ciRun }) => `/runs/${ciRun}`,
  },
  runTests: { 'tests of a run': ({ ciRun }) => `/runs/${ciRun}/tests` },
  runFailures: { 'failures of a run': ({ ciRun }) => `/runs/${ciRun}/failures` },
  compareRuns: { comparison: ({ id, run, rerun }) => `/projects/${id}/compare?base=${run}&head=${rerun}` },
  together: { 'run and rerun': ({ rerun }) => `/runs/${rerun}/together` },
  execution: { execution: ({ run, result }) => `/runs/${run}/execute?result=${result}` },
  file: { file: ({ id, attachment }) => `/files/${id}/${attachment}` },
  work: { work: () => '/work' },
  search: { search: () => '/search?q=payment' },
  help: { help: () => '/help', 'page of help': () => '/help/running-tests' },
  account: {
    profile: () => '/account/profile',
    password: () => '/account/password',
    sessions: () => '/account/sessions',
    'personal tokens': () => '/account/tokens',
    keys: () => '/account/keys',
  },
  admin: {
    users: () => '/admin/users',
    'audit log': () => '/admin/audit',
    'instance fields': () => '/admin/fields',
    'instance configurations': () => '/admin/configurations',
    'instance settings': () => '/admin/settings',
  },
  projectAudit: { 'audit log of a project': inProject('/settings/audit') },
  caseById: { 'case by its id': ({ testCase }) => `/${testCase}`, 'unknown page': () => UNKNOWN_PATH },
}
