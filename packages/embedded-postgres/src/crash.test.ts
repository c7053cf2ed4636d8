import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import {
  copyDirectory,
  createRecordingLog,
  createStoppedDatabase,
  queryUntilAvailable,
  readPostmasterPid,
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

async function startAndRecord(dataDir: string) {
  const log = createRecordingLog()
  return { log, ...(await startExamplePostgres({ dataDir, log })) }
}

describe('startEmbeddedPostgres after the service was killed', () => {
  it('stops the PostgreSQL that is still running and keeps all committed rows', async () => {
    const dataDir = await copyTemplate()
    const killed = await startPostgresProcess({ dataDir })
    await query(killed.connection, 'create table kept as select generate_series(1, 10000) as n')
    const orphan = await readPostmasterPid(killed.clusterDirectory)
    await killed.kill('SIGKILL')
    expect(await findProcessesIn(dataDir)).toContain(orphan)

    const server = await startAndRecord(dataDir)
    expect(await findProcessesIn(dataDir)).not.toContain(orphan)
    expect(await query(server.connection, 'select count(*)::int as rows from kept')).toEqual([{ rows: 10_000 }])
    expect(server.log.lines).toContain('warn: Stopping the PostgreSQL that an earlier Example left running')
    await server.close()
  })

  it('recovers all committed rows when PostgreSQL was killed too', async () => {
    const dataDir = await copyTemplate()
    const killed = await startPostgresProcess({ dataDir })
    await query(killed.connection, 'create table kept as select generate_series(1, 10000) as n')
    const orphan = await readPostmasterPid(killed.clusterDirectory)
    await killed.kill('SIGKILL')
    process.kill(orphan, 'SIGKILL')

    const server = await startAndRecord(dataDir)
    expect(await query(server.connection, 'select count(*)::int as rows from kept')).toEqual([{ rows: 10_000 }])
    await server.close()
  })
})

describe('a running embedded PostgreSQL', () => {
  it('is restarted when it dies', async () => {
    const dataDir = await copyTemplate()
    const server = await startAndRecord(dataDir)
    await query(server.connection, 'create table kept as select 42 as answer')
    const firstPid = await readPostmasterPid(server.clusterDirectory)
    process.kill(firstPid, 'SIGKILL')

    expect(await queryUntilAvailable(server.connection, 'select answer from kept')).toEqual([{ answer: 42 }])
    expect(await readPostmasterPid(server.clusterDirectory)).not.toBe(firstPid)
    expect(server.log.lines).toContain('error: PostgreSQL ended by SIGKILL; starting it again')
    await server.close()
  })
})
