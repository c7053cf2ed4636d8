import { chmod, mkdir, readdir, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  copyDirectory,
  createRecordingLog,
  createStoppedDatabase,
  startPostgresProcess,
} from '@caseward/test-support/embedded-postgres'
import { query } from '@caseward/test-support/query'
import { isRoot, NOBODY_ACCOUNT } from '@caseward/test-support/root-user'
import { createTemporaryDirectory } from '@caseward/test-support/temporary-directory'
import { EmbeddedPostgresError, startEmbeddedPostgres, type EmbeddedPostgresOptions } from './embedded-postgres.ts'
import { findPackage } from './binaries.ts'
import { run } from './run-program.ts'

/** A folder that only root may enter, as /root is. */
async function closedFolder(parent: string): Promise<string> {
  const folder = join(parent, 'closed')
  await mkdir(folder, { mode: 0o700 })
  return folder
}

const start = async (options: Partial<EmbeddedPostgresOptions> & { dataDir: string }) => {
  const log = createRecordingLog()
  return { log, ...(await startEmbeddedPostgres({ dataDirIsDefault: false, log, ...options })) }
}

describe.runIf(isRoot)('as root (not run when the tests run as an ordinary user)', () => {
  let template: string
  beforeAll(async () => (template = await createStoppedDatabase()))
  afterAll(() => rm(template, { recursive: true }))

  it('runs PostgreSQL as an ordinary account, to whom alone the database belongs', async () => {
    const folder = await createTemporaryDirectory()
    const server = await start({ dataDir: join(folder, 'data') })
    const { uid, mode } = await stat(server.clusterDirectory)
    expect(uid).not.toBe(0)
    expect(mode & 0o777).toBe(0o700)
    expect(await query(server.connection, 'select 1 as one')).toEqual([{ one: 1 }])
    await server.close()
  })

  it('stays with the account that a database belongs to, whichever that is', async () => {
    const dataDir = join(await createTemporaryDirectory(), 'data')
    await copyDirectory(join(template, 'data'), dataDir)
    await run('chown', ['-R', `${NOBODY_ACCOUNT.uid}:${NOBODY_ACCOUNT.gid}`, dataDir])
    const ordinary = await startPostgresProcess({ dataDir }, NOBODY_ACCOUNT)
    expect(ordinary.error).toBe('')
    await ordinary.kill('SIGTERM')
    const server = await start({ dataDir })
    await server.close()
    const again = await startPostgresProcess({ dataDir }, NOBODY_ACCOUNT)
    expect(again.error).toBe('')
    await again.kill('SIGTERM')
  })

  it('takes over a database that root has restored from a backup', async () => {
    const dataDir = join(await createTemporaryDirectory(), 'data')
    await copyDirectory(join(template, 'data'), dataDir)
    await run('chown', ['-R', '0:0', dataDir])
    const server = await start({ dataDir })
    expect((await stat(server.clusterDirectory)).uid).not.toBe(0)
    await server.close()
  })

  it('makes folders that the account can enter, even under a umask that would not', async () => {
    const before = process.umask(0o077)
    try {
      const server = await start({ dataDir: join(await createTemporaryDirectory(), 'new', 'data') })
      expect(await query(server.connection, 'select 1 as one')).toEqual([{ one: 1 }])
      await server.close()
    } finally {
      process.umask(before)
    }
  })

  it('says which folder is closed and what to do, when the folder was chosen', async () => {
    const closed = await closedFolder(await createTemporaryDirectory())
    const starting = start({ dataDir: join(closed, 'data') })
    await expect(starting).rejects.toThrow(EmbeddedPostgresError)
    await expect(starting).rejects.toThrow(
      `may not enter ${closed} on the way to ${closed}/data: run "chmod o+x ${closed}"`,
    )
    await chmod(closed, 0o711)
    await (await start({ dataDir: join(closed, 'data') })).close()
  })

  it('puts the database elsewhere and says where, when nobody chose the folder', async () => {
    const folder = await createTemporaryDirectory()
    const closed = await closedFolder(folder)
    const options = { dataDir: join(closed, 'data'), dataDirIsDefault: true, systemFolder: join(folder, 'system') }
    const server = await start(options)
    expect(server.clusterDirectory).toMatch(new RegExp(`^${folder}/system/[0-9a-f]{12}/postgres$`))
    expect(server.log.lines[0]).toMatch(
      `warn: The database is in ${join(server.clusterDirectory, '..')}, not in ${closed}/data`,
    )
    await query(server.connection, 'create table kept as select 42 as answer')
    await server.close()
    const again = await start(options)
    expect(await query(again.connection, 'select answer from kept')).toEqual([{ answer: 42 }])
    await again.close()
  })

  it('runs a copy of the programs, which is its own, when the account cannot reach them', async () => {
    const folder = await createTemporaryDirectory('programs')
    const closed = await closedFolder(folder)
    const packageFolder = await copyDirectory(findPackage(), join(closed, 'package'))
    const dataDir = await copyDirectory(join(template, 'data'), join(folder, 'data'))
    const options = { dataDir, systemFolder: join(folder, 'system'), packageFolder }
    await (await start(options)).close()
    const [copy = ''] = await readdir(options.systemFolder)
    expect(copy).toMatch(/^postgresql-18\./)
    const { uid, mode } = await stat(join(options.systemFolder, copy))
    expect([uid, mode & 0o777]).toEqual([0, 0o755])
    const { mtimeMs } = await stat(join(options.systemFolder, copy, 'bin'))
    await (await start(options)).close()
    expect((await stat(join(options.systemFolder, copy, 'bin'))).mtimeMs).toBe(mtimeMs)

    // A folder that somebody else can write to is not trusted with programs.
    await rename(options.systemFolder, join(folder, 'aside'))
    await mkdir(options.systemFolder)
    await chmod(options.systemFolder, 0o777)
    await (await start(options)).close()
    expect(await readdir(options.systemFolder)).toEqual([])
    expect(await readdir(options.dataDir)).toContain(copy)
  })
})
