import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import {
  copyDirectory,
  createRecordingLog,
  createStoppedDatabase,
  queryUntilAvailable,
  startExamplePostgres,
} from '@caseward/test-support/embedded-postgres'
import { query } from '@caseward/test-support/query'
import { fillDisk, mountSmallDisk } from '@caseward/test-support/small-disk'
import { waitUntil } from '@caseward/test-support/wait-until'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { run } from './run-program.ts'

let template: string
beforeAll(async () => (template = await createStoppedDatabase()))
afterAll(() => rm(template, { recursive: true }))

const copyTemplate = (disk: string) => copyDirectory(join(template, 'data'), join(disk, 'data'))

describe('startEmbeddedPostgres on a small disk', () => {
  it('fails with the needed space when a new database does not fit', async (context) => {
    const disk = await mountSmallDisk(context, 60)
    await expect(startExamplePostgres({ dataDir: join(disk, 'data') })).rejects.toThrow(
      /not enough space in .*only \d+ MB are free.*at least 100 MB/,
    )
  })

  it('fails with a disk-full error when space runs out during the creation of the database', async (context) => {
    const disk = await mountSmallDisk(context, 110)
    const starting = startExamplePostgres({
      dataDir: join(disk, 'data'),
      log: {
        ...createRecordingLog(),
        // Logged between the check of free space and initdb.
        info: (_, message) =>
          void (
            message.startsWith('Creating') && run('dd', ['if=/dev/zero', `of=${disk}/filler`, 'bs=1M', 'count=85'])
          ),
      },
    })
    await expect(starting).rejects.toThrow(/not enough space in .*disk is full.*at least 100 MB/)
  })

  it('fails with a disk-full error for an existing database, and starts after space is freed', async (context) => {
    const disk = await mountSmallDisk(context, 150)
    const dataDir = await copyTemplate(disk)
    const filler = await fillDisk(disk)
    await expect(startExamplePostgres({ dataDir })).rejects.toThrow(/not enough space in .*disk is full/)
    await rm(filler)
    const server = await startExamplePostgres({ dataDir })
    expect(await query(server.connection, 'select 1 as one')).toEqual([{ one: 1 }])
    await server.close()
  })

  it('fails with a read-only error when the data directory is on a read-only disk', async (context) => {
    const disk = await mountSmallDisk(context, 10)
    await mkdir(join(disk, 'data'))
    await writeFile(join(disk, 'data', 'file'), '')
    expect(await run('mount', ['-o', 'remount,ro', disk])).toMatchObject({ status: 0 })
    for (const dataDir of [join(disk, 'data'), join(disk, 'other')]) {
      await expect(startExamplePostgres({ dataDir })).rejects.toThrow(/is on a read-only file system/)
    }
  })
})

describe('a running embedded PostgreSQL on a full disk', () => {
  it('keeps committed rows and accepts new ones after space is freed', async (context) => {
    const disk = await mountSmallDisk(context, 150)
    const server = await startExamplePostgres({ dataDir: await copyTemplate(disk) })
    await query(server.connection, 'create table kept (n int, filling text)')
    await query(server.connection, `insert into kept values (1, 'before')`)
    const filler = await fillDisk(disk)

    const insertMany = `insert into kept select 2, repeat(md5(n::text), 20) from generate_series(1, 100000) n`
    await expect(query(server.connection, insertMany)).rejects.toThrow(/No space left on device|terminated|terminating/)
    await rm(filler)
    expect(await queryUntilAvailable(server.connection, 'select count(*)::int as rows from kept')).toEqual([
      { rows: 1 },
    ])
    await queryUntilAvailable(server.connection, `insert into kept values (3, 'after')`)
    await server.close()
  })

  it('is restarted after it ends because its write-ahead log cannot be written', async (context) => {
    const disk = await mountSmallDisk(context, 150)
    const log = createRecordingLog()
    const server = await startExamplePostgres({ dataDir: await copyTemplate(disk), log })
    await query(server.connection, `create table kept as select 1 as n`)
    const filler = await fillDisk(disk)
    // Only the write-ahead log grows, no table.
    const growLog = `do $$ begin for i in 1..200 loop perform pg_logical_emit_message(true, 'fill', repeat('x', 1000000)); end loop; end $$`
    await expect(query(server.connection, growLog)).rejects.toThrow(/terminat|No space left on device/)
    await waitUntil(() => log.lines.some((line) => line.startsWith('error: PostgreSQL')), 'PostgreSQL has ended')
    await rm(filler)
    expect(await queryUntilAvailable(server.connection, 'select n from kept')).toEqual([{ n: 1 }])
    await server.close()
  })
})
