import type pg from 'pg'
import { ADMIN_TOKEN, getDatabaseUrl, startCaseward } from '@caseward/test-support/caseward-process'
import { cloneDatabase } from '@caseward/test-support/database'
import { watchMemory } from '@caseward/test-support/process-memory'
import { query } from '@caseward/test-support/query'
import { createTemporaryDirectory } from '@caseward/test-support/temporary-directory'
import { expect, it, onTestFinished } from 'vitest'

const ROWS = { csv: 1_000_000, xlsx: 10_000 } as const
/** Of an Excel file, which is complete before it is sent. */
const MAX_XLSX_MB = 150
/** Of a CSV file of any size: what a garbage collector leaves for later. */
const MAX_CSV_MB = 60

it(
  'a million results as CSV take no more memory than a few, and 10,000 as an Excel file at most 150 MB',
  { timeout: 600_000 },
  async () => {
    const { connection, drop } = await cloneDatabase()
    onTestFinished(drop)
    const service = await startCaseward({
      DATABASE_URL: getDatabaseUrl(connection),
      DATA_DIR: await createTemporaryDirectory(),
      LOG_LEVEL: 'error',
    })
    const create = async (path: string, body: object) =>
      ((await service.request('POST', path, body)).body as { data: { id: string } }).data.id
    const projectId = await create('/v1/projects', { name: 'Shop', prefix: 'WEB' })
    const makeRun = async (count: number) => {
      const id = await create(`/v1/projects/${projectId}/runs`, { name: 'Nightly' })
      await query(
        connection as pg.ClientConfig,
        `insert into test_results (project_id, run_id, run_group, id, title, status, note)
         select '${projectId}', '${id}', 0, uuid_v7_in_batch(now(), n), 'A customer pays in way ' || n, 'failed',
           'AssertionError: expected ' || md5(n::text)
         from generate_series(1, ${count}) n`,
      )
      await query(connection as pg.ClientConfig, `update runs set failed_count = ${count} where id = '${id}'`)
      return id
    }
    /** Reads a file, and returns what the memory of the service grew by and the number of lines. */
    const exportRun = async (id: string, format: keyof typeof ROWS) => {
      const memory = await watchMemory(service.pid)
      const headers = { authorization: `Bearer ${ADMIN_TOKEN}` }
      const response = await fetch(`${service.url}/v1/runs/${id}/export?format=${format}`, { headers })
      expect(response.status).toBe(200)
      let lines = 0
      for await (const chunk of response.body ?? [])
        lines += Buffer.from(chunk).toString('latin1').split('\n').length - 1
      return { addedMb: (await memory.readPeakMb()) - memory.startMb, lines }
    }
    const [small, large] = [await makeRun(ROWS.xlsx), await makeRun(ROWS.csv)]
    await exportRun(small, 'csv')
    const csv = await exportRun(large, 'csv')
    const xlsx = await exportRun(small, 'xlsx')
    process.stdout.write(`Memory that files of results add: ${JSON.stringify({ csv, xlsx })}\n`)
    expect(csv.lines).toBe(ROWS.csv + 1)
    expect(csv.addedMb).toBeLessThan(MAX_CSV_MB)
    expect(xlsx.addedMb).toBeLessThan(MAX_XLSX_MB)
  },
)
