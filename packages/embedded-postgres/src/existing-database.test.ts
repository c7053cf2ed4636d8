import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { copyDirectory, startExamplePostgres } from '@caseward/test-support/embedded-postgres'
import { query } from '@caseward/test-support/query'
import { createTemporaryDirectory, findProcessesIn } from '@caseward/test-support/temporary-directory'
import { createUnmanagedDirectory } from '@caseward/test-support/unmanaged-directory'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

const start = (dataDir: string) => startExamplePostgres({ dataDir })

describe('startEmbeddedPostgres with an existing database', () => {
  let template: string
  beforeAll(async () => {
    template = await createUnmanagedDirectory()
    const server = await start(join(template, 'data'))
    await query(server.connection, 'create table kept as select 42 as answer')
    await server.close()
  })
  afterAll(() => rm(template, { recursive: true }))

  const copyTemplate = async () =>
    await copyDirectory(join(template, 'data'), join(await createTemporaryDirectory(), 'data'))

  it('keeps the rows', async () => {
    const dataDir = await copyTemplate()
    const server = await start(dataDir)
    expect(await query(server.connection, 'select answer from kept')).toEqual([{ answer: 42 }])
    await server.close()
    expect(await findProcessesIn(dataDir)).toEqual([])
  })

  it('sets a new password when the password file is missing', async () => {
    const dataDir = await copyTemplate()
    await rm(join(dataDir, 'postgres', 'example.password'))
    const server = await start(dataDir)
    expect(await query(server.connection, 'select answer from kept')).toEqual([{ answer: 42 }])
    await server.close()
  })

  it('fails with a hint to delete the password file when the password is wrong', async () => {
    const dataDir = await copyTemplate()
    const file = join(dataDir, 'postgres', 'example.password')
    await writeFile(file, 'another')
    await expect(start(dataDir)).rejects.toThrow(/refuses the connection of Example.*delete .*example\.password/)
    expect(await findProcessesIn(dataDir)).toEqual([])
  })

  it('fails with upgrade instructions for a database of another major version', async () => {
    const dataDir = await copyTemplate()
    await writeFile(join(dataDir, 'postgres', 'PG_VERSION'), '17\n')
    await expect(start(dataDir)).rejects.toThrow(
      /created by PostgreSQL 17.*Example includes PostgreSQL 18.*pg_dump 17.*set EXAMPLE_URL/,
    )
  })

  it('fails with the error of PostgreSQL when the configuration is invalid', async () => {
    const dataDir = await copyTemplate()
    await writeFile(join(dataDir, 'postgres', 'postgresql.auto.conf'), "shared_buffers = 'plenty'\n")
    await expect(start(dataDir)).rejects.toThrow(/invalid value for parameter "shared_buffers": "plenty"/)
  })

  it('uses and locks a data directory whose path is too long for a socket', async () => {
    const dataDir = await copyDirectory(join(template, 'data'), join(await createTemporaryDirectory(), 'd'.repeat(120)))
    const server = await start(dataDir)
    expect(server.connection.host.length).toBeLessThan(80)
    expect(await query(server.connection, 'select answer from kept')).toEqual([{ answer: 42 }])
    await expect(start(dataDir)).rejects.toThrow(/in use by another Example/)
    await server.close()
    await rm(join(server.connection.host, '..'), { recursive: true })
  })
})
