import { declare, digest, sendContent } from './declared-files.ts'
import {
  makeCiToken,
  makeConfigurations,
  makeField,
  makeFolder,
  makeRun,
  type makeProject,
  makeTestCase,
} from './factories.ts'
import { makeSharedStep } from './shared-step-scenario.ts'
import type { TestServer } from './test-server.ts'

type MadeProject = Awaited<ReturnType<typeof makeProject>>

const options = [
  { key: 'linux', label: 'Linux' },
  { key: 'mac', label: 'macOS' },
]

/** Sends a request that must be accepted, and returns its `data`. */
export async function callAs<T = { id: string }>(
  server: TestServer,
  token: string,
  method: string,
  path: string,
  body?: object,
): Promise<T> {
  const response = await server.request<{ data: T } | null>(method, path, { token, ...(body && { body }) })
  if (response.status >= 300) throw new Error(`${method} ${path}: ${response.status} ${JSON.stringify(response.body)}`)
  return response.body?.data as T
}

/** Comments on a test case, a run and a result: edited, deleted, and of a second person. */
async function addComments(server: TestServer, project: MadeProject, member: string, run: string): Promise<void> {
  const { token, id: userId } = project.admin
  const call = async (as: string, method: string, path: string, body?: object) =>
    await callAs(server, as, method, path, body)
  const ofCase = `/v1/projects/${project.id}/test-cases/WEB-1/comments`
  const edited = await call(token, 'POST', ofCase, { body: 'First draft' })
  const path = `/v1/projects/${project.id}/comments`
  await call(token, 'PATCH', `${path}/${edited.id}`, { body: 'Second draft' })
  await call(token, 'PATCH', `${path}/${edited.id}`, { body: `  Asks @[Ada](user:${userId})\n\n- why` })
  await call(member, 'POST', ofCase, { body: 'Because' })
  const gone = await call(member, 'POST', ofCase, { body: 'To be deleted' })
  await call(token, 'DELETE', `${path}/${gone.id}`)
  await call(member, 'POST', `/v1/runs/${run}/comments`, { body: 'Of the run' })
  await call(token, 'POST', `/v1/runs/${run}/results/WEB-2/comments`, { body: 'Of the result' })
}

/** Files at a test case, a step, a run, a result and a comment; two of them have the same content. */
async function addFiles(server: TestServer, project: MadeProject, member: string, run: string): Promise<void> {
  const { token } = project.admin
  const attach = async (path: string, content: string, as = token) => {
    const body = Buffer.from(content)
    const response = await server.request<{ data: { id: string } }>('POST', path, { token: as, body })
    if (response.status >= 300) throw new Error(`POST ${path}: ${response.status} ${JSON.stringify(response.body)}`)
    return response.body.data.id
  }
  const ofCase = `/v1/projects/${project.id}/test-cases/WEB-1`
  await attach(`${ofCase}/attachments?name=plan.txt`, 'The plan')
  await attach(`${ofCase}/attachments?name=step.txt&step=1`, 'The plan', member)
  await attach(`/v1/runs/${run}/attachments?name=${encodeURIComponent('Grüße 1.log')}`, 'Log')
  await attach(`/v1/runs/${run}/results/WEB-2/attachments?name=x.bin`, '\u0000\u0001')
  const picture = await attach(`${ofCase}/attachments?name=pasted.png`, 'Not a picture')
  const body = { body: `See ![it](attachment:${picture})`, attachment_ids: [picture] }
  await callAs(server, token, 'POST', `${ofCase}/comments`, body)
}

/** Steps of single combinations, one of which has earlier ones, and a file at a step of one. */
async function addStepsOfCombinations(
  server: TestServer,
  { admin: { token } }: MadeProject,
  run: string,
): Promise<void> {
  const result = `/v1/runs/${run}/results/WEB-2`
  const set = async (place: number, body: object) =>
    await callAs(server, token, 'PUT', `${result}/combinations/${place}`, body)
  const failed = { position: 2, status: 'failed', actual: 'Error 500' }
  await set(1, { status: 'blocked', note: 'No server', steps: [{ position: 1, status: 'blocked' }] })
  await set(1, { status: 'failed', steps: [{ position: 1, status: 'passed' }, failed] })
  await set(2, { steps: [{ position: 1, status: 'passed' }] })
  const body = Buffer.from('Seen in Firefox')
  const path = `${result}/attachments?name=firefox.txt&place=1&step=2`
  const sent = await server.request('POST', path, { token, body })
  if (sent.status >= 300) throw new Error(`POST ${path}: ${sent.status} ${JSON.stringify(sent.body)}`)
}

/** Tests of automation with attempts, steps and files: linked, without a test case, flaky, and one whose file never came. */
async function addTests(server: TestServer, project: MadeProject): Promise<void> {
  const { token } = project.admin
  const run = await makeRun(server, project, { name: 'Pipeline', test_case_ids: ['WEB-1', 'WEB-2'] })
  const ci = await makeCiToken(server, project)
  const steps = [
    { title: 'Pay', status: 'failed', depth: 0, elapsed_ms: 12, message: 'no card' },
    { title: 'Click', status: null, depth: 1 },
  ]
  const failed = { status: 'failed', message: 'Wrong', details: 'at shop.ts:1', elapsed_ms: 40 }
  const test = { suite: 'Shop', file: 'shop.test.ts', variant: 'firefox' }
  const tests = [
    {
      ...test,
      name: 'pays WEB-1',
      attempts: [
        { ...failed, steps },
        { status: 'passed', elapsed_ms: 30 },
      ],
    },
    { ...test, name: 'refunds', attempts: [{ ...failed, attachments: [declare('log.txt', 'A log')] }] },
    { ...test, name: 'waits', attempts: [{ status: 'passed', attachments: [declare('late.txt', 'Late')] }] },
    { ...test, name: 'skips', attempts: [{ status: 'skipped', message: 'Later' }] },
  ]
  const body = { run_id: run.id, format: 'tests', tests }
  const sent = await server.request('POST', '/v1/results', { token: ci, body })
  if (sent.status >= 300) throw new Error(`POST results: ${sent.status} ${JSON.stringify(sent.body)}`)
  await sendContent(server, `/v1/runs/${run.id}/files/${digest('A log')}`, 'A log', { token: ci })
  await addJobs(server, run.id, ci, test)
  await leaveOut(server, project, run.id)
  await callAs(server, token, 'PATCH', `/v1/runs/${run.id}`, { status: 'completed' })
  await addQuarantines(server, project)
}

/** Two jobs of CI that report the same tests again, one with errors outside of tests, and shards of one. */
async function addJobs(server: TestServer, run: string, ci: string, test: object): Promise<void> {
  const job = { job: 'e2e', job_url: 'https://ci.example/jobs/7', build_attempt: 1, label: 'e2e (linux)' }
  const send = async (body: object) => {
    const sent = await server.request('POST', '/v1/results', {
      token: ci,
      body: { run_id: run, format: 'tests', ...body },
    })
    if (sent.status >= 300) throw new Error(`POST results: ${sent.status} ${JSON.stringify(sent.body)}`)
  }
  const tests = ['pays WEB-1', 'refunds'].map((name) => ({
    ...test,
    name,
    attempts: [{ status: 'passed', elapsed_ms: 5 }],
  }))
  await send({ ...job, shard: '1/2', instance: 'linux', tests })
  const errors = [
    { where: 'src/shop.test.ts', message: 'does not load\n at shop.ts:1' },
    { where: 'global setup', message: 'no database' },
  ]
  const [, failed] = tests
  await send({
    ...job,
    shard: '2/2',
    instance: 'mac',
    tests: [{ ...failed, attempts: [{ status: 'failed', message: 'Mac' }] }],
    suite_errors: errors,
  })
  const done = { token: ci, body: { job: 'e2e', expected_shards: 2 } }
  const path = `/v1/runs/${run}/shards/${encodeURIComponent('1/2')}/done`
  const sent = await server.request('POST', path, done)
  if (sent.status >= 300) throw new Error(`POST ${path}: ${sent.status} ${JSON.stringify(sent.body)}`)
}

/** Leaves a test and an error out of a run. */
async function leaveOut(server: TestServer, { id, admin: { token } }: MadeProject, run: string): Promise<void> {
  const tests = await callAs<{ id: string; name: string }[]>(server, token, 'GET', `/v1/projects/${id}/tests`)
  const errors = await callAs<{ id: string; where: string }[]>(server, token, 'GET', `/v1/runs/${run}/suite-errors`)
  const test = tests.find(({ name }) => name === 'refunds')
  await callAs(server, token, 'POST', `/v1/runs/${run}/tests/${test?.id}/leave-out`)
  const error = errors.find(({ where }) => where === 'global setup')
  await callAs(server, token, 'POST', `/v1/runs/${run}/suite-errors/${error?.id}/leave-out`)
}

/** A quarantine that is in effect, and one that was ended. */
async function addQuarantines(server: TestServer, { id, admin: { token, id: userId } }: MadeProject): Promise<void> {
  const root = `/v1/projects/${id}`
  const tests = await callAs<{ id: string; name: string }[]>(server, token, 'GET', `${root}/tests`)
  const find = (name: string) => tests.find((test) => test.name === name)?.id
  const link = 'https://tracker.example/browse/BUG-9'
  const body = {
    test_id: find('refunds'),
    reason: 'Times out',
    owner_id: userId,
    link,
    branches: ['main', 'release/*'],
  }
  await callAs(server, token, 'POST', `${root}/quarantines`, body)
  const other = { test_id: find('waits'), reason: 'Waits for too long' }
  const [ended] = await callAs<{ id: string }[]>(server, token, 'POST', `${root}/quarantines`, other)
  await callAs(server, token, 'DELETE', `${root}/quarantines/${ended?.id}`, { end_reason: 'Repaired' })
}

/** Earlier versions of test cases with every kind of value, some of which are gone, of two persons. */
async function changeCases(server: TestServer, project: MadeProject, member: string): Promise<void> {
  const root = `/v1/projects/${project.id}`
  const change = async (id: string, body: object, token = project.admin.token) =>
    await callAs(server, token, 'PATCH', `${root}/test-cases/${id}`, body)
  const shop = await makeFolder(server, project, { name: 'Shop' })
  const gone = await makeFolder(server, project, { name: 'Gone' })
  const login = await makeSharedStep(server, project, { title: 'Sign in', steps: [{ action: 'Name' }] })
  await makeField(server, project, { key: 'area', name: 'Area', type: 'select', options })
  await change('WEB-1', { folder_id: shop.id, priority: 'critical', fields: { area: 'mac' } })
  await change('WEB-1', { title: 'Pays', owner_id: project.admin.id, estimate: 90 }, member)
  await change('WEB-1', { steps: [{ shared_step_id: login.id }, { action: 'Pay' }], tags: ['a'], summary: 'Shared' })
  await change('WEB-1', { steps: [{ action: 'Pay' }], fields: { area: null }, automation_keys: ['shop.pay'] })
  await change('WEB-1', { folder_id: gone.id, precondition: ' Signed in', owner_id: null }, member)
  await change('WEB-1', { folder_id: null, expected_result: 'Paid' })
  await change('WEB-2', { archived: true })
  await change('WEB-2', { archived: false, type: 'smoke' })
}

/**
 * Gives a project test cases and runs with values of custom fields, assignments, a run key, comments, files, earlier versions, and tests.
 * @param member the token of a second person
 */
export async function makeFullHistory(server: TestServer, project: MadeProject, member: string): Promise<void> {
  const { token, id: userId } = project.admin
  const call = async (method: string, path: string, body?: object) => await callAs(server, token, method, path, body)
  for (const subject of ['run', 'result'] as const) {
    await makeField(server, project, { subject, key: 'system', name: 'System', type: 'multi_select', options })
    await makeField(server, project, { subject, key: 'lead', name: 'Lead', type: 'user' })
    await makeField(server, project, { subject, key: 'load', name: 'Load', type: 'number', decimals: 1 })
  }
  await makeConfigurations(server, project, { browser: ['firefox', 'chrome'] })
  const steps = ['Open', 'Pay'].map((action, index) => ({ position: index + 1, action, expected: '' }))
  for (const title of ['Pays by card', 'Pays later', 'Pays never'])
    await makeTestCase(server, project, { title, steps })
  await changeCases(server, project, member)
  const runs = `/v1/projects/${project.id}/runs`
  const nightly = await call('POST', runs, {
    name: 'Nightly',
    run_key: 'build-17',
    test_case_ids: ['WEB-1', 'WEB-2', 'WEB-3'],
    fields: { system: ['mac', 'linux'], lead: userId },
  })
  const results = `/v1/runs/${nightly.id}/results`
  await call('PUT', `${results}/WEB-1`, { status: 'failed', fields: { load: 2.5, system: ['mac'] } })
  await call('PUT', `${results}/WEB-1`, { status: 'passed', fields: { load: 7, lead: userId } })
  await call('PUT', `${results}/WEB-2`, { status: 'blocked', note: 'No server' })
  await call('POST', `${results}/assign`, { result_ids: ['WEB-2', 'WEB-3'], user_ids: [userId] })
  await addComments(server, project, member, nightly.id)
  await addFiles(server, project, member, nightly.id)
  await addTests(server, project)
  const matrix = await call('POST', runs, {
    name: 'Browsers',
    test_case_ids: ['WEB-1', 'WEB-2'],
    configurations: { groups: { browser: ['firefox', 'chrome'] } },
  })
  const assigned = { result_ids: ['WEB-1'], user_ids: [userId], configurations: [2] }
  await call('POST', `/v1/runs/${matrix.id}/results/assign`, assigned)
  await addStepsOfCombinations(server, project, matrix.id)
  await call('PATCH', `/v1/runs/${matrix.id}`, { status: 'completed' })
}
