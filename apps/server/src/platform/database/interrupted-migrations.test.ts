import { cloneDatabase, createEmptyDatabase } from '@caseward/test-support/database'
import { getDatabaseUrl, spawnCaseward } from '@caseward/test-support/caseward-process'
import { openClient } from '@caseward/test-support/backup-scenario'
import { query as runQuery } from '@caseward/test-support/query'
import type pg from 'pg'
import { describe, expect, it, onTestFinished } from 'vitest'

import { connect } from './connect.ts'
import { listMigrations, migrate, migrateInTransaction } from './migrate.ts'
import { parseMigration } from './migration-files.ts'

const TIMEOUT_MS = 180_000
const WAIT = { timeout: 60_000, interval: 100 }

const selectNames = async (connection: pg.PoolConfig) =>
  (await runQuery<{ name: string }>(connection, 'select name from kysely_migration order by name')).map(
    ({ name }) => name,
  )

describe('a server that is killed while it migrates', () => {
  it(
    'keeps the migrations that are complete, and two servers that start together run the others once',
    { timeout: TIMEOUT_MS },
    async () => {
      const { connection, drop } = await createEmptyDatabase()
      onTestFinished(drop)
      const names = await listMigrations()
      // 0045 creates a table; 0046 changes a table that a report reads.
      const last = names.indexOf('0046_retention')
      const client = await openClient(connection)
      await client.query('begin')
      await migrateInTransaction(client, names.slice(0, last - 1))
      await client.query('commit')
      await client.query('begin')
      await client.query('select from tests')
      const settings = { DATABASE_URL: getDatabaseUrl(connection), DATABASE_POOL_SIZE: '3' }
      const killed = spawnCaseward(settings)
      await expect.poll(() => selectNames(connection), WAIT).toEqual(names.slice(0, last))
      await expect.poll(() => killed.log().join(), WAIT).toContain('0046_retention did not get a lock in time')
      killed.signal('SIGKILL')
      await killed.ended
      expect(await selectNames(connection)).toEqual(names.slice(0, last))
      await client.query('commit')

      const servers = [spawnCaseward(settings), spawnCaseward(settings)]
      await Promise.all(servers.map((server) => Promise.race([server.ready, server.ended])))
      const migrated = servers.map((server) => server.log().filter((line) => line.includes('"ran a migration"')).length)
      expect(migrated.toSorted((a, b) => a - b)).toEqual([0, names.length - last])
      expect(servers.map((server) => server.url)).not.toContain('')
      expect(await selectNames(connection)).toEqual(names)
    },
  )
})

describe('a server that stops while it creates indexes', () => {
  it('stops over two connections, and the next start completes what is left', async () => {
    const { connection, drop } = await cloneDatabase()
    onTestFinished(drop)
    const { db, close } = connect(connection, { poolSize: 2, onError: () => {} })
    onTestFinished(close)
    const client = await openClient(connection)
    await client.query('create table paints (color text, shade text)')
    // The creation of the second index waits until this transaction ends.
    await client.query('begin')
    await client.query(`insert into paints values ('red', 'dark')`)
    const file = parseMigration(
      '9003_paints',
      `-- no transaction
       create index concurrently if not exists fonts_empty on fonts (name);
       create index concurrently if not exists paints_color on paints (color);
       create index concurrently if not exists paints_shade on paints (shade);`,
    )
    await runQuery(connection, 'create table fonts (name text)')
    const stop = new AbortController()
    const migrated = migrate(db, { files: [file], stopSignal: stop.signal })
    migrated.catch(() => {}) // awaited below
    const selectIndexes = () =>
      runQuery(
        connection,
        `select c.relname, i.indisvalid from pg_index i join pg_class c on c.oid = i.indexrelid
         where c.relname ~ '^(paints|fonts)_' order by 1`,
      )
    await expect.poll(selectIndexes, WAIT).toContainEqual({ relname: 'paints_color', indisvalid: false })
    stop.abort(new Error('stopped'))
    await expect(migrated).rejects.toThrow('stopped')
    expect(await selectIndexes()).toEqual([
      { relname: 'fonts_empty', indisvalid: true },
      { relname: 'paints_color', indisvalid: false },
    ])
    expect(await selectNames(connection)).not.toContain('9003_paints')
    await client.query('commit')
    expect(await migrate(db, { files: [file] })).toEqual(['9003_paints'])
    expect(await selectIndexes()).toEqual([
      { relname: 'fonts_empty', indisvalid: true },
      { relname: 'paints_color', indisvalid: true },
      { relname: 'paints_shade', indisvalid: true },
    ])
  })
})
