import { chown, mkdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { copyDirectory, EXAMPLE_SERVICE, startPostgresProcess } from '@caseward/test-support/embedded-postgres'
import { query } from '@caseward/test-support/query'
import { isRoot, NOBODY_ACCOUNT } from '@caseward/test-support/root-user'
import { createTemporaryDirectory, findProcessesIn } from '@caseward/test-support/temporary-directory'
import { describe, expect, it, type TestContext } from 'vitest'
import { findInaccessibleDirectory } from './find-inaccessible-directory.ts'
import { findPackage } from './find-package.ts'
import { run } from './run-program.ts'

/*
 * If an ordinary user runs the tests, all other files cover this case too. If root runs them, these tests start
 * processes as an ordinary account.
 */

const account = isRoot ? NOBODY_ACCOUNT : undefined

async function createOrdinaryDirectory(context: TestContext, purpose?: 'programs'): Promise<string> {
  const tests = fileURLToPath(new URL('.', import.meta.url))
  const inaccessible = isRoot ? await findInaccessibleDirectory(NOBODY_ACCOUNT, tests, EXAMPLE_SERVICE) : undefined
  if (inaccessible) context.skip(`not run: ordinary users cannot enter ${inaccessible}, which contains the tests`)
  const directory = await createTemporaryDirectory(purpose)
  if (isRoot) await chown(directory, NOBODY_ACCOUNT.uid, NOBODY_ACCOUNT.gid)
  return directory
}

describe('startEmbeddedPostgres as an ordinary user', () => {
  it('creates its own database, opens it again after a crash, and holds the lock', async (context) => {
    const dataDir = join(await createOrdinaryDirectory(context), 'data')
    const first = await startPostgresProcess({ dataDir }, account)
    expect(first.error).toBe('')
    await query(first.connection, 'create table kept as select 42 as answer')
    expect((await stat(first.clusterDirectory)).uid).toBe(account?.uid ?? process.getuid?.())
    await first.kill('SIGKILL')

    const second = await startPostgresProcess({ dataDir }, account)
    expect(await query(second.connection, 'select answer from kept')).toEqual([{ answer: 42 }])
    const third = await startPostgresProcess({ dataDir }, account)
    expect(third.error).toContain(`in use by another Example (process ${second.pid})`)
    await second.kill('SIGTERM')
    expect(await findProcessesIn(dataDir)).toEqual([])
  })

  it('fails with a permission error when it cannot write to the data directory', async (context) => {
    const dataDir = join(await createOrdinaryDirectory(context), 'data')
    await mkdir(dataDir, { mode: 0o555 })
    for (const path of [dataDir, join(dataDir, 'deeper')]) {
      const { error } = await startPostgresProcess({ dataDir: path }, account)
      expect(error).toMatch(/^The data directory .* cannot be used because user ".*" has no permission to write to it/)
    }
  })

  it('fails with the chown command when the database belongs to another user', async (context) => {
    const dataDir = join(await createOrdinaryDirectory(context), 'data')
    if (!isRoot) context.skip('not run: only root can change an owner')
    await mkdir(dataDir)
    await chown(dataDir, NOBODY_ACCOUNT.uid, NOBODY_ACCOUNT.gid)
    await (await startPostgresProcess({ dataDir })).kill('SIGTERM')
    const { error } = await startPostgresProcess({ dataDir }, account)
    expect(error).toMatch(/belongs to user "\w+", and this is "nobody".*sudo chown -R nobody/)
  })

  it('fails when its user id is not in /etc/passwd, which initdb requires', async (context) => {
    const directory = await createOrdinaryDirectory(context)
    if (!isRoot) context.skip('not run: only root can start a process with such an id')
    await chown(directory, 54321, 54321)
    const { error } = await startPostgresProcess({ dataDir: join(directory, 'data') }, { uid: 54321, gid: 54321 })
    expect(error).toMatch(/cannot run as user 54321, which is not in \/etc\/passwd/)
  })

  it('copies the programs to the data directory when it cannot create links where they are installed', async (context) => {
    const directory = await createOrdinaryDirectory(context, 'programs')
    if (!isRoot) context.skip('not run: only root can create files that other users cannot write to')
    const packageDirectory = join(directory, 'package')
    await copyDirectory(findPackage(EXAMPLE_SERVICE), packageDirectory)
    await run('sh', ['-c', `find "$1" -type l -delete`, 'sh', packageDirectory])
    const server = await startPostgresProcess({ dataDir: join(directory, 'data'), packageDirectory }, account)
    expect(server.error).toBe('')
    await server.kill('SIGTERM')
    await rm(packageDirectory, { recursive: true })
  })
})
