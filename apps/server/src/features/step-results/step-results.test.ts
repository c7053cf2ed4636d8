import type { ResultChange } from '@caseward/contract/result-changes'
import type { ResultDetail, ResultRow } from '@caseward/contract/result-rows'
import { countScans } from '@caseward/test-support/count-rows-read'
import { expectCorrectCounters } from '@caseward/test-support/counters'
import { makeCiToken, makeProject, makeRun, makeTestCase } from '@caseward/test-support/factories'
import { useSharedServer } from '@caseward/test-support/test-server'
import { makeMember } from '@caseward/test-support/users'
import { afterEach, beforeAll, describe, expect, it } from 'vitest'

const server = useSharedServer()
let scenario: Awaited<ReturnType<typeof makeScenario>>
beforeAll(async () => {
  scenario = await makeScenario()
})
afterEach(() => expectCorrectCounters(server, scenario.project.id))

const toSteps = (...actions: string[]) =>
  actions.map((action, index) => ({ position: index + 1, action, expected: '' }))
const failure = { position: 2, status: 'failed', actual: 'Error 500' } as const

/** A project whose `begin` makes a run with a new test case of three steps. */
async function makeScenario() {
  const project = await makeProject(server)
  const ci = await makeCiToken(server, project)
  const { token } = project.admin
  const setSteps = (steps_decide: string) =>
    server.request('PATCH', `/v1/projects/${project.id}/run-settings`, { token, body: { steps_decide } })
  async function begin(count = 1) {
    const steps = toSteps('Open', 'Pay', 'Leave')
    const cases = []
    for (let index = 0; index < count; index += 1) cases.push(await makeTestCase(server, project, { steps }))
    const ids = cases.map(({ id }) => id)
    const run = await makeRun(server, project, { test_case_ids: ids })
    const path = `/v1/runs/${run.id}/results`
    const [id = ''] = ids
    const send = (method: string, body: object, of = id) => server.request(method, `${path}/${of}`, { token, body })
    const get = async <T>(more: string) =>
      (await server.request<{ data: T }>('GET', `${path}${more}`, { token })).body.data
    return {
      run,
      ids,
      id,
      path,
      put: (body: object) => send('PUT', body),
      patch: (body: object) => send('PATCH', body),
      setAll: (results: object[]) => server.request('POST', `${path}/bulk`, { token, body: { results } }),
      upload: (status: string) =>
        server.request('POST', '/v1/results', {
          token: ci,
          body: { run_id: run.id, results: [{ test_case_id: id, status }] },
        }),
      read: (of = id) => get<ResultDetail>(`/${of}`),
      readRow: async () => (await get<ResultRow[]>('?fields=row'))[0],
      readChanges: () => get<ResultChange[]>(`/${id}/changes`),
      editCase: (...actions: string[]) =>
        server.request('PATCH', `/v1/projects/${project.id}/test-cases/${id}`, {
          token,
          body: { steps: toSteps(...actions) },
        }),
    }
  }
  return { project, token, begin, setSteps }
}

describe('PATCH /v1/runs/:run_id/results/:result_id', () => {
  it('changes the steps that are sent, keeps the others, and leaves the status to people', async () => {
    const { patch, read, readRow } = await scenario.begin()
    await patch({ steps: [{ position: 3, status: 'passed' }, failure], note: 'See step 2', elapsed: 5 })
    await patch({ steps: [{ position: 2, status: 'blocked' }] })
    const result = await read()
    expect(result).toMatchObject({ status: 'not_tested', note: 'See step 2', elapsed: 5, step_state: 'blocked' })
    expect(result.tested_by).toBe(scenario.project.admin.id)
    expect(result.steps).toEqual([
      { position: 2, status: 'blocked', actual: 'Error 500' },
      { position: 3, status: 'passed', actual: null },
    ])
    await patch({
      steps: [
        { position: 2, status: null, actual: '' },
        { position: 3, status: null },
      ],
    })
    expect(await read()).toMatchObject({ step_state: null, steps: [] })
    expect(await readRow()).toMatchObject({ step_state: null })
  })

  it('rolls the steps up into the state of the row', async () => {
    const { patch, readRow } = await scenario.begin()
    await patch({ steps: [1, 2].map((position) => ({ position, status: 'passed' })) })
    expect(await readRow()).toMatchObject({ step_state: 'not_tested' })
    await patch({ steps: [{ position: 3, status: 'passed' }] })
    expect(await readRow()).toMatchObject({ step_state: 'passed', status: 'not_tested' })
    await patch({ steps: [{ position: 3, status: 'retest' }] })
    expect(await readRow()).toMatchObject({ step_state: 'retest' })
  })

  it('returns 409 for a result that somebody has set meanwhile, and 404 for none', async () => {
    const { put, path, id, read } = await scenario.begin()
    const { token } = await makeMember(server, scenario.project.id, 'member')
    await put({ status: 'passed' })
    const body = { base_tested_at: null, steps: [failure] }
    const { code } = await server.expectProblem(409, 'PATCH', `${path}/${id}`, { token, body })
    expect([code, (await read()).steps]).toEqual(['newer_result', []])
    await server.expectProblem(404, 'PATCH', `${path}/WEB-99999`, { token, body })
  })

  it.each([
    [400, 'position 0', { position: 0 }, 'invalid_request', '/steps/0/position must be 1 or more'],
    [400, 'an unknown status', { position: 1, status: 'done' }, 'invalid_request', '/steps/0/status'],
    [400, 'a null character', { position: 1, actual: 'a\u0000' }, 'invalid_request', '/steps/0/actual'],
    [400, 'too long a text', { position: 1, actual: 'a'.repeat(65_537) }, 'invalid_request', '/steps/0/actual'],
    [
      422,
      'a step that the test case does not have',
      { position: 4, status: 'passed' },
      'unknown_step',
      'The test case has no step 4: it has 3 steps.',
    ],
  ])('returns %i for %s', async (status, _what, step, code, detail) => {
    const { path, id, read } = await scenario.begin()
    const { token } = scenario
    const problem = await server.expectProblem(status, 'PATCH', `${path}/${id}`, { token, body: { steps: [step] } })
    expect(problem).toMatchObject({ code, detail: expect.stringContaining(detail) })
    expect(await read()).toMatchObject({ tested_at: null, step_state: null })
  })

  it('derives the status from the steps if the project says so, until somebody sets another', async () => {
    await scenario.setSteps('derive')
    const { patch, put, read } = await scenario.begin()
    await patch({ steps: [failure] })
    expect(await read()).toMatchObject({ status: 'failed', step_state: 'failed' })
    await patch({ note: 'A note does not decide' })
    await put({ status: 'passed', steps: [{ position: 1, status: 'passed' }] })
    expect(await read()).toMatchObject({ status: 'passed', step_state: 'failed' })
    await patch({ steps: [{ position: 2, status: 'retest' }] })
    expect(await read()).toMatchObject({ status: 'retest', step_state: 'retest' })
    await patch({ steps: [1, 2, 3].map((position) => ({ position, status: null, actual: null })) })
    expect(await read()).toMatchObject({ status: 'not_tested', step_state: null })
    await scenario.setSteps('suggest')
    await patch({ steps: [failure] })
    expect(await read()).toMatchObject({ status: 'not_tested', step_state: 'failed' })
  })
})

describe('POST /v1/runs/:run_id/results/bulk with steps', () => {
  it('stores the steps of each result, and returns an error for an item with an unknown step or too much text', async () => {
    const { ids, setAll, read } = await scenario.begin(5)
    const long = Array.from({ length: 4 }, () => [1, 2, 3]).flat()
    const items = [
      { status: 'failed', steps: [failure] },
      { status: 'passed', steps: [{ position: 9, status: 'passed' }] },
      { status: 'blocked' },
      { status: 'passed', steps: [1, 2, 3].map((position) => ({ position, actual: 'é'.repeat(60_000) })) },
      { status: 'passed', steps: long.map((position) => ({ position, status: 'passed' })) },
    ]
    const { status, body } = await setAll(items.map((item, index) => ({ test_case_id: ids[index], ...item })))
    expect([status, body]).toMatchObject([
      207,
      {
        data: {
          updated: 3,
          errors: [
            { test_case_id: ids[1], code: 'unknown_step' },
            { test_case_id: ids[3], code: 'step_results_too_large' },
          ],
        },
      },
    ])
    expect(await read(ids[0])).toMatchObject({ status: 'failed', step_state: 'failed', steps: [failure] })
    expect(await read(ids[1])).toMatchObject({ status: 'not_tested', steps: [] })
    expect(await read(ids[4])).toMatchObject({ status: 'passed', step_state: 'passed' })
  })
})

describe('the steps of a result', () => {
  it('are not looked for by writes and reads of results that have none', async () => {
    const { ids, put, setAll, upload, read, readRow, readChanges } = await scenario.begin(2)
    const scans = await countScans(server, 'step_results', async () => {
      await put({ status: 'failed', note: 'Before' })
      await setAll(ids.map((id) => ({ test_case_id: id, status: 'passed' })))
      await upload('failed')
      await Promise.all([read(), readRow(), readChanges()])
    })
    expect(scans).toBe(0)
    expect(await readChanges()).toHaveLength(2)
  })

  it('stay at their step when the test case is edited, and go with a step that is removed', async () => {
    const { patch, read, editCase } = await scenario.begin()
    await patch({ steps: [failure, { position: 3, status: 'passed' }] })
    await editCase('Sign in', 'Open', 'Pay by card', 'Leave')
    const [pay, leave] = [3, 4].map((position) => ({ ...failure, position }))
    expect((await read()).steps).toEqual([pay, { ...leave, status: 'passed', actual: null }])
    await patch({ steps: [{ position: 1, status: 'passed' }] })
    await editCase('Leave', 'Sign in')
    expect((await read()).steps.map(({ position, status }) => [position, status])).toEqual([
      [1, 'passed'],
      [2, 'passed'],
    ])
    await patch({ steps: [{ position: 2, status: 'passed' }] })
    expect(await read()).toMatchObject({ step_state: 'passed' })
  })

  it('become an earlier value when they are replaced after the result was set, and not before', async () => {
    const { patch, put, readChanges } = await scenario.begin()
    await patch({ steps: [failure] })
    await patch({ steps: [{ position: 2, status: 'passed', actual: null }] })
    await patch({ steps: [failure] })
    expect(await readChanges()).toEqual([])
    await put({ status: 'failed' })
    await patch({ steps: [{ position: 1, status: 'passed' }] })
    await patch({ steps: [{ position: 2, status: 'passed', actual: null }] })
    await put({ status: 'passed' })
    const passed = { position: 1, status: 'passed', actual: null }
    expect((await readChanges()).map(({ status, steps }) => [status, steps])).toEqual([
      ['failed', [passed, { ...passed, position: 2 }]],
      ['failed', [passed, failure]],
    ])
  })

  it('become an earlier value when CI writes the result, and are neither in a rerun nor in other runs of the test case', async () => {
    const { patch, put, upload, read, readChanges, id, run } = await scenario.begin()
    await patch({ steps: [failure] })
    await put({ status: 'failed' })
    const { token } = scenario
    const path = `/v1/runs/${run.id}/reruns`
    const rerun = await server.request<{ data: { id: string } }>('POST', path, { token, body: {} })
    await upload('failed')
    expect(await read()).toMatchObject({ status: 'failed', step_state: null, steps: [], change_count: 1 })
    expect((await readChanges())[0]).toMatchObject({ status: 'failed', steps: [failure] })
    const other = await makeRun(server, scenario.project, { test_case_ids: [id] })
    for (const { id: runId } of [rerun.body.data, other]) {
      const { body } = await server.request('GET', `/v1/runs/${runId}/results/${id}`, { token })
      expect(body).toMatchObject({ data: { status: 'not_tested', step_state: null, steps: [] } })
    }
  })

  it.each([
    ['the run', ({ run }) => ['DELETE', `/v1/runs/${run.id}`]],
    [
      'the test case from the run',
      ({ run, id }) => ['DELETE', `/v1/runs/${run.id}/test-cases`, { test_case_ids: [id] }],
    ],
  ] satisfies [string, (begun: Awaited<ReturnType<typeof scenario.begin>>) => [string, string, object?]][])(
    'are deleted with %s',
    async (_what, toRequest) => {
      const begun = await scenario.begin()
      await begun.patch({ steps: [failure] })
      const [method, path, body] = toRequest(begun)
      await server.request(method, path, { token: scenario.token, ...(body === undefined ? {} : { body }) })
      const rows = await server.db
        .selectFrom('step_results')
        .select('steps')
        .where('run_id', '=', begun.run.id)
        .execute()
      expect(rows).toEqual([])
    },
  )

  it('stay with the result after the test case was deleted, and go with the project', async () => {
    const other = await makeScenario()
    const { patch, path, id, read } = await other.begin()
    await patch({ steps: [failure] })
    const { id: resultId } = await read()
    const project = `/v1/projects/${other.project.id}`
    const { token } = other
    await server.request('DELETE', `${project}/test-cases/${id}`, { token })
    expect(await read(resultId)).toMatchObject({ step_state: 'failed', steps: [failure], test_case: null })
    const body = { steps: [{ position: 1, status: 'passed' }] }
    await server.expectProblem(422, 'PATCH', `${path}/${resultId}`, { token, body })
    await server.request('DELETE', project, { token })
    const rows = await server.db
      .selectFrom('step_results')
      .select('steps')
      .where('project_id', '=', other.project.id)
      .execute()
    expect(rows).toEqual([])
  })
})
