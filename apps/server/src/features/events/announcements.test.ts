import type { ResultsEvent } from '@caseward/contract/events'
import { openEventStream } from '@caseward/test-support/event-stream'
import { makeCiToken, makeProject, makeRun, makeTestCases } from '@caseward/test-support/factories'
import { startServerForTest, type TestServer, useTestServer } from '@caseward/test-support/test-server'
import { waitUntil } from '@caseward/test-support/wait-until'
import { sql } from 'kysely'
import { describe, expect, it, onTestFinished } from 'vitest'

import { createClient } from '../../platform/database/connect.ts'
import { CHANGE_CHANNEL, parseNotification } from './change-notifications.ts'

/** A project with runs over some test cases. */
async function makeRuns(server: TestServer, { runCount = 1, testCaseCount = 1 }) {
  const project = await makeProject(server)
  const { token } = project.admin
  const ids = await makeTestCases(server, project, testCaseCount)
  const runs = []
  for (let count = 0; count < runCount; count += 1) runs.push(await makeRun(server, project))
  const send = async (method: string, path: string, body: object, sender = token) => {
    expect(await server.request(method, path, { token: sender, body })).toMatchObject({ status: 200 })
  }
  const openStream = async () => {
    const stream = await openEventStream(server.url, `/v1/projects/${project.id}/events`, { token })
    await stream.next('sync')
    return stream
  }
  return { project, ids, runs, runId: runs[0]?.id ?? '', send, openStream }
}

/** Collects all notifications of changes. */
async function listen({ db }: TestServer): Promise<string[]> {
  const payloads: string[] = []
  const client = createClient(db, 'test').on('notification', ({ payload = '' }) => payloads.push(payload))
  await client.connect()
  onTestFinished(() => client.end())
  await client.query(`listen ${CHANGE_CHANNEL}`)
  return payloads
}

const renameFunction = ({ db }: TestServer, from: string, to: string) =>
  sql`alter function ${sql.ref(from)} rename to ${sql.ref(to)}`.execute(db)

const passed = (ids: readonly string[]) => ids.map((id) => ({ test_case_id: id, status: 'passed' }))

describe('results', () => {
  const server = useTestServer()

  it('are stored without any notification by the database: each result, a bulk update and an upload', async () => {
    const own = await startServerForTest()
    const { project, ids, runId, send } = await makeRuns(own, {})
    const ci = await makeCiToken(own, project)
    await renameFunction(own, 'notify_change', 'notify_change_unavailable')
    await send('PUT', `/v1/runs/${runId}/results/${ids[0]}`, { status: 'failed' })
    await send('POST', `/v1/runs/${runId}/results/bulk`, { results: passed(ids) })
    await send('POST', '/v1/results', { run_id: runId, results: passed(ids) }, ci)
    // Other changes of a run need the function.
    const { token } = project.admin
    const renamed = await own.request('PATCH', `/v1/runs/${runId}`, { token, body: { name: 'Renamed' } })
    expect(renamed.status).toBe(500)
  })

  it('that 20 writers store in parallel are announced together, at most once in 100 ms', async () => {
    const { ids, runs, send } = await makeRuns(server, { runCount: 20, testCaseCount: 5 })
    const payloads = await listen(server)
    const startedAt = performance.now()
    const write = async (runId: string) => {
      for (const id of ids) await send('PUT', `/v1/runs/${runId}/results/${id}`, { status: 'passed' })
    }
    await Promise.all(runs.map(({ id }) => write(id)))
    const intervals = Math.ceil((performance.now() - startedAt) / 100)
    const getChanges = () => payloads.flatMap(parseNotification)
    const countResults = () =>
      getChanges().reduce((count, change) => count + (change.kind === 'results' ? (change.ids?.length ?? 0) : 0), 0)
    await waitUntil(() => countResults() === 100, 'all results are announced')
    expect(new Set(getChanges().map(({ kind }) => kind))).toEqual(new Set(['results']))
    // 100 ids and 20 runs fit into a notification.
    expect(payloads.length).toBeLessThanOrEqual(intervals + 2)
  })

  it('of many runs arrive completely, although a notification contains only 200 of them', async () => {
    const { ids, runs, send, openStream } = await makeRuns(server, { runCount: 6, testCaseCount: 150 })
    const stream = await openStream()
    await Promise.all(runs.map(({ id }) => send('POST', `/v1/runs/${id}/results/bulk`, { results: passed(ids) })))
    const list = () => stream.events.filter(({ name }) => name === 'results') as unknown as { data: ResultsEvent }[]
    await waitUntil(() => list().length === 6, 'the results of all runs have arrived')
    expect(new Set(list().map(({ data }) => data.run_id))).toEqual(new Set(runs.map(({ id }) => id)))
    expect(list().map(({ data }) => data.results.length)).toEqual(runs.map(() => 150))
  })

  it('that were rejected are not announced', async () => {
    const { project, ids, runId, send } = await makeRuns(server, {})
    const payloads = await listen(server)
    const { token } = project.admin
    const path = `/v1/runs/${runId}/results/${ids[0]}`
    await send('PUT', path, { status: 'passed' })
    await waitUntil(() => payloads.length === 1, 'the result is announced')
    const body = { status: 'failed', base_tested_at: null, note: 'Later' }
    expect((await server.request('PUT', path, { token, body })).body).toMatchObject({ code: 'newer_result' })
    await send('POST', `/v1/runs/${runId}/results/bulk`, { results: passed(ids) })
    await waitUntil(() => payloads.length > 1, 'the next result is announced')
    expect(payloads).toHaveLength(2)
  })
})

describe('an announcement', () => {
  it('that fails once is repeated, and no client needs to read anything again', async () => {
    const server = await startServerForTest()
    const { ids, runId, send, openStream } = await makeRuns(server, {})
    const stream = await openStream()
    await renameFunction(server, 'announce_changes', 'announce_changes_later')
    await sql`create sequence attempts`.execute(server.db)
    await sql`
      create function announce_changes(payloads text[]) returns void language plpgsql as $$
      begin
        if nextval('attempts') = 1 then raise 'not now'; end if;
        perform announce_changes_later(payloads);
      end $$`.execute(server.db)
    await send('PUT', `/v1/runs/${runId}/results/${ids[0]}`, { status: 'passed' })
    expect((await stream.next('results')).data).toMatchObject({ results: [{ test_case_id: ids[0] }] })
    expect(stream.events.map(({ name }) => name)).toEqual(['sync', 'run', 'results'])
    const { rows } = await sql<{ count: number }>`select last_value::int as count from attempts`.execute(server.db)
    expect(rows).toEqual([{ count: 2 }])
  })

  it('that fails again and again is replaced by sync, at a time before the change', async () => {
    const server = await startServerForTest()
    const { project, ids, runId, send, openStream } = await makeRuns(server, {})
    const stream = await openStream()
    await renameFunction(server, 'announce_changes', 'announce_changes_later')
    const path = `/v1/runs/${runId}/results/${ids[0]}`
    await send('PUT', path, { status: 'passed' })
    const { token } = project.admin
    const { body } = await server.request<{ data: { updated_at: string } }>('GET', `/v1/runs/${runId}`, { token })
    const countFailures = () => server.logged.filter((line) => line.includes('could not announce changes')).length
    await waitUntil(() => countFailures() >= 2, 'the announcement has failed')
    // A later event has a later id.
    await send('PATCH', `/v1/runs/${runId}`, { name: 'Renamed' })
    await stream.next('runs')
    await renameFunction(server, 'announce_changes_later', 'announce_changes')
    const { data } = await stream.next<{ at: string }>('sync')
    expect(Date.parse(data.at)).toBe(Date.parse(body.data.updated_at) - 10_000)
    await send('PUT', path, { status: 'failed' })
    expect((await stream.next('results')).data).toMatchObject({ results: [{ status: 'failed' }] })
    expect(stream.events.filter(({ name }) => name === 'sync')).toHaveLength(2)
  })
})
