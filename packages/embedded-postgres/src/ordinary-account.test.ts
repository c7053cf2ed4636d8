import { chown, mkdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it, type TestContext } from 'vitest'
import { copyDirectory, startPostgresProcess } from '@caseward/test-support/embedded-postgres'
import { query } from '@caseward/test-support/query'
import { isRoot, NOBODY_ACCOUNT } from '@caseward/test-support/root-user'
import { createTemporaryDirectory, findProcessesIn } from '@caseward/test-support/temporary-directory'
import { findInaccessibleDirectory } from './account.ts'
import { findPackage } from './binaries.ts'
import { run } from './run-program.ts'

/*
 * When the tests run as an ordinary user, all the others have shown already that it works so. When root runs them, these do
 * it over in a process that has stepped down.
 */

const account = isRoot ? NOBODY_ACCOUNT : undefined

async function ordinaryFolder(context: TestContext, purpose?: 'programs'): Promise<string> {
  const closed = isRoot
    ? await findInaccessibleDirectory(NOBODY_ACCOUNT, fileURLToPath(new URL('../../dist', import.meta.url)))
    : undefined
  if (closed) context.skip(`not run: no ordinary user may enter ${closed}, where the tests are`)
  const folder = await createTemporaryDirectory(purpose)
  if (isRoot) await chown(folder, NOBODY_ACCOUNT.uid, NOBODY_ACCOUNT.gid)
  return folder
}

describe('as an ordinary user', () => {
  it('makes a database of its own, and serves it again after a crash', async (context) => {
    const dataDir = join(await ordinaryFolder(context), 'data')
    const first = await startPostgresProcess({ dataDir }, account)
    expect(first.error).toBe('')
    await query(first.connection, 'create table kept as select 42 as answer')
    expect((await stat(first.clusterDirectory)).uid).toBe(account?.uid ?? process.getuid?.())
    await first.kill('SIGKILL')

    const second = await startPostgresProcess({ dataDir }, account)
    expect(await query(second.connection, 'select answer from kept')).toEqual([{ answer: 42 }])
    const third = await startPostgresProcess({ dataDir }, account)
    expect(third.error).toContain(`in use by another Caseward (process ${second.pid})`)
    await second.kill('SIGTERM')
    expect(await findProcessesIn(dataDir)).toEqual([])
  })

  it('is told when it may not write in the data folder', async (context) => {
    const dataDir = join(await ordinaryFolder(context), 'data')
    await mkdir(dataDir, { mode: 0o555 })
    for (const folder of [dataDir, join(dataDir, 'deeper')]) {
      const { error } = await startPostgresProcess({ dataDir: folder }, account)
      expect(error).toMatch(/^The data folder .* cannot be used, because user ".*" may not write there/)
    }
  })

  it('is told when the database belongs to another user', async (context) => {
    const dataDir = join(await ordinaryFolder(context), 'data')
    if (!isRoot) context.skip('not run: only root can give a folder away')
    await mkdir(dataDir)
    await chown(dataDir, NOBODY_ACCOUNT.uid, NOBODY_ACCOUNT.gid)
    await (await startPostgresProcess({ dataDir })).kill('SIGTERM')
    const { error } = await startPostgresProcess({ dataDir }, account)
    expect(error).toMatch(/belongs to user "\w+", and this is "nobody".*sudo chown -R nobody/)
  })

  it('is told when its number has no name, which PostgreSQL needs to make a database', async (context) => {
    const folder = await ordinaryFolder(context)
    if (!isRoot) context.skip('not run: only root can step down to such a user')
    await chown(folder, 54321, 54321)
    const { error } = await startPostgresProcess({ dataDir: join(folder, 'data') }, { uid: 54321, gid: 54321 })
    expect(error).toMatch(/cannot run as user 54321, who is not in \/etc\/passwd/)
  })

  it('leaves a copy of the programs in the data folder when it cannot make the links where they are installed', async (context) => {
    const folder = await ordinaryFolder(context, 'programs')
    if (!isRoot) context.skip('not run: only root can install what others cannot write to')
    const packageFolder = join(folder, 'package')
    await copyDirectory(findPackage(), packageFolder)
    await run('sh', ['-c', `find "$1" -type l -delete`, 'sh', packageFolder])
    const server = await startPostgresProcess(
      { dataDir: join(folder, 'data'), packageDirectory: packageFolder },
      account,
    )
    expect(server.error).toBe('')
    await server.kill('SIGTERM')
    await rm(packageFolder, { recursive: true })
  })
})
