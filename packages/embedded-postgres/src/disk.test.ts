import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { createRecordingLog, queryUntilAvailable } from '@caseward/test-support/embedded-postgres'
import { query } from '@caseward/test-support/query'
import { fillDisk, mountSmallDisk } from '@caseward/test-support/small-disk'
import { waitUntil } from '@caseward/test-support/wait-until'
import { startEmbeddedPostgres } from './embedded-postgres.ts'
import { run } from './run-program.ts'

const start = (dataDir: string, log = createRecordingLog()) =>
  startEmbeddedPostgres({ dataDir, dataDirIsDefault: false, log })

it('says how much space it needs when a new database does not fit', async (context) => {
  const disk = await mountSmallDisk(context, 60)
  await expect(start(join(disk, 'data'))).rejects.toThrow(/not enough space in .*only \d+ MB are free.*at least 100 MB/)
})

it('says so when space runs out while the database is being made', async (context) => {
  const disk = await mountSmallDisk(context, 110)
  const starting = start(join(disk, 'data'), {
    ...createRecordingLog(),
    // Said between the check and initdb.
    info: (_, message) =>
      void (message.startsWith('Creating') && run('dd', ['if=/dev/zero', `of=${disk}/filler`, 'bs=1M', 'count=85'])),
  })
  await expect(starting).rejects.toThrow(/not enough space in .*disk is full.*at least 100 MB/)
})

it('says so when the disk is full at a later start, and starts when there is space again', async (context) => {
  const disk = await mountSmallDisk(context, 150)
  await (await start(join(disk, 'data'))).close()
  const filler = await fillDisk(disk)
  await expect(start(join(disk, 'data'))).rejects.toThrow(/not enough space in .*disk is full/)
  await rm(filler)
  const server = await start(join(disk, 'data'))
  expect(await query(server.connection, 'select 1 as one')).toEqual([{ one: 1 }])
  await server.close()
})

it('survives a disk that fills up while it serves, and goes on when there is space again', async (context) => {
  const disk = await mountSmallDisk(context, 150)
  const server = await start(join(disk, 'data'))
  await query(server.connection, 'create table kept (n int, filling text)')
  await query(server.connection, `insert into kept values (1, 'before')`)
  const filler = await fillDisk(disk)

  const lots = `insert into kept select 2, repeat(md5(n::text), 20) from generate_series(1, 100000) n`
  await expect(query(server.connection, lots)).rejects.toThrow(/No space left on device|terminated|terminating/)
  await rm(filler)
  expect(await queryUntilAvailable(server.connection, 'select count(*)::int as rows from kept')).toEqual([{ rows: 1 }])
  await queryUntilAvailable(server.connection, `insert into kept values (3, 'after')`)
  await server.close()
})

it('goes on even when the log itself could not be written, which ends all of PostgreSQL', async (context) => {
  const disk = await mountSmallDisk(context, 150)
  const log = createRecordingLog()
  const server = await start(join(disk, 'data'), log)
  await query(server.connection, `create table kept as select 1 as n`)
  // Table on another disk, so to speak: only the write-ahead log grows.
  await query(
    server.connection,
    'create table busy (n int, filling text); alter table busy alter filling set storage plain',
  )
  const filler = await fillDisk(disk)
  // Only the write-ahead log grows.
  const churn = `do $$ begin for i in 1..200 loop perform pg_logical_emit_message(true, 'fill', repeat('x', 1000000)); end loop; end $$`
  await expect(query(server.connection, churn)).rejects.toThrow(/terminat|No space left on device/)
  await waitUntil(() => log.lines.some((line) => line.startsWith('error: PostgreSQL')), 'PostgreSQL has died of it')
  await rm(filler)
  expect(await queryUntilAvailable(server.connection, 'select n from kept')).toEqual([{ n: 1 }])
  await server.close()
})

it('says so when the data folder is on a read-only disk', async (context) => {
  const disk = await mountSmallDisk(context, 10)
  await mkdir(join(disk, 'data'))
  await writeFile(join(disk, 'data', 'file'), '')
  expect(await run('mount', ['-o', 'remount,ro', disk])).toMatchObject({ status: 0 })
  await expect(start(join(disk, 'data'))).rejects.toThrow(/is on a read-only file system/)
  await expect(start(join(disk, 'other'))).rejects.toThrow(/is on a read-only file system/)
})
