import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import {
  copyDirectory,
  createStoppedDatabase,
  EXAMPLE_SERVICE,
  startPostgresProcess,
} from '@caseward/test-support/embedded-postgres'
import { query } from '@caseward/test-support/query'
import { createTemporaryDirectory, findProcessesIn } from '@caseward/test-support/temporary-directory'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { acquireOwnerLock } from './owner-lock.ts'

describe('startEmbeddedPostgres on a data directory of another process', () => {
  let template: string
  beforeAll(async () => (template = await createStoppedDatabase()))
  afterAll(() => rm(template, { recursive: true }))
  const copyTemplate = async () =>
    await copyDirectory(join(template, 'data'), join(await createTemporaryDirectory(), 'data'))

  it('fails with the id of that process, which keeps its database', async () => {
    const dataDir = await copyTemplate()
    const first = await startPostgresProcess({ dataDir })
    const second = await startPostgresProcess({ dataDir })
    expect(second.error).toBe(
      `The data directory ${dataDir} is already in use by another Example (process ${first.pid}): stop it first, or set ` +
        'EXAMPLE_DIR to another directory.',
    )
    expect(await query(first.connection, 'select 1 as one')).toEqual([{ one: 1 }])
    await first.kill('SIGTERM')
  })

  it('fails while that process hangs', async () => {
    const dataDir = await copyTemplate()
    const first = await startPostgresProcess({ dataDir })
    process.kill(first.pid, 'SIGSTOP')
    const second = await startPostgresProcess({ dataDir })
    expect(second.error).toMatch(/in use by another Example: stop/)
    process.kill(first.pid, 'SIGCONT')
    expect(await query(first.connection, 'select 1 as one')).toEqual([{ one: 1 }])
    await first.kill('SIGTERM')
  })

  it('succeeds after that process has ended or was killed', async () => {
    const dataDir = await copyTemplate()
    for (const signal of ['SIGTERM', 'SIGKILL', 'SIGTERM'] as const) {
      const server = await startPostgresProcess({ dataDir })
      expect(server.error).toBe('')
      await server.kill(signal)
    }
    expect(await findProcessesIn(dataDir)).toEqual([])
  })

  it('succeeds for exactly one of several processes that start at once, with a new directory and after a crash', async () => {
    const dataDir = join(await createTemporaryDirectory(), 'data')
    for (const ending of ['SIGKILL', 'SIGTERM'] as const) {
      const servers = await Promise.all(Array.from({ length: 4 }, () => startPostgresProcess({ dataDir })))
      const [winner, ...others] = servers.toSorted((a, b) => a.error.length - b.error.length)
      expect(winner?.error).toBe('')
      for (const { error } of others) expect(error).toContain(`in use by another Example (process ${winner?.pid})`)
      await winner?.kill(ending)
    }
  })
})

describe('acquireOwnerLock', () => {
  it('succeeds for exactly one of 12 simultaneous calls', async () => {
    const directory = await createTemporaryDirectory()
    const dataDirectory = { path: directory, service: EXAMPLE_SERVICE }
    for (let round = 0; round < 20; round++) {
      const attempts = await Promise.allSettled(
        Array.from({ length: 12 }, () => acquireOwnerLock(directory, dataDirectory)),
      )
      const winners = attempts.filter((attempt) => attempt.status === 'fulfilled')
      expect(winners).toHaveLength(1)
      const losers = attempts.filter((attempt) => attempt.status === 'rejected')
      for (const { reason } of losers) expect(String(reason)).toMatch(/in use by another Example/)
      await winners[0]?.value.release()
    }
  })
})
