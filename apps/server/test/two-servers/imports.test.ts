import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import type { Import } from '@caseward/contract/import-schemas'
import { ADMIN_TOKEN } from '@caseward/test-support/caseward-process'
import type { Service } from '@caseward/test-support/service'
import { postAsAdmin, startTwoServers } from '@caseward/test-support/two-servers'
import { sql } from 'kysely'
import { expect, it, onTestFinished } from 'vitest'

const COUNT = 2000
const CSV = `ID,Title,Section,Template,Steps\n${Array.from({ length: COUNT }, (_, index) => `C${index + 1},Case ${index + 1},Shop,Test Case (Text),Open`).join('\n')}\n`

it('an import goes on at another server when its server is killed, and when the next one stops, and creates nothing twice', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'caseward-two-imports-'))
  onTestFinished(() => rm(directory, { recursive: true, force: true }))
  const settings = { DATA_DIR: directory }
  const { first, second, db, startAnother } = await startTwoServers({
    processes: 'first',
    firstSettings: settings,
    secondSettings: settings,
  })
  const { data: project } = await postAsAdmin(first, '/v1/projects', { name: 'Shop', prefix: 'WEB' })
  const uploads = `/v1/projects/${project.id}/file-uploads`
  const bytes = Buffer.from(CSV)
  const { data: upload } = await postAsAdmin(first, uploads, { byte_count: bytes.length })
  const sent = await fetch(`${first.url}${uploads}/${upload.id}`, {
    method: 'PUT',
    headers: {
      authorization: `Bearer ${ADMIN_TOKEN}`,
      'content-type': 'application/octet-stream',
      'content-range': `bytes 0-${bytes.length - 1}/${bytes.length}`,
    },
    body: bytes,
  })
  const { data: stored } = (await sent.json()) as { data: { file_id: string } }
  const imports = `/v1/projects/${project.id}/imports`
  const { data: created } = await postAsAdmin(first, imports, { file_id: stored.file_id, name: 'cases.csv' })
  const path = `${imports}/${created.id}`
  const read = async (server: Pick<Service, 'request'>) =>
    ((await server.request('GET', path)).body as { data: Import }).data
  await expect.poll(async () => (await read(first)).state).toBe('planned')
  const { plan } = await read(first)
  await postAsAdmin(first, `${path}/apply`, { plan })

  const countCases = async () => {
    const { rows } = await sql<{ count: number; titles: number }>`
      select count(*)::int as count, count(distinct title)::int as titles from test_cases`.execute(db)
    return rows[0] ?? { count: 0, titles: 0 }
  }
  const readWorker = async () => (await sql<{ worker: string }>`select worker from imports`.execute(db)).rows[0]?.worker
  await expect.poll(async () => (await countCases()).count, { interval: 5 }).toBeGreaterThan(0)
  const killed = await readWorker()
  first.signal('SIGKILL')
  await first.ended
  const { count: before } = await countCases()
  expect(before).toBeLessThan(COUNT)
  // Instead of waiting until the lease of the killed server has ended.
  await sql`update imports set working_until = now()`.execute(db)

  await expect.poll(async () => (await countCases()).count, { interval: 5 }).toBeGreaterThan(before)
  const stopped = await readWorker()
  expect(stopped).not.toBe(killed)
  second.signal('SIGTERM')
  await second.ended
  expect((await countCases()).count).toBeLessThan(COUNT)

  const third = await startAnother(settings)
  await expect.poll(async () => (await read(third)).state).toBe('done')
  expect((await read(third)).proof).toMatchObject({ is_equal: true, cases: { read: COUNT, stored: COUNT } })
  expect(await countCases()).toEqual({ count: COUNT, titles: COUNT })
}, 400_000)
