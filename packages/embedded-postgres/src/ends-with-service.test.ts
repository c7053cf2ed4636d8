import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import {
  copyDirectory,
  createRecordingLog,
  createStoppedDatabase,
  startExamplePostgres,
  startPostgresProcess,
} from '@caseward/test-support/embedded-postgres'
import { query } from '@caseward/test-support/query'
import { createTemporaryDirectory, findProcessesIn } from '@caseward/test-support/temporary-directory'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

let template: string
beforeAll(async () => (template = await createStoppedDatabase()))
afterAll(() => rm(template, { recursive: true }))

const copyTemplate = async () =>
  await copyDirectory(join(template, 'data'), join(await createTemporaryDirectory(), 'data'))

describe('startEmbeddedPostgres after the service was killed', () => {
  it('stops the PostgreSQL that is still running while it executes a query', async () => {
    const dataDir = await copyTemplate()
    const killed = await startPostgresProcess({ dataDir })
    const runningQuery = query(killed.connection, 'select pg_sleep(60)').catch((error: Error) => error.message)
    await sleep(100)
    await killed.kill('SIGKILL')

    const server = await startExamplePostgres({ dataDir, log: createRecordingLog() })
    expect(await runningQuery).toMatch(/terminat/)
    expect(await query(server.connection, 'select 1 as one')).toEqual([{ one: 1 }])
    await server.close()
  })
})

describe('a running embedded PostgreSQL', () => {
  it('survives Ctrl-C in the terminal until the service closes it', async () => {
    const dataDir = await copyTemplate()
    const server = await startPostgresProcess({ dataDir })
    server.pressCtrlC()
    await sleep(300)
    expect(await query(server.connection, 'select 1 as one')).toEqual([{ one: 1 }])
    await server.kill('SIGTERM')
    expect(await findProcessesIn(dataDir)).toEqual([])
  })

  it('leaves no process after SIGTERM with open connections', async () => {
    const dataDir = await copyTemplate()
    const server = await startPostgresProcess({ dataDir })
    const runningQuery = query(server.connection, 'select pg_sleep(60)').catch((error: Error) => error.message)
    const selectRunning = `select from pg_stat_activity where state = 'active' and query = 'select pg_sleep(60)'`
    await expect.poll(() => query(server.connection, selectRunning), { timeout: 10_000 }).toHaveLength(1)
    await server.kill('SIGTERM')
    expect(await runningQuery).toMatch(/terminating connection/)
    expect(await findProcessesIn(dataDir)).toEqual([])
  })

  it('ends when the process of the service exits without closing it', async () => {
    const dataDir = await copyTemplate()
    const server = await startPostgresProcess({ dataDir })
    await server.kill('SIGUSR2')
    await expect.poll(() => findProcessesIn(dataDir), { timeout: 10_000 }).toEqual([])
  })
})
