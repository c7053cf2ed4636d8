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

const root = new URL('../../../../', import.meta.url)

describe.skipIf(process.platform === 'win32')('npm run dev', () => {
  it('restarts the service when a migration or a build of embedded-postgres changes, and stops with its compiler', async () => {
    const caseward = spawnCaseward(
      { DATABASE_URL: getDatabaseUrl(database.connection) },
      { command: ['npm', 'run', 'dev'] },
    )
    await caseward.ready
    const countStarts = () => caseward.stderr().split('started in').length - 1
    expect(countStarts()).toBe(1)
    // The compiler writes the second one whenever its source changes.
    const changes = [
      'apps/server/migrations/0001_users_and_projects.sql',
      'packages/embedded-postgres/dist/embedded-postgres.js',
    ]
    for (const [index, file] of changes.entries()) {
      await utimes(fileURLToPath(new URL(file, root)), new Date(), new Date())
      await expect.poll(countStarts).toBe(index + 2)
    }
    caseward.signal('SIGTERM')
    // Resolves only after every process has closed its output.
    await caseward.ended
  })
})
