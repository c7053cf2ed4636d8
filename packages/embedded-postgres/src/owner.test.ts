import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { copyDirectory, createStoppedDatabase, startPostgresProcess } from '@caseward/test-support/embedded-postgres'
import { query } from '@caseward/test-support/query'
import { createTemporaryDirectory, findProcessesIn } from '@caseward/test-support/temporary-directory'
import { acquireOwnerLock } from './owner-lock.ts'

describe('a second Caseward on the same folder', () => {
  let template: string
  beforeAll(async () => (template = await createStoppedDatabase()))
  afterAll(() => rm(template, { recursive: true }))
  const newFolder = async () => copyDirectory(join(template, 'data'), join(await createTemporaryDirectory(), 'data'))

  it('is told which process has it, and does the first no harm', async () => {
    const dataDir = await newFolder()
    const first = await startPostgresProcess({ dataDir })
    const second = await startPostgresProcess({ dataDir })
    expect(second.error).toBe(
      `The data folder ${dataDir} is in use by another Caseward (process ${first.pid}): stop that one first, or set ` +
        'DATA_DIR to another folder.',
    )
    expect(await query(first.connection, 'select 1 as one')).toEqual([{ one: 1 }])
    await first.kill('SIGTERM')
  })

  it('is refused while the first one hangs', async () => {
    const dataDir = await newFolder()
    const first = await startPostgresProcess({ dataDir })
    process.kill(first.pid, 'SIGSTOP')
    const second = await startPostgresProcess({ dataDir })
    expect(second.error).toMatch(/in use by another Caseward: stop/)
    process.kill(first.pid, 'SIGCONT')
    expect(await query(first.connection, 'select 1 as one')).toEqual([{ one: 1 }])
    await first.kill('SIGTERM')
  })

  it('gets the folder once the first has gone', async () => {
    const dataDir = await newFolder()
    for (const signal of ['SIGTERM', 'SIGKILL', 'SIGTERM'] as const) {
      const server = await startPostgresProcess({ dataDir })
      expect(server.error).toBe('')
      await server.kill(signal)
    }
    expect(await findProcessesIn(dataDir)).toEqual([])
  })

  it('leaves exactly one when several start at once, in an empty folder and after a crash', async () => {
    const dataDir = join(await createTemporaryDirectory(), 'data')
    for (const ending of ['SIGKILL', 'SIGTERM'] as const) {
      const servers = await Promise.all(Array.from({ length: 4 }, () => startPostgresProcess({ dataDir })))
      const [winner, ...others] = servers.toSorted((a, b) => a.error.length - b.error.length)
      expect(winner?.error).toBe('')
      for (const { error } of others) expect(error).toContain(`in use by another Caseward (process ${winner?.pid})`)
      await winner?.kill(ending)
    }
  })
})

describe('the lock', () => {
  it('has one holder at any time, however many want it', async () => {
    const folder = await createTemporaryDirectory()
    for (let round = 0; round < 20; round++) {
      const attempts = await Promise.allSettled(Array.from({ length: 12 }, () => acquireOwnerLock(folder, folder)))
      const won = attempts.filter((attempt) => attempt.status === 'fulfilled')
      expect(won).toHaveLength(1)
      const lost = attempts.filter((attempt) => attempt.status === 'rejected')
      for (const { reason } of lost) expect(String(reason)).toMatch(/in use by another Caseward/)
      await won[0]?.value.release()
    }
  })
})
