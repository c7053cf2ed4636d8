import { chmod, mkdir, readdir, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import {
  copyDirectory,
  createRecordingLog,
  createStoppedDatabase,
  EXAMPLE_SERVICE,
  type ExampleOptions,
  startExamplePostgres,
  startPostgresProcess,
} from '@caseward/test-support/embedded-postgres'
import { query } from '@caseward/test-support/query'
import { isRoot, NOBODY_ACCOUNT } from '@caseward/test-support/root-user'
import { createTemporaryDirectory } from '@caseward/test-support/temporary-directory'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { EmbeddedPostgresError } from './error.ts'
import { findPackage } from './find-package.ts'
import { run } from './run-program.ts'

/** Creates a directory that only root can enter, as /root is. */
async function createClosedDirectory(parent: string): Promise<string> {
  const directory = join(parent, 'closed')
  await mkdir(directory, { mode: 0o700 })
  return directory
}

const start = async (options: ExampleOptions) => {
  const log = createRecordingLog()
  return { log, ...(await startExamplePostgres({ log, ...options })) }
}

describe.runIf(isRoot)('startEmbeddedPostgres as root (not run as an ordinary user)', () => {
  let template: string
  beforeAll(async () => (template = await createStoppedDatabase()))
  afterAll(() => rm(template, { recursive: true }))

  it('runs PostgreSQL as an ordinary account that owns the database and can enter it, under a umask of 077', async () => {
    const before = process.umask(0o077)
    try {
      const server = await start({ dataDir: join(await createTemporaryDirectory(), 'new', 'data') })
      const { uid, mode } = await stat(server.clusterDirectory)
      expect(uid).not.toBe(0)
      expect(mode & 0o777).toBe(0o700)
      expect(await query(server.connection, 'select 1 as one')).toEqual([{ one: 1 }])
      await server.close()
    } finally {
      process.umask(before)
    }
  })

  it('uses the account that owns an existing database', async () => {
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

  it('changes the owner of a database that root restored from a backup', async () => {
    const dataDir = join(await createTemporaryDirectory(), 'data')
    await copyDirectory(join(template, 'data'), dataDir)
    await run('chown', ['-R', '0:0', dataDir])
    const server = await start({ dataDir })
    expect((await stat(server.clusterDirectory)).uid).not.toBe(0)
    await server.close()
  })

  it('fails with the chmod command when the account cannot reach the chosen directory', async () => {
    const closed = await createClosedDirectory(await createTemporaryDirectory())
    const starting = start({ dataDir: join(closed, 'data') })
    await expect(starting).rejects.toThrow(EmbeddedPostgresError)
    await expect(starting).rejects.toThrow(
      `cannot enter ${closed}, a parent of ${closed}/data: run "chmod o+x ${closed}"`,
    )
    await chmod(closed, 0o711)
    const dataDir = await copyDirectory(join(template, 'data'), join(closed, 'data'))
    await (await start({ dataDir })).close()
  })

  it('uses the system directory and logs it when the account cannot reach the default directory', async () => {
    const directory = await createTemporaryDirectory()
    const closed = await createClosedDirectory(directory)
    const systemDirectory = join(directory, 'system')
    const options = { dataDir: join(closed, 'data'), dataDirIsDefault: true, systemDirectory }
    const server = await start(options)
    expect(server.clusterDirectory).toMatch(new RegExp(`^${systemDirectory}/[0-9a-f]{12}/postgres$`))
    expect(server.log.lines[0]).toMatch(
      `warn: The database is in ${join(server.clusterDirectory, '..')}, not in ${closed}/data`,
    )
    await query(server.connection, 'create table kept as select 42 as answer')
    await server.close()
    const again = await start(options)
    expect(await query(again.connection, 'select answer from kept')).toEqual([{ answer: 42 }])
    await again.close()
  })

  it('runs a copy of the programs, in a directory that only root can write to, when the account cannot reach them', async () => {
    const directory = await createTemporaryDirectory('programs')
    const closed = await createClosedDirectory(directory)
    const packageDirectory = await copyDirectory(findPackage(EXAMPLE_SERVICE), join(closed, 'package'))
    const dataDir = await copyDirectory(join(template, 'data'), join(directory, 'data'))
    const options = { dataDir, systemDirectory: join(directory, 'system'), packageDirectory }
    await (await start(options)).close()
    const [copy = ''] = await readdir(options.systemDirectory)
    expect(copy).toMatch(/^postgresql-18\./)
    const { uid, mode } = await stat(join(options.systemDirectory, copy))
    expect([uid, mode & 0o777]).toEqual([0, 0o755])
    const { mtimeMs } = await stat(join(options.systemDirectory, copy, 'bin'))
    await (await start(options)).close()
    expect((await stat(join(options.systemDirectory, copy, 'bin'))).mtimeMs).toBe(mtimeMs)

    // Programs are not copied into a directory that other users can write to.
    await rename(options.systemDirectory, join(directory, 'aside'))
    await mkdir(options.systemDirectory)
    await chmod(options.systemDirectory, 0o777)
    await (await start(options)).close()
    expect(await readdir(options.systemDirectory)).toEqual([])
    expect(await readdir(options.dataDir)).toContain(copy)
  })
})
