import { utimes } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'

import type pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { getDatabaseUrl, spawnCaseward } from '@caseward/test-support/caseward-process'
import { cloneDatabase } from '@caseward/test-support/database'

let database: { connection: pg.PoolConfig; drop(): Promise<void> }
beforeAll(async () => {
  database = await cloneDatabase()
})
afterAll(() => database.drop())

const migration = fileURLToPath(new URL('../migrations/0001_users_and_projects.sql', import.meta.url))

describe.skipIf(process.platform === 'win32')('npm run dev', () => {
  it('starts the service anew when a migration changes, and takes the compiler along when it is told to stop', async () => {
    const caseward = spawnCaseward(
      { DATABASE_URL: getDatabaseUrl(database.connection) },
      { command: ['npm', 'run', 'dev'] },
    )
    await caseward.ready
    const starts = () => caseward.stderr().split('started in').length - 1
    expect(starts()).toBe(1)
    await utimes(migration, new Date(), new Date())
    await expect.poll(starts, { timeout: 10_000 }).toBe(2)
    caseward.signal('SIGTERM')
    // Whoever still ran would hold an end of what they write.
    await caseward.ended
  })
})
