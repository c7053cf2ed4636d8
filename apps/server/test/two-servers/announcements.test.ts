import { ADMIN_TOKEN } from '@caseward/test-support/caseward-process'
import { openEventStream } from '@caseward/test-support/event-stream'
import type { Service } from '@caseward/test-support/service'
import { postAsAdmin, startTwoServers } from '@caseward/test-support/two-servers'
import { waitUntil } from '@caseward/test-support/wait-until'
import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'

/** Two servers, a run of two test cases, and a stream of the second server about it. */
async function startWithStream(processes: 'none' | 'first' = 'none') {
  const servers = await startTwoServers({ processes })
  const { first, second } = servers
  const { data } = await postAsAdmin(first, '/v1/projects', { name: 'Web shop', prefix: 'WEB' })
  const path = `/v1/projects/${data.id}`
  for (const title of ['A case', 'Another case']) await postAsAdmin(first, `${path}/test-cases`, { title })
  const { data: run } = await postAsAdmin(first, `${path}/runs`, { name: 'Nightly' })
  const stream = await openEventStream(second.url, `/v1/runs/${run.id}/events`, { token: ADMIN_TOKEN })
  await stream.next('sync')
  const setResult = async (server: Service, id: string) => {
    const result = await server.request('PUT', `/v1/runs/${run.id}/results/${id}`, { status: 'passed' })
    expect(result.status).toBe(200)
  }
  return { ...servers, stream, setResult }
}

describe('a server that ends after it has stored a result', () => {
  it('announces it first, when it is told to stop', async () => {
    const { first, stream, setResult } = await startWithStream()
    await setResult(first, 'WEB-1')
    // Would be announced 100 ms after the other.
    await setResult(first, 'WEB-2')
    first.signal('SIGTERM')
    expect(await first.ended).toBe(0)
    const listIds = () => stream.events.flatMap(({ data }) => (data['results'] ?? []) as { test_case_id: string }[])
    while (listIds().length < 2) await stream.next('results')
    expect(listIds().map((result) => result.test_case_id)).toEqual(['WEB-1', 'WEB-2'])
  })

  it('announces what it could not announce before, when it is told to stop', async () => {
    const { first, db, stream, setResult } = await startWithStream()
    await sql`alter function announce_changes rename to announce_changes_later`.execute(db)
    await setResult(first, 'WEB-1')
    // After so many failures, it would try again in four seconds.
    const countFailures = () => first.log().filter((line) => line.includes('could not announce changes')).length
    await waitUntil(() => countFailures() === 5, 'the announcement has failed five times')
    await sql`alter function announce_changes_later rename to announce_changes`.execute(db)
    first.signal('SIGTERM')
    expect(await first.ended).toBe(0)
    await stream.next('sync')
    expect(stream.events.map(({ name }) => name)).toEqual(['sync', 'sync'])
  })

  it('has no time to, when it is killed: its next start sends sync to the streams of the other server', async () => {
    const { first, db, stream, setResult, startAnother } = await startWithStream('first')
    // Nothing is announced before the server is killed.
    await sql`alter function announce_changes rename to announce_changes_later`.execute(db)
    const storedAt = Date.now()
    await setResult(first, 'WEB-1')
    first.signal('SIGKILL')
    await first.ended
    await sql`alter function announce_changes_later rename to announce_changes`.execute(db)
    expect(stream.events.map(({ name }) => name)).toEqual(['sync'])
    const restarted = await startAnother()
    const { data } = await stream.next<{ at: string }>('sync')
    expect(Date.parse(data.at)).toBeLessThan(storedAt)
    await setResult(restarted, 'WEB-2')
    expect((await stream.next('results')).data).toMatchObject({ results: [{ test_case_id: 'WEB-2' }] })
  })
})
