import type { ResultsEvent, RunEvent } from '@caseward/contract/events'
import { openEventStream } from '@caseward/test-support/event-stream'
import {
  makeCiToken,
  makeFolder,
  makeProject,
  makeRun,
  makeTestCase,
  makeTestCases,
} from '@caseward/test-support/factories'
import { useSharedServer } from '@caseward/test-support/test-server'
import { waitUntil } from '@caseward/test-support/wait-until'
import { describe, expect, it } from 'vitest'

const server = useSharedServer()

async function makeRunWithStream(testCaseCount: number) {
  const project = await makeProject(server)
  const ids = await makeTestCases(server, project, testCaseCount)
  const run = await makeRun(server, project)
  const { token } = project.admin
  const stream = await openEventStream(server.url, `/v1/runs/${run.id}/events`, { token })
  await stream.next('sync')
  const send = async (method: string, path: string, body?: object, sender = token) => {
    const response = await server.request(method, path, { token: sender, ...(body === undefined ? {} : { body }) })
    expect(response.status).toBeLessThan(300)
  }
  return { project, ids, run, token, stream, send }
}

const passed = (ids: readonly string[]) => ids.map((id) => ({ test_case_id: id, status: 'passed' }))

/** What a row has that nobody has assigned or linked. */
const NEW_ROW = {
  assigned_to: null,
  step_state: null,
  attachment_count: 0,
  comment_count: 0,
  link_count: 0,
  defect: null,
}

describe('the event stream of a run', () => {
  it('sends a result that is set, as a row, and the counters of the run', async () => {
    const project = await makeProject(server)
    const { token } = project.admin
    const folder = await makeFolder(server, project)
    const fields = { folder_id: folder.id, priority: 'high', tags: ['checkout'] } as const
    const testCase = await makeTestCase(server, project, {
      title: 'Pays "now"',
      ...fields,
      tags: ['checkout'],
      estimate: 60,
    })
    const run = await makeRun(server, project)
    const stream = await openEventStream(server.url, `/v1/runs/${run.id}/events`, { token })
    const path = `/v1/runs/${run.id}/results/${testCase.id}`
    const body = { status: 'failed', note: `${'x'.repeat(300)}\nsecond line`, elapsed: 3 }
    const { body: stored } = await server.request<{ data: object }>('PUT', path, { token, body })
    const { data } = await stream.next<RunEvent>('run')
    expect(data).toMatchObject({ id: run.id, status: 'in_progress', pass_rate: 0, result_count: 1 })
    expect(data.stats).toEqual({ passed: 0, failed: 1, blocked: 0, retest: 0, not_tested: 0 })
    const { note: _note, ...result } = stored.data as Record<string, unknown>
    expect((await stream.next<ResultsEvent>('results')).data).toEqual({
      run_id: run.id,
      results: [{ ...result, ...fields, ...NEW_ROW, estimate: 60, type: 'functional', note_line: 'x'.repeat(200) }],
      more: false,
    })
  })

  it('sends to whom results are assigned', async () => {
    const { project, ids, run, stream, send } = await makeRunWithStream(2)
    const { admin } = project
    await send('POST', `/v1/runs/${run.id}/results/assign`, { result_ids: ids, user_ids: [admin.id] })
    const { data } = await stream.next<ResultsEvent>('results')
    expect(data.results.map((row) => row.assigned_to)).toEqual([admin.id, admin.id])
  })

  it('sends what a bulk update and an upload have stored', async () => {
    const { project, ids, run, stream, send } = await makeRunWithStream(4)
    await send('POST', `/v1/runs/${run.id}/results/bulk`, { results: passed(ids.slice(0, 2)) })
    const bulk = await stream.next<ResultsEvent>('results')
    expect(new Set(bulk.data.results.map((row) => row.test_case_id))).toEqual(new Set(ids.slice(0, 2)))
    const upload = { run_id: run.id, results: passed(ids.slice(2)) }
    await send('POST', '/v1/results', upload, await makeCiToken(server, project))
    const uploaded = await stream.next<ResultsEvent>('results')
    expect(new Set(uploaded.data.results.map((row) => row.test_case_id))).toEqual(new Set(ids.slice(2)))
  })

  it('sends nothing for a dry run', async () => {
    const { project, ids, run, stream, send } = await makeRunWithStream(1)
    const upload = { run_id: run.id, results: passed(ids) }
    const ci = await makeCiToken(server, project)
    await send('POST', '/v1/results', { ...upload, dry_run: true }, ci)
    await send('POST', '/v1/results', upload, ci)
    await stream.next('results')
    expect(stream.events.map(({ name }) => name)).toEqual(['sync', 'run', 'results'])
  })

  it('sends up to 200 rows, and for more results that there are more', async () => {
    const { ids, run, stream, send } = await makeRunWithStream(201)
    const path = `/v1/runs/${run.id}/results/bulk`
    await send('POST', path, { results: passed(ids.slice(0, 200)) })
    expect((await stream.next<ResultsEvent>('results')).data).toMatchObject({ more: false, results: { length: 200 } })
    await send('POST', path, { results: passed(ids) })
    expect((await stream.next<ResultsEvent>('results')).data).toEqual({ run_id: run.id, results: [], more: true })
  })

  it('sends one event for an upload of 1,000 results, and not one for every 200', async () => {
    const { project, ids, run, stream, send } = await makeRunWithStream(1000)
    await send('POST', '/v1/results', { run_id: run.id, results: passed(ids) }, await makeCiToken(server, project))
    expect((await stream.next<ResultsEvent>('results')).data).toEqual({ run_id: run.id, results: [], more: true })
    // A later change shows that nothing else was sent.
    await send('PATCH', `/v1/runs/${run.id}`, { status: 'completed' })
    await waitUntil(() => stream.events.some(({ data }) => data['status'] === 'completed'), 'the run is completed')
    expect(stream.events.map(({ name }) => name)).toEqual(['sync', 'run', 'results', 'run'])
  })

  it('collects the results of 200 ms', async () => {
    const { ids, run, stream, send } = await makeRunWithStream(30)
    const startedAt = performance.now()
    for (const id of ids) await send('PUT', `/v1/runs/${run.id}/results/${id}`, { status: 'passed' })
    const countRows = () =>
      stream.events.flatMap(({ name, data }) => (name === 'results' ? (data as unknown as ResultsEvent).results : []))
        .length
    await waitUntil(() => countRows() === 30, 'all rows have arrived')
    const intervals = Math.ceil((performance.now() - startedAt) / 200)
    expect(stream.events.filter(({ name }) => name === 'results').length).toBeLessThanOrEqual(intervals + 1)
  })

  it('says that there are more results when test cases are added to the run', async () => {
    const { project, run, stream, send } = await makeRunWithStream(1)
    const added = await makeTestCase(server, project)
    await send('POST', `/v1/runs/${run.id}/test-cases`, { test_case_ids: [added.id] })
    expect((await stream.next('run')).data['result_count']).toBe(2)
    expect((await stream.next('results')).data).toEqual({ run_id: run.id, results: [], more: true })
  })

  it('says that results changed when a test case is deleted', async () => {
    const { project, ids, run, stream, send } = await makeRunWithStream(1)
    await send('DELETE', `/v1/projects/${project.id}/test-cases/${ids[0]}`)
    expect((await stream.next('results')).data).toEqual({ run_id: run.id, results: [], more: true })
  })

  it('sends nothing about other runs', async () => {
    const { project, ids, run, stream, send } = await makeRunWithStream(1)
    const other = await makeRun(server, project)
    await send('PUT', `/v1/runs/${other.id}/results/${ids[0]}`, { status: 'failed' })
    await send('PUT', `/v1/runs/${run.id}/results/${ids[0]}`, { status: 'passed' })
    await stream.next('results')
    expect(stream.getText()).not.toContain(other.id)
  })

  it('ends when the run is deleted', async () => {
    const { run, stream, send } = await makeRunWithStream(1)
    await send('DELETE', `/v1/runs/${run.id}`)
    await expect(stream.ended).resolves.toBeUndefined()
  })
})
