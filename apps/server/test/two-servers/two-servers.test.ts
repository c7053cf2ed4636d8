import { readdir } from 'node:fs/promises'

import type { Run } from '@caseward/contract/runs'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { openBrowser } from '@caseward/test-support/browser'
import { postAsAdmin, startTwoServers, type TwoServers } from '@caseward/test-support/two-servers'

/** On a machine that is busy with other things. */
const START_MS = 120_000
const ROUNDS = [1, 2, 3]

describe('two servers that start at once on an empty database', () => {
  it.each(ROUNDS)(
    'both serve, having made the schema and the first user once (round %i)',
    async () => {
      const migrations = (await readdir(new URL('../../migrations', import.meta.url))).length
      const { first: one, second: other, db } = await startTwoServers()
      const told = [one.stderr(), other.stderr()]
      expect(told).toEqual([expect.stringContaining('is ready'), expect.stringContaining('is ready')])
      expect(told.filter((text) => text.includes('Created the first user'))).toHaveLength(1)
      for (const server of [one, other]) {
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
    START_MS,
  )

  it(
    'make one first user when both of their links are used at once',
    async () => {
      const nobody = { ADMIN_EMAIL: '', ADMIN_PASSWORD: '', ADMIN_TOKEN: '' }
      const { first: one, second: other, db } = await startTwoServers({ firstSettings: nobody, secondSettings: nobody })
      const answers = await Promise.all(
        [one, other].map(async (server, index) => {
          const path = /localhost:\d+(\/setup\/\S+)/.exec(server.stderr())?.[1] ?? ''
          const fields = { name: 'Ada', email: `ada${index}@example.test`, password: 'correct horse' }
          return (await openBrowser(server).post(path, fields)).status
        }),
      )
      expect(new Set(answers)).toEqual(new Set([303, 410]))
      expect(await db.selectFrom('users').select('id').execute()).toHaveLength(1)
    },
    START_MS,
  )
})

describe('two servers on one database', () => {
  let servers: TwoServers
  let end: () => Promise<void>
  beforeAll(async () => {
    servers = await startTwoServers({ onCleanup: (given) => (end = given) })
  }, START_MS)
  afterAll(() => end())

  it('show each other’s projects', async () => {
    const { first: one, second: other } = servers
    for (const [here, there] of [
      [one, other],
      [other, one],
    ] as const) {
      const { data } = await postAsAdmin(here, '/v1/projects', { name: 'Web shop', prefix: 'WEB' })
      expect((await there.request('GET', `/v1/projects/${data.id}`)).status).toBe(200)
    }
  })

  /** A run over as many cases, and what uploads to it. */
  async function makeRun(cases: number) {
    const { first: one } = servers
    const project = `/v1/projects/${(await postAsAdmin(one, '/v1/projects', { name: 'Web shop', prefix: 'WEB' })).data.id}`
    for (let made = 0; made < cases; made += 100) {
      const test_cases = Array.from({ length: 100 }, () => ({ title: 'A test case' }))
      await postAsAdmin(one, `${project}/test-cases/bulk`, { test_cases })
    }
    const { data: run } = await postAsAdmin(one, `${project}/runs`, { name: 'Nightly' })
    const { data: ci } = await postAsAdmin<{ data: { token: string } }>(one, `${project}/tokens`, {
      name: 'CI',
      access: 'write',
    })
    const stats = async () => {
      const { body } = await one.request('GET', `/v1/runs/${run.id}`)
      return (body as { data: Run }).data.stats
    }
    const upload = (server: TwoServers['first'], status: string, numbers: number[]) => {
      const results = numbers.map((number) => ({ test_case_id: `WEB-${number}`, status }))
      return server.request('POST', '/v1/results', { run_id: run.id, results }, ci.token)
    }
    return { runId: run.id, stats, upload }
  }

  const range = (from: number, count: number) => Array.from({ length: count }, (_, index) => from + index)

  it('lose nothing of what both take up at once for one run', async () => {
    const { first: one, second: other } = servers
    const { upload, stats } = await makeRun(400)
    const parts = range(0, 40).map((part) => upload(part % 2 === 0 ? one : other, 'passed', range(part * 10 + 1, 10)))
    for (const { status } of await Promise.all(parts)) expect(status).toBe(200)
    expect(await stats()).toMatchObject({ passed: 400, not_tested: 0 })
  })

  it('count the results of a run right when both upload the same ones at once', async () => {
    const { first: one, second: other, db } = servers
    const { runId, upload, stats } = await makeRun(100)
    const words = ['passed', 'failed', 'blocked', 'retest']
    const uploads = range(0, 40).map((index) =>
      // In opposite orders, and only partly the same.
      index % 2 === 0
        ? upload(one, words[index % 4] ?? '', range(1, 80))
        : upload(other, words[index % 4] ?? '', range(21, 80).toReversed()),
    )
    for (const { status } of await Promise.all(uploads)) expect(status).toBe(200)
    const { rows } = await sql<{ status: string; count: number }>`
      select status, count(*)::int from test_results where run_id = ${runId} group by status`.execute(db)
    const counted = Object.fromEntries(rows.map(({ status, count }) => [status, count]))
    expect(await stats()).toEqual({ passed: 0, failed: 0, blocked: 0, retest: 0, not_tested: 0, ...counted })
  })
})
