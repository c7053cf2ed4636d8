import { mkdir, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import {
  copyDirectory,
  createRecordingLog,
  createStoppedDatabase,
  EXAMPLE_SERVICE,
  readPostmasterPid,
  startExamplePostgres,
  startPostgresProcess,
} from '@caseward/test-support/embedded-postgres'
import { query } from '@caseward/test-support/query'
import { createTemporaryDirectory, findProcessesIn } from '@caseward/test-support/temporary-directory'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openExistingPostgres } from './open-existing-postgres.ts'

const open = (dataDir: string) =>
  openExistingPostgres({
    dataDir,
    dataDirIsDefault: false,
    systemDirectory: '/var/lib/embedded-postgres-tests',
    service: EXAMPLE_SERVICE,
    log: createRecordingLog(),
  })

describe('openExistingPostgres', () => {
  let template: string
  beforeAll(async () => {
    template = await createStoppedDatabase()
  })
  afterAll(() => rm(template, { recursive: true }))
  const copyDatabase = async () => {
    const directory = await copyDirectory(join(template, 'data'), join(await createTemporaryDirectory(), 'data'))
    return directory
  }

  it('connects to the PostgreSQL of a service that is running, and leaves it running', async () => {
    const dataDir = await copyDatabase()
    const service = await startExamplePostgres({ dataDir })
    const postgres = await open(dataDir)
    expect(postgres.connection).toEqual(service.connection)
    await query(postgres.connection, 'create table written as select 42 as answer')
    await postgres.close()
    expect(await query(service.connection, 'select answer from written')).toEqual([{ answer: 42 }])
    await service.close()
  })

  it('starts PostgreSQL while no service runs, and stops it on close', async () => {
    const dataDir = await copyDatabase()
    const postgres = await open(dataDir)
    expect(await query(postgres.connection, 'select 42 as answer')).toEqual([{ answer: 42 }])
    await postgres.close()
    expect(await findProcessesIn(dataDir)).toEqual([])
  })

  it('starts PostgreSQL after the service and its PostgreSQL were killed', async () => {
    const dataDir = await copyDatabase()
    const service = await startPostgresProcess({ dataDir })
    await service.kill('SIGKILL')
    process.kill(await readPostmasterPid(service.clusterDirectory), 'SIGKILL')
    await expect.poll(() => findProcessesIn(dataDir), { timeout: 10_000 }).toEqual([])
    const postgres = await open(dataDir)
    expect(await query(postgres.connection, 'select 42 as answer')).toEqual([{ answer: 42 }])
    await postgres.close()
  })

  it('throws and creates nothing when there is no database', async () => {
    const directory = await createTemporaryDirectory()
    await mkdir(join(directory, 'empty'))
    for (const name of ['missing', 'empty']) {
      await expect(open(join(directory, name))).rejects.toThrow(
        /^There is no database in \S+: start Example first, or set EXAMPLE_DIR to the directory that it uses\.$/,
      )
    }
    expect(await readdir(directory)).toEqual(['empty'])
    expect(await readdir(join(directory, 'empty'))).toEqual([])
  })
})
