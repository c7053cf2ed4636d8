import { randomBytes } from 'node:crypto'
import { readFile, rm, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

import { makeProject, makeRun } from '@caseward/test-support/factories'
import { S3_CREDENTIALS, startS3Server } from '@caseward/test-support/s3-server'
import { createTemporaryDirectory } from '@caseward/test-support/temporary-directory'
import { startServerForTest, type TestServer } from '@caseward/test-support/test-server'
import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'

import { type Config, readConfig } from '../../config.ts'
import { toFileName } from '../../platform/files/file-store.ts'
import { createOwnFileStore, type FileStoreSettings } from '../../platform/files/open-file-store.ts'
import { requireOwnFileStore } from '../../platform/files/require-own-file-store.ts'
import { moveFiles } from './move-files.ts'
import type { CompleteAttachment } from './sample-files.test.helper.ts'
import { createSweepJob } from './sweep-files.ts'
import { verifyFiles } from './verify-files.ts'

const FILE_COUNT = 10
const LOCATIONS = { directory: 0, s3: 1 } as const
const never = new AbortController().signal
const log = { warn: () => {} }

async function makeSettings() {
  const { bucketUrl } = await startS3Server()
  const { accessKeyId: s3AccessKeyId, secretAccessKey: s3SecretAccessKey } = S3_CREDENTIALS
  return {
    filesDir: await createTemporaryDirectory(),
    s3BucketUrl: bucketUrl,
    s3AccessKeyId,
    s3SecretAccessKey,
  } satisfies Partial<Config>
}

/** A server with some files in its directory, whose settings name a bucket, too. */
async function makeFiles() {
  const settings = await makeSettings()
  const server = await startServerForTest({ ...settings, filesStore: 'directory' })
  const project = await makeProject(server)
  const run = await makeRun(server, project)
  const contents = Array.from({ length: FILE_COUNT }, () => randomBytes(20_000))
  const files: CompleteAttachment[] = []
  for (const content of contents) {
    const path = `/v1/runs/${run.id}/attachments?name=a.bin`
    const { body } = await server.request<{ data: CompleteAttachment }>('POST', path, {
      token: project.admin.token,
      body: content,
    })
    files.push(body.data)
  }
  const readAll = async () => {
    for (const [index, { url }] of files.entries()) {
      const headers = { authorization: `Bearer ${project.admin.token}` }
      const response = await fetch(server.url + url, { headers })
      expect(response.status).toBe(200)
      expect(Buffer.from(await response.arrayBuffer()).equals(contents[index] ?? Buffer.of())).toBe(true)
    }
  }
  const names = files.map(({ file_id: id }) => toFileName(project.id, id))
  return { settings, server, project, files, names, readAll }
}

const toConfig = (settings: Partial<Config>, filesStore: 'directory' | 's3', fileDeleteDays = 7) => ({
  ...readConfig({}),
  ...settings,
  filesStore,
  fileDeleteDays,
})

/** What `admin move-files` does. */
async function move({ db }: TestServer, settings: Partial<Config>, to: keyof typeof LOCATIONS, signal = never) {
  const fileStore = createOwnFileStore(db, toConfig(settings, to))
  const target = await fileStore.getForWriting()
  const source = await fileStore.getAt(to === 's3' ? LOCATIONS.directory : LOCATIONS.s3)
  return await moveFiles(db, { source, target }, { signal, showProgress: () => {} })
}

const countAt = async ({ db }: TestServer, location: number) =>
  (await sql<{ count: number }>`select count(*)::int as count from files where location = ${location}`.execute(db))
    .rows[0]?.count
const listNames = async ({ db }: TestServer, settings: FileStoreSettings, location: number) =>
  await (await createOwnFileStore(db, settings).getAt(location)).list('')

const selectQueues = async ({ db }: TestServer) =>
  (
    await sql`
      select 'write' as queue, name, location from file_writes
      union all select 'deletion', name, location from file_deletions`.execute(db)
  ).rows

describe('moving files', () => {
  it('to S3 and back leaves every file readable at every moment, while sweeps remove what is no longer needed', async () => {
    const { settings, server, readAll, names } = await makeFiles()
    const done = new AbortController()
    let rounds = 0
    const reading = (async () => {
      while (!done.signal.aborted) {
        await readAll()
        rounds += 1
      }
    })()
    const sweeping = (async () => {
      while (!done.signal.aborted) {
        await createSweepJob(toConfig(settings, 'directory', 0), log).run(server.db, never)
        await new Promise((resolve) => setTimeout(resolve, 5))
      }
    })()
    try {
      for (const to of ['s3', 'directory', 's3', 'directory'] as const) {
        const { moved, missing, damaged } = await move(server, settings, to)
        expect([moved, missing, damaged]).toEqual([FILE_COUNT, [], []])
        expect(await countAt(server, LOCATIONS[to])).toBe(FILE_COUNT)
      }
    } finally {
      done.abort()
    }
    await Promise.all([reading, sweeping])
    expect(rounds).toBeGreaterThan(1)
    await readAll()
    // Nothing is left in the bucket, and nothing in the queues. The bucket of tests fails now and then when it removes several
    // objects of one directory: the next sweep does it again.
    await expect
      .poll(async () => {
        await createSweepJob(toConfig(settings, 'directory', 0), log).run(server.db, never)
        return await selectQueues(server)
      })
      .toEqual([])
    expect(await listNames(server, toConfig(settings, 'directory'), LOCATIONS.s3)).toEqual([])
    expect(await listNames(server, toConfig(settings, 'directory'), LOCATIONS.directory)).toEqual(names.toSorted())
  })

  it('goes on after it was interrupted at any point, and a job removes what was left of it', async () => {
    const { settings, server, readAll, names } = await makeFiles()
    const config = toConfig(settings, 's3')
    const fileStore = createOwnFileStore(server.db, config)
    const target = await fileStore.getForWriting()
    const source = await fileStore.getAt(LOCATIONS.directory)
    const outcomes: string[] = []
    const countWrites = async () => (await sql`select from file_writes`.execute(server.db)).rows.length
    const left: number[] = []
    // The process is gone after one more write, remove or statement each time.
    for (let point = 1; point <= 6; point += 1) {
      let writes = point
      const dying = {
        ...target,
        async write(...args: Parameters<typeof target.write>) {
          if (writes === 0) throw new Error('killed')
          writes -= 1
          const written = await target.write(...args)
          if (writes === 0) throw new Error('killed')
          return written
        },
      }
      const outcome = await moveFiles(server.db, { source, target: dying }, { signal: never, showProgress: () => {} })
        .then(() => 'ended')
        .catch((error: Error) => error.message)
      outcomes.push(outcome)
      left.push(await countWrites())
      await readAll()
    }
    // Several files are moved at a time: the last attempts may find nothing left to move.
    expect(outcomes.slice(0, 3)).toEqual(['killed', 'killed', 'killed'])
    expect(outcomes.filter((outcome) => outcome !== 'killed' && outcome !== 'ended')).toEqual([])
    expect(left[0]).toBeGreaterThan(0)
    expect((await move(server, settings, 's3')).damaged).toEqual([])
    expect(await countAt(server, LOCATIONS.s3)).toBe(FILE_COUNT)
    await readAll()
    await sql`update file_writes set started_at = now() - interval '2 days'`.execute(server.db)
    const sweep = createSweepJob({ ...config, fileDeleteDays: 7 }, log)
    // The S3 server fails now and then when several objects of one directory are removed: the next run repeats it.
    await expect
      .poll(async () => {
        await sweep.run(server.db, never)
        return (await sql`select from file_writes`.execute(server.db)).rows.length
      })
      .toBe(0)
    await readAll()
    // For a week, a database of before finds them where they were.
    expect((await source.list('')).toSorted()).toEqual(names.toSorted())
    const check = await verifyFiles(server.db, target, {
      readsContents: true,
      deletesUnknown: false,
      signal: never,
      showProgress: () => {},
    })
    expect(check).toEqual({ fileCount: FILE_COUNT, missing: [], damaged: [], unknown: [] })
  })

  it('leaves damaged and missing contents where they are and names them, and forgets files that were deleted', async () => {
    const { settings, server, names, project, files } = await makeFiles()
    const [missing = '', short = '', long = '', changed = ''] = names.map((name) => join(settings.filesDir, name))
    await rm(missing)
    await truncate(short, 10)
    await writeFile(long, Buffer.concat([await readFile(long), Buffer.of(1)]))
    await writeFile(changed, randomBytes(20_000))
    const result = await move(server, settings, 's3')
    expect(result.missing).toEqual([names[0]])
    expect(result.damaged.toSorted()).toEqual(names.slice(1, 4).toSorted())
    expect(await countAt(server, LOCATIONS.directory)).toBe(4)
    const { rows } = await sql<{ id: string }>`select id from files where is_lost`.execute(server.db)
    expect(rows).toEqual([{ id: files[0]?.file_id }])
    // A content of a password is removed from both places at once.
    const removed = await server.db.transaction().execute(async (tx) => {
      const { deleteFile } = await import('../storage/delete-content.queries.ts')
      return await deleteFile(tx, project.id, Buffer.from(files[5]?.sha256 ?? '', 'hex'))
    })
    expect(removed?.locations.toSorted()).toEqual([LOCATIONS.directory, LOCATIONS.s3])
  })

  it('writes new files to the chosen store only, and reads those of the other one', async () => {
    const { settings, server, files, project } = await makeFiles()
    const other = await startServerForTest({ ...settings })
    await expect(requireOwnFileStore(other.db, toConfig(settings, 'directory'), log)).rejects.toThrow(
      'belongs to another database',
    )
    const warnings: unknown[] = []
    await requireOwnFileStore(other.db, toConfig(settings, 's3'), {
      warn: (...args: unknown[]) => void warnings.push(args),
    })
    expect(JSON.stringify(warnings)).toContain('files that are in the other file store cannot be read')
    // A server of the database with the directory, which was given a bucket, and one that lost it again.
    const { location } = await createOwnFileStore(server.db, toConfig(settings, 's3')).getForWriting()
    expect(location).toBe(LOCATIONS.s3)
    await requireOwnFileStore(server.db, toConfig(settings, 's3'), log)
    const without = createOwnFileStore(server.db, { ...toConfig({ filesDir: settings.filesDir }, 'directory') })
    await expect(without.getAt(LOCATIONS.s3)).rejects.toThrow('the file is not in the file store')
    // A directory that is not mounted is not bound anew, and loses nothing.
    await rm(join(settings.filesDir, 'store.json'))
    await expect(createOwnFileStore(server.db, toConfig(settings, 's3')).getAt(LOCATIONS.directory)).rejects.toThrow(
      'is empty, but files have been stored',
    )
    expect((await server.request('GET', files[0]?.url ?? '', { token: project.admin.token })).status).toBe(200)
  })
})
