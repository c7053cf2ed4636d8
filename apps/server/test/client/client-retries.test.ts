import { createClient } from '@caseward/client'
import { createProject, createRun, updateResult, uploadResults } from '@caseward/client/endpoints'
import { sql } from 'kysely'
import { describe, expect, it, onTestFinished } from 'vitest'

import { expectCorrectCounters } from '@caseward/test-support/counters'
import { cloneDatabase } from '@caseward/test-support/database'
import { makeCiToken, makeProject, makeRun, makeTestCases } from '@caseward/test-support/factories'
import { startServerForTest, startTestServer } from '@caseward/test-support/test-server'
import { makeUser } from '@caseward/test-support/users'
import { connect, type Database } from '../../src/platform/database/connect.ts'

/** Ends the first transactions that it meets, together with their connections. */
async function terminateTransactions(db: Database, end: AbortSignal): Promise<void> {
  for (let count = 0; count < 10 && !end.aborted;) {
    const { rows } = await sql`
      select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and application_name = 'caseward' and pid <> pg_backend_pid()
        and xact_start is not null`.execute(db)
    count += rows.length
  }
}

describe('@caseward/client while database connections are lost', () => {
  it('repeats idempotent writes until they succeed', async () => {
    const { connection, drop } = await cloneDatabase()
    onTestFinished(drop)
    const server = await startTestServer({}, { connection })
    onTestFinished(server.close)
    const { db, close } = connect(connection, { poolSize: 1, onError: () => {} })
    onTestFinished(close)
    const project = await makeProject(server)
    const cases = await makeTestCases(server, project, 20)
    const run = await makeRun(server, project)
    const ciToken = await makeCiToken(server, project)
    const retries: number[] = []
    const onRetry = ({ reply }: { reply: { kind: string; status?: number } }) => void retries.push(reply.status ?? 0)
    const ci = createClient({ url: server.url, token: ciToken, onRetry })
    const admin = createClient({ url: server.url, token: project.admin.token, onRetry })
    const results = cases.map((test_case_id) => ({ test_case_id, status: 'passed' as const }))
    const params = { project_id: project.id }

    const end = new AbortController()
    const terminating = terminateTransactions(db, end.signal)
    const replies = await Promise.all(
      cases.flatMap((result_id, index) => [
        ci.call(uploadResults, { body: { run_id: run.id, results } }),
        ci.call(createRun, { params, body: { name: 'Build', run_key: `build-${index}`, test_case_ids: [result_id] } }),
        admin.call(updateResult, { params: { run_id: run.id, result_id }, body: { status: 'passed' } }),
      ]),
    )
    end.abort()
    await terminating
    expect(new Set(replies.map(({ kind }) => kind))).toEqual(new Set(['success']))
    expect(retries.length).toBeGreaterThan(0)
    expect(new Set(retries)).toEqual(new Set([503]))
    await expectCorrectCounters(server, project.id)
    const { rows } = await sql<{ count: number }>`
      select count(*)::int from runs where project_id = ${project.id} and run_key is not null`.execute(db)
    expect(rows).toEqual([{ count: cases.length }])
  })
})

describe('@caseward/client when the response to a POST is lost', () => {
  it('repeats it with the same key, which creates once', async () => {
    const server = await startServerForTest()
    const { token } = await makeUser(server)
    let lost = 0
    const loseFirst: typeof fetch = async (input, init) => {
      const response = await fetch(input, init)
      await response.clone().text()
      if (lost > 0) return response
      lost += 1
      throw new TypeError('fetch failed', { cause: Object.assign(new Error('socket hang up'), { code: 'ECONNRESET' }) })
    }
    const client = createClient({ url: server.url, token, fetch: loseFirst, retries: { firstDelayMs: 1 } })
    const reply = await client.call(createProject, { body: { name: 'Web shop', prefix: 'WEB' } })
    expect([lost, reply.kind, reply.kind === 'success' && reply.headers.get('idempotent-replayed')]).toEqual([
      1,
      'success',
      'true',
    ])
    const { rows } = await sql`select from projects`.execute(server.db)
    expect(rows).toHaveLength(1)
  })
})
