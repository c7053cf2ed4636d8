import { join } from 'node:path'

import type pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { getDatabaseUrl, spawnCaseward } from '@caseward/test-support/caseward-process'
import { cloneDatabase } from '@caseward/test-support/database'
import { startService } from '@caseward/test-support/service'
import { createTemporaryDirectory, findProcessesIn } from '@caseward/test-support/temporary-directory'

let database: { connection: pg.PoolConfig; drop(): Promise<void> }
let settings: Record<string, string>
beforeAll(async () => {
  database = await cloneDatabase()
  settings = { DATABASE_URL: getDatabaseUrl(database.connection) }
})
afterAll(() => database.drop())

/** Longer than a test may take. */
const LONG_DELAY = { SHUTDOWN_DELAY_MS: '120000' }

describe('shutdown', () => {
  it('aborts a start of the embedded PostgreSQL and leaves no process behind', async () => {
    const directory = await createTemporaryDirectory()
    const caseward = spawnCaseward({ DATA_DIR: join(directory, 'data') })
    await expect.poll(() => findProcessesIn(directory), { interval: 5 }).not.toEqual([])
    caseward.signal('SIGTERM')
    expect(await caseward.ended).toBe(0)
    expect(caseward.stderr()).toBe('')
    expect(await findProcessesIn(directory)).toEqual([])
  })

  it.skipIf(process.platform === 'win32')('happens when the npm that runs the service gets SIGTERM', async () => {
    const caseward = spawnCaseward(settings, { command: ['npm', 'start'] })
    await caseward.ready
    caseward.signal('SIGTERM')
    // Resolves only after the service has closed its output as well.
    await caseward.ended
    expect(caseward.log().at(-1)).toContain('"msg":"stopping"')
  })
})

describe('shutdown with SHUTDOWN_DELAY_MS', () => {
  async function waitUntilStopping(url: string): Promise<void> {
    const getReadiness = () => fetch(`${url}/readyz`).then(async (response) => await response.json())
    await expect.poll(getReadiness).toEqual({ status: 'the server is stopping' })
  }

  it.each(['SIGINT', 'SIGHUP'] as const)('ends the delay on %s as second signal', async (second) => {
    const caseward = await startService({ ...settings, ...LONG_DELAY })
    caseward.signal('SIGTERM')
    await waitUntilStopping(caseward.url)
    caseward.signal(second)
    expect(await caseward.ended).toBe(0)
  })

  it.each(['SIGINT', 'SIGHUP'] as const)('happens without a delay on %s', async (signal) => {
    const caseward = await startService({ ...settings, ...LONG_DELAY })
    caseward.signal(signal)
    expect(await caseward.ended).toBe(0)
    expect(caseward.log().at(-1)).toContain(`"signal":"${signal}"`)
  })
})
