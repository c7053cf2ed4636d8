import { randomBytes } from 'node:crypto'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

import type { Attachment } from '@caseward/contract/attachment-schemas'
import { readConfig } from '@caseward/server/config'
import { createSweepJob } from '@caseward/server/features/files/sweep-files'
import { verifyFiles } from '@caseward/server/features/files/verify-files'
import { openFileStore } from '@caseward/server/platform/files/open-file-store'
import {
  ADMIN_TOKEN,
  type CasewardProcess,
  getDatabaseUrl,
  startCaseward,
} from '@caseward/test-support/caseward-process'
import { cloneDatabase } from '@caseward/test-support/database'
import { createTemporaryDirectory } from '@caseward/test-support/temporary-directory'
import { startTestServer } from '@caseward/test-support/test-server'
import { sql } from 'kysely'
import { expect, it, onTestFinished } from 'vitest'

const KILLS = 20
const CLIENTS = 6
const FILE_BYTES = 150_000
const never = new AbortController().signal

/** A database, a directory of files, and a way to look at both while no service runs. */
async function makePlace() {
  const directory = await createTemporaryDirectory()
  const filesDir = join(directory, 'files')
  const database = await cloneDatabase()
  const observer = await startTestServer({ filesDir }, database)
  onTestFinished(async () => {
    await observer.close()
    await database.drop()
  })
  const settings = {
    DATABASE_URL: getDatabaseUrl(database.connection),
    FILES_DIR: filesDir,
    DATA_DIR: directory,
    LOG_LEVEL: 'error',
  }
  return { db: observer.db, filesDir, config: { ...readConfig({}), filesDir }, settings }
}

/** Makes a run with a file: the first one of a directory also binds it to the database. */
async function makeRun(service: CasewardProcess): Promise<string> {
  const create = async (path: string, body: object) =>
    ((await service.request('POST', path, body)).body as { data: { id: string } }).data.id
  const projectId = await create('/v1/projects', { name: 'Shop', prefix: 'WEB' })
  const runId = await create(`/v1/projects/${projectId}/runs`, { name: 'Nightly' })
  await attach(service, runId)
  return runId
}

async function attach({ url }: CasewardProcess, runId: string): Promise<string> {
  const headers = { authorization: `Bearer ${ADMIN_TOKEN}`, 'content-type': 'application/octet-stream' }
  const request = { method: 'POST', headers, body: new Uint8Array(randomBytes(FILE_BYTES)) }
  const response = await fetch(`${url}/v1/runs/${runId}/attachments?name=a.bin`, request)
  const { data } = (await response.json()) as { data: Attachment }
  expect(response.status).toBe(201)
  return data.file_id ?? ''
}

/** Attaches one file after the other, until the service is gone. Returns the files of which it has said that they are stored. */
async function attachUntilKilled(service: CasewardProcess, runId: string): Promise<string[]> {
  const stored: string[] = []
  for (;;) {
    try {
      stored.push(await attach(service, runId))
    } catch (error) {
      if (!(error instanceof TypeError) && !(error instanceof SyntaxError)) throw error
      return stored
    }
  }
}

it(
  'a service that is killed at 20 points of its writes leaves no file without its content, and a sweep removes the rest',
  { timeout: 600_000 },
  async () => {
    const { db, filesDir, config, settings } = await makePlace()
    const store = await openFileStore(config)
    /** What writes have begun, and nothing has ended. */
    const listLeft = async () => {
      const { rows } = await sql<{ name: string }>`select name from file_writes`.execute(db)
      return [...(await readdir(join(filesDir, 'tmp')).catch(() => [])), ...rows.map(({ name }) => name)]
    }
    const stored: string[] = []
    let runId: string | undefined
    let left = 0
    for (let kill = 0; kill < KILLS; kill += 1) {
      const service = await startCaseward(settings)
      const run = (runId ??= await makeRun(service))
      const clients = Array.from({ length: CLIENTS }, () => attachUntilKilled(service, run))
      // The first requests of a process take a fifth of a second.
      await sleep(150 + kill * 11)
      service.signal('SIGKILL')
      await service.ended
      stored.push(...(await Promise.all(clients)).flat())
      const check = await verifyFiles(db, store, {
        readsContents: true,
        deletesUnknown: false,
        signal: never,
        showProgress: () => {},
      })
      expect([check.missing, check.damaged]).toEqual([[], []])
      const { rows } = await sql<{ id: string }>`select id from files`.execute(db)
      const ids = new Set(rows.map(({ id }) => id))
      expect(stored.filter((id) => !ids.has(id))).toEqual([])
      const { rows: unattached } = await sql`
        select from run_attachments a where not exists (select from files f where f.id = a.file_id)`.execute(db)
      expect(unattached).toEqual([])
      left += (await listLeft()).length
    }
    // Otherwise, nothing was killed within a write.
    expect(left).toBeGreaterThan(KILLS)
    await sql`update file_writes set started_at = now() - interval '25 hours'`.execute(db)
    await createSweepJob(config, { warn: () => {} }).run(db, never)
    expect(await listLeft()).toEqual([])
    const { rows } = await sql<{ name: string }>`
      select project_id || '/' || right(id::text, 2) || '/' || id as name from files order by 1`.execute(db)
    expect(await store.list('')).toEqual(rows.map(({ name }) => name).toSorted())
  },
)
