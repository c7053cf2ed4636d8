import { readdir } from 'node:fs/promises'

import type { Run } from '@caseward/contract/run-schemas'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { openBrowser } from '@caseward/test-support/browser'
import { postAsAdmin, startTwoServers, type TwoServers } from '@caseward/test-support/two-servers'

const ROUNDS = [
  [1, 'both'],
  [2, 'none'],
] as const

describe('two servers that start at the same time on an empty database', () => {
  it.each(ROUNDS)(
    'both accept requests and create the schema and the first user once (round %i)',
    async (_round, processes) => {
      const migrations = (await readdir(new URL('../../migrations', import.meta.url))).length
      const { first, second, db } = await startTwoServers({ processes, isEmpty: true })
      const outputs = [first.stderr(), second.stderr()]
      expect(outputs).toEqual([expect.stringContaining('is ready'), expect.stringContaining('is ready')])
      expect(outputs.filter((text) => text.includes('Created the first user'))).toHaveLength(1)
      for (const server of [first, second]) {
        expect((await server.request('GET', '/readyz')).status).toBe(200)
        expect(await server.request('GET', '/v1/me')).toMatchObject({
          status: 200,
          body: { data: { email: 'admin@example.test' } },
        })
        expect(server.log().filter((line) => !line.startsWith('{"level":30'))).toEqual([])
      }
      const { rows } = await sql`
        select
          (select count(*)::int from kysely_migration) as migrations, (select count(*)::int from users) as users,
          (select count(*)::int from api_tokens) as tokens`.execute(db)
      expect(rows).toEqual([{ migrations, users: 1, tokens: 1 }])
    },
  )

  it('create one first user when both setup links are used at the same time', async () => {
    const withoutAdmin = { ADMIN_EMAIL: '', ADMIN_PASSWORD: '', ADMIN_TOKEN: '' }
    const { first, second, db } = await startTwoServers({
      firstSettings: withoutAdmin,
      secondSettings: withoutAdmin,
    })
    const statuses = await Promise.all(
      [first, second].map(async (server, index) => {
        const path = /localhost:\d+(\/setup\/\S+)/.exec(server.stderr())?.[1] ?? ''
        const fields = { name: 'Ada', email: `ada${index}@example.test`, password: 'correct horse' }
        return (await openBrowser(server).post(path, fields)).status
      }),
    )
    expect(new Set(statuses)).toEqual(new Set([303, 410]))
    expect(await db.selectFrom('users').select('id').execute()).toHaveLength(1)
  })
})

describe('two servers on one database', () => {
  let servers: TwoServers
  let end: () => Promise<void>
  beforeAll(async () => {
    servers = await startTwoServers({ onCleanup: (endServers) => (end = endServers) })
  })
  afterAll(() => end())

  it('return projects that were created on the other server', async () => {
    const { first, second } = servers
    for (const [creator, reader] of [
      [first, second],
      [second, first],
    ] as const) {
      const { data } = await postAsAdmin(creator, '/v1/projects', { name: 'Web shop', prefix: 'WEB' })
      expect((await reader.request('GET', `/v1/projects/${data.id}`)).status).toBe(200)
    }
  })

  /** Creates a run of `cases` test cases and functions that upload to it and read its stats. */
  async function makeRun(cases: number) {
    const { first } = servers
    const project = `/v1/projects/${(await postAsAdmin(first, '/v1/projects', { name: 'Web shop', prefix: 'WEB' })).data.id}`
    for (let count = 0; count < cases; count += 100) {
      const test_cases = Array.from({ length: 100 }, () => ({ title: 'A test case' }))
      await postAsAdmin(first, `${project}/test-cases/bulk`, { test_cases })
    }
    const { data: run } = await postAsAdmin(first, `${project}/runs`, { name: 'Nightly' })
    const { data: ci } = await postAsAdmin<{ data: { token: string } }>(first, `${project}/tokens`, {
      name: 'CI',
      access: 'write',
    })
    const readStats = async () => {
      const { body } = await first.request('GET', `/v1/runs/${run.id}`)
      return (body as { data: Run }).data.stats
    }
    const upload = (server: TwoServers['first'], status: string, numbers: number[]) => {
      const results = numbers.map((number) => ({ test_case_id: `WEB-${number}`, status }))
      return server.request('POST', '/v1/results', { run_id: run.id, results }, ci.token)
    }
    return { runId: run.id, readStats, upload }
  }

  const range = (from: number, count: number) => Array.from({ length: count }, (_, index) => from + index)

  it('store all results that are uploaded to both at the same time for one run', async () => {
    const { first, second } = servers
    const { upload, readStats } = await makeRun(400)
    const parts = range(0, 40).map((part) =>
      upload(part % 2 === 0 ? first : second, 'passed', range(part * 10 + 1, 10)),
    )
    for (const { status } of await Promise.all(parts)) expect(status).toBe(200)
    expect(await readStats()).toMatchObject({ passed: 400, not_tested: 0 })
  })

  it('keep the stats of a run correct when the same results are uploaded to both at the same time', async () => {
    const { first, second, db } = servers
    const { runId, upload, readStats } = await makeRun(100)
    const uploadedStatuses = ['passed', 'failed', 'blocked', 'retest']
    const uploads = range(0, 40).map((index) =>
      // In opposite orders, with some test cases in common.
      index % 2 === 0
        ? upload(first, uploadedStatuses[index % 4] ?? '', range(1, 80))
        : upload(second, uploadedStatuses[index % 4] ?? '', range(21, 80).toReversed()),
    )
    for (const { status } of await Promise.all(uploads)) expect(status).toBe(200)
    const { rows } = await sql<{ status: string; count: number }>`
      select status, count(*)::int from test_results where run_id = ${runId} group by status`.execute(db)
    const counts = Object.fromEntries(rows.map(({ status, count }) => [status, count]))
    expect(await readStats()).toEqual({ passed: 0, failed: 0, blocked: 0, retest: 0, not_tested: 0, ...counts })
  })
})
