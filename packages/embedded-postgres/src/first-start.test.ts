import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import {
  copyDirectory,
  EXAMPLE_SERVICE,
  startExamplePostgres,
  startPostgresProcess,
} from '@caseward/test-support/embedded-postgres'
import { query } from '@caseward/test-support/query'
import { createTemporaryDirectory, findProcessesIn } from '@caseward/test-support/temporary-directory'
import { waitUntil } from '@caseward/test-support/wait-until'
import { describe, expect, it } from 'vitest'
import { findPackage } from './find-package.ts'
import { run } from './run-program.ts'

describe('startEmbeddedPostgres after a start that was killed during initdb', () => {
  it('creates a new database and removes the incomplete one', async () => {
    const directory = await createTemporaryDirectory()
    const dataDir = join(directory, 'data')
    const first = startPostgresProcess({ dataDir })
    await waitUntil(async () => {
      const incomplete = (await readdir(dataDir).catch(() => [])).find((name) => name.startsWith('.postgres-'))
      return incomplete !== undefined && (await readdir(join(dataDir, incomplete))).includes('PG_VERSION')
    }, 'initdb has created a part of the database')
    // Only the service is killed, so `initdb` continues for a moment.
    for (const pid of await findServices(dataDir)) process.kill(pid, 'SIGKILL')
    expect((await first).error).toBe('the process ended without output')

    const server = await startExamplePostgres({ dataDir })
    expect(await query(server.connection, 'select 1 as one')).toEqual([{ one: 1 }])
    await server.close()
    await waitUntil(async () => (await findProcessesIn(directory)).length === 0, 'the old initdb has ended')
    // The next start removes what the old initdb has written since.
    const next = await startExamplePostgres({ dataDir })
    expect((await readdir(dataDir)).toSorted()).toEqual(['owner', 'postgres'])
    await next.close()
  })
})

async function findServices(dataDir: string): Promise<number[]> {
  const { stdout } = await run('pgrep', ['-f', `"dataDir":"${dataDir}"`])
  return stdout.split('\n').filter(Boolean).map(Number)
}

describe('prepareBinaries', () => {
  it('creates the links between libraries when npm skipped the install script', async () => {
    const directory = await createTemporaryDirectory('programs')
    const packageDirectory = await copyDirectory(findPackage(EXAMPLE_SERVICE), join(directory, 'package'))
    for (const name of await readdir(join(packageDirectory, 'native', 'lib'))) {
      if (/\.so(\.\d+)?$/.test(name) && /^lib(ecpg|icu|pg|pq)/.test(name))
        await rm(join(packageDirectory, 'native', 'lib', name))
    }
    const server = await startExamplePostgres({ dataDir: join(directory, 'data'), packageDirectory })
    expect(await query(server.connection, 'select 1 as one')).toEqual([{ one: 1 }])
    await server.close()
  })
})
