import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

import { ADMIN_TOKEN, getDatabaseUrl, startCaseward } from '@caseward/test-support/caseward-process'
import { cloneDatabase } from '@caseward/test-support/database'
import { query } from '@caseward/test-support/query'
import type { Service } from '@caseward/test-support/service'
import type pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

let database: { connection: pg.PoolConfig; drop(): Promise<void> }
let directory: string
beforeAll(async () => {
  database = await cloneDatabase()
  directory = await mkdtemp(join(tmpdir(), 'caseward-killed-import-'))
})
afterAll(async () => {
  await database.drop()
  await rm(directory, { recursive: true, force: true })
})

const CASE_COUNT = 1000
const RUN_COUNT = 2
const numbers = (count: number) => Array.from({ length: count }, (_, index) => index + 1)
/** Every test case has two results in each run. */
const JSON_TEXT = JSON.stringify({
  datasets: Object.entries({
    repository_folders: numbers(30).map((id) => ({ id, name: `Folder ${id}` })),
    repository_cases: numbers(CASE_COUNT).map((id) => ({ id, title: `Case ${id}`, folder_id: (id % 30) + 1 })),
    statuses: ['Passed', 'Failed'].map((name, index) => ({ id: index + 1, name })),
    runs: numbers(RUN_COUNT).map((id) => ({ id, name: `Run ${id}`, created_at: `2024-01-0${id}T08:00:00Z` })),
    run_tests: numbers(RUN_COUNT * CASE_COUNT).map((id) => ({
      id,
      run_id: (id % RUN_COUNT) + 1,
      case_id: Math.ceil(id / RUN_COUNT),
    })),
    run_results: numbers(2 * RUN_COUNT * CASE_COUNT).map((id) => ({
      test_id: Math.ceil(id / 2),
      status_id: (id % 2) + 1,
      created_at: `2024-01-05T08:00:0${id % 2}Z`,
    })),
  }).map(([name, rows]) => ({ name, rows })),
})

async function call<T>({ url }: Service, method: string, path: string, body?: unknown, headers = {}): Promise<T> {
  const isBytes = body instanceof Uint8Array
  const response = await fetch(`${url}/v1/projects${path}`, {
    method,
    headers: {
      authorization: `Bearer ${ADMIN_TOKEN}`,
      'content-type': isBytes ? 'application/octet-stream' : 'application/json',
      ...headers,
    },
    ...(body === undefined ? { body: '{}' } : { body: isBytes ? body : JSON.stringify(body) }),
    ...(method === 'GET' ? { body: null } : {}),
  })
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`)
  return ((await response.json()) as { data: T }).data
}

const countRows = async (sql: string) => (await query(database.connection, sql)).length

describe('a server that is killed while it reads, plans and applies an import', () => {
  it('goes on where it was when it starts again, and creates no test case and no result twice', async () => {
    const start = async () => {
      // A file store belongs to one database.
      const started = await startCaseward({ DATABASE_URL: getDatabaseUrl(database.connection), DATA_DIR: directory })
      if (started.url === '') throw new Error(started.stderr())
      return started
    }
    let caseward: Awaited<ReturnType<typeof start>> = await start()
    const { id: project } = await call<{ id: string }>(caseward, 'POST', '', { name: 'Shop', prefix: 'WEB' })
    const bytes = Buffer.from(JSON_TEXT)
    const path = `/${project}/file-uploads`
    const upload = await call<{ id: string }>(caseward, 'POST', path, { byte_count: bytes.length })
    const { file_id } = await call<{ file_id: string }>(caseward, 'PUT', `${path}/${upload.id}`, bytes, {
      'content-range': `bytes 0-${bytes.length - 1}/${bytes.length}`,
    })
    const imports = `/${project}/imports`
    const { id } = await call<{ id: string }>(caseward, 'POST', imports, { file_id, name: 'testmo.json' })

    /** Kills the server as soon as a statement finds a row, and starts another one, to which the import belongs at once. */
    const killWhen = async (sql: string) => {
      while ((await countRows(sql)) === 0) await sleep(2)
      caseward.signal('SIGKILL')
      await caseward.ended
      // Instead of waiting until the lease of the killed server has ended.
      await query(database.connection, 'update imports set working_until = now()')
      caseward = await start()
    }
    const waitFor = async (state: string) => {
      for (;;) {
        const current = await call<{ state: string; plan: string; proof: unknown; error: unknown }>(
          caseward,
          'GET',
          `${imports}/${id}`,
        )
        if (current.state === state) return current
        if (current.error !== null) throw new Error(JSON.stringify(current.error))
        await sleep(100)
      }
    }
    await killWhen('select from import_records limit 1')
    const { plan } = await waitFor('planned')
    await call(caseward, 'POST', `${imports}/${id}/apply`, { plan })
    await killWhen('select from test_cases offset 600 limit 1')
    await killWhen('select from test_results limit 1')
    const done = await waitFor('done')
    expect(done.proof).toMatchObject({
      is_equal: true,
      cases: { read: CASE_COUNT, stored: CASE_COUNT },
      folders: { read: 30, stored: 30 },
      runs: { read: RUN_COUNT, stored: RUN_COUNT },
      results: { read: 2 * RUN_COUNT * CASE_COUNT, stored: 2 * RUN_COUNT * CASE_COUNT },
    })
    expect(await countRows('select from test_cases')).toBe(CASE_COUNT)
    expect(await countRows('select title from test_cases group by title having count(*) > 1')).toBe(0)
    expect(await countRows('select from folders')).toBe(30)
    expect(await countRows('select from runs')).toBe(RUN_COUNT)
    expect(await countRows(`select from test_results where status = 'failed' and change_count = 1`)).toBe(
      RUN_COUNT * CASE_COUNT,
    )
    expect(await countRows(`select from result_changes where status = 'passed'`)).toBe(RUN_COUNT * CASE_COUNT)
    expect(await countRows(`select from runs where failed_count = ${CASE_COUNT} and passed_count = 0`)).toBe(RUN_COUNT)
    caseward.signal('SIGTERM')
    await caseward.ended
  }, 240_000)
})
