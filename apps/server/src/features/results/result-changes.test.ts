import { MAX_RESULT_CHANGES, type ResultChange } from '@caseward/contract/result-changes'
import { expectCorrectCounters } from '@caseward/test-support/counters'
import { makeCiToken, makeProject, makeRun, makeTestCases } from '@caseward/test-support/factories'
import { useSharedServer } from '@caseward/test-support/test-server'
import { v7 as uuidv7 } from 'uuid'
import { describe, expect, it } from 'vitest'

const server = useSharedServer()

async function makeScenario(cases = 1) {
  const project = await makeProject(server)
  await makeTestCases(server, project, cases)
  const run = await makeRun(server, project)
  const { token } = project.admin
  const path = `/v1/runs/${run.id}/results`
  const ci = await makeCiToken(server, project)
  return {
    project,
    run,
    token,
    path,
    set: (body: object, id = 'WEB-1') => server.request('PUT', `${path}/${id}`, { token, body }),
    setAll: (results: object[]) => server.request('POST', `${path}/bulk`, { token, body: { results } }),
    upload: (body: object) => server.request('POST', '/v1/results', { token: ci, body: { run_id: run.id, ...body } }),
    list: async (id = 'WEB-1') =>
      (await server.request<{ data: ResultChange[] }>('GET', `${path}/${id}/changes`, { token })).body.data,
    count: async () => {
      const rows = await server.db
        .selectFrom('result_changes')
        .select('result_id')
        .where('project_id', '=', project.id)
        .execute()
      return rows.length
    },
  }
}

const short = ({ status, note }: ResultChange) => [status, note]

describe('GET /v1/runs/:run_id/results/:result_id/changes', () => {
  it('lists what a result was before, the newest first, with who set it and when', async () => {
    const { project, set, list } = await makeScenario()
    expect(await list()).toEqual([])
    await set({ status: 'failed', note: 'no "total"', elapsed: 3 })
    expect(await list()).toEqual([])
    await set({ status: 'blocked', note: null })
    await set({ status: 'passed' })
    const [newest, oldest] = await list()
    expect(newest).toMatchObject({ status: 'blocked', note: null, tested_by: project.admin.id })
    expect(oldest).toEqual({
      status: 'failed',
      note: 'no "total"',
      elapsed: 3,
      tested_by: project.admin.id,
      tested_at: expect.stringMatching(/Z$/),
      replaced_at: newest?.tested_at,
      steps: [],
    })
  })

  it('does not list a write that changes neither status nor note', async () => {
    const { set, setAll, list } = await makeScenario()
    await set({ status: 'failed', note: 'no' })
    await set({ status: 'failed', note: 'no', elapsed: 9 })
    await set({ status: 'failed' })
    await setAll([{ test_case_id: 'WEB-1', status: 'failed' }])
    expect(await list()).toEqual([])
    await set({ status: 'failed', note: 'no total' })
    expect((await list()).map(short)).toEqual([['failed', 'no']])
  })

  it('lists what a bulk update and an upload overwrite, each test case for itself', async () => {
    const { project, setAll, upload, list } = await makeScenario(3)
    await setAll([1, 2].map((number) => ({ test_case_id: `WEB-${number}`, status: 'failed', note: `no ${number}` })))
    await upload({ results: [1, 2, 3].map((number) => ({ test_case_id: `WEB-${number}`, status: 'passed' })) })
    await upload({ format: 'tests', tests: [{ name: 'WEB-1 pays', attempts: [{ status: 'failed', message: 'oh' }] }] })
    expect((await list()).map(short)).toEqual([
      ['passed', null],
      ['failed', 'no 1'],
    ])
    expect((await list('WEB-2')).map(short)).toEqual([['failed', 'no 2']])
    expect(await list('WEB-3')).toEqual([])
    await expectCorrectCounters(server, project.id)
  })

  it('keeps what a small part of a large run was before, with few rows and with many', async () => {
    const { project, upload, list, count } = await makeScenario(601)
    for (const size of [5, 150]) {
      for (const status of ['failed', 'passed', 'passed'] as const) {
        const results = Array.from({ length: size }, (_, index) => ({ test_case_id: `WEB-${4 * index + 1}`, status }))
        const { body } = await upload({ results })
        expect(body).toMatchObject({ success: true, uploaded_count: size })
      }
    }
    expect((await list('WEB-597')).map(short)).toEqual([['failed', null]])
    expect((await list('WEB-17')).map(short)).toEqual([
      ['failed', null],
      ['passed', null],
      ['failed', null],
    ])
    expect(await count()).toBe(5 + 5 + 150)
    await expectCorrectCounters(server, project.id)
  })

  it('keeps nothing for a dry run, and nothing for a result that is newer', async () => {
    const { set, upload, list } = await makeScenario()
    await set({ status: 'failed', note: 'no' })
    await upload({ dry_run: true, results: [{ test_case_id: 'WEB-1', status: 'passed' }] })
    const old = { finished_at: '2020-01-01T00:00:00Z' }
    await upload({ ...old, results: [{ test_case_id: 'WEB-1', status: 'passed' }] })
    expect(await list()).toEqual([])
  })

  it(`keeps the last ${MAX_RESULT_CHANGES}`, async () => {
    const { set, list, count } = await makeScenario()
    for (let index = 0; index < MAX_RESULT_CHANGES + 5; index += 1) await set({ status: 'failed', note: `${index}` })
    const notes = (await list()).map(({ note }) => Number(note))
    expect(notes).toEqual(Array.from({ length: MAX_RESULT_CHANGES }, (_, index) => MAX_RESULT_CHANGES + 3 - index))
    expect(await count()).toBe(MAX_RESULT_CHANGES)
  })

  it('accepts the id of the result', async () => {
    const { path, token, set, list } = await makeScenario()
    await set({ status: 'failed' })
    await set({ status: 'passed' })
    const { body } = await server.request<{ data: { id: string } }>('GET', `${path}/WEB-1`, { token })
    expect((await list(body.data.id)).map(short)).toEqual([['failed', null]])
  })

  it.each([['WEB-7'], ['APP-1'], [uuidv7()], ['%00']])('returns 404 for %s', async (id) => {
    const { path, token } = await makeScenario()
    await server.expectProblem(404, 'GET', `${path}/${id}/changes`, { token })
  })

  it.each([
    ['the run', ({ run }) => ['DELETE', `/v1/runs/${run.id}`]],
    ['the project', ({ project }) => ['DELETE', `/v1/projects/${project.id}`]],
    [
      'the test case from the run',
      ({ run }) => ['DELETE', `/v1/runs/${run.id}/test-cases`, { test_case_ids: ['WEB-1'] }],
    ],
  ] satisfies [string, (scenario: Awaited<ReturnType<typeof makeScenario>>) => [string, string, object?]][])(
    'leaves nothing behind when %s is removed',
    async (_what, toRequest) => {
      const scenario = await makeScenario()
      await scenario.set({ status: 'failed' })
      await scenario.set({ status: 'passed' })
      expect(await scenario.count()).toBe(1)
      const [method, path, body] = toRequest(scenario)
      await server.request(method, path, { token: scenario.token, ...(body === undefined ? {} : { body }) })
      expect(await scenario.count()).toBe(0)
    },
  )
})
