import { setTimeout as sleep } from 'node:timers/promises'

import pg from 'pg'
import { describe, expect, it, onTestFinished } from 'vitest'

import { cloneDatabase } from '@caseward/test-support/database'
import { query as runQuery } from '@caseward/test-support/query'
import { StartError } from '../start-error.ts'
import { connect } from './connect.ts'
import { type MigrateOptions, migrate } from './migrate.ts'
import { parseMigration } from './migration-files.ts'

async function openDatabase() {
  const { connection, drop } = await cloneDatabase()
  onTestFinished(drop)
  const { db, close } = connect(connection, { poolSize: 3, onError: () => {} })
  onTestFinished(close)
  const logged: string[] = []
  const write = (fields: object, message: string) => void logged.push(`${message} ${JSON.stringify(fields)}`)
  return {
    connection,
    logged,
    run: (files: Record<string, string>, options: MigrateOptions = {}) =>
      migrate(db, {
        log: { info: write, warn: write },
        files: Object.entries(files).map(([name, text]) => parseMigration(name, text)),
        ...options,
      }),
    query: <Row>(text: string) => runQuery<Row>(connection, text),
  }
}

/** Begins a transaction that reads the projects, as a backup or a report does. */
async function readProjectsInTransaction(connection: pg.PoolConfig): Promise<{ end(): Promise<unknown> }> {
  const client = new pg.Client({ ...connection, application_name: 'a long report' })
  await client.connect()
  let ended: Promise<unknown> | undefined
  const end = () => (ended ??= client.end())
  onTestFinished(async () => void (await end()))
  await client.query('begin')
  await client.query('select from projects')
  return { end }
}

const ADD_COLUMN = { '9001_color': 'alter table projects add column color text' }
const has = (query: (text: string) => Promise<unknown[]>, name: string) =>
  query(`select from kysely_migration where name = '${name}'`).then((rows) => rows.length === 1)

describe('migrate while others use the database', () => {
  it('lets reads pass while a long transaction holds its table, and runs when that ends', async () => {
    const { connection, logged, run, query } = await openDatabase()
    const report = await readProjectsInTransaction(connection)
    const migrated = run(ADD_COLUMN)
    const durations: number[] = []
    for (let count = 0; count < 30; count += 1) {
      const startedAt = Date.now()
      await query('select count(*) from projects')
      durations.push(Date.now() - startedAt)
      await sleep(50)
    }
    expect(logged[0]).toMatch(
      /the migration 9001_color did not get a lock in time and will try again .*"application":"a long report"/,
    )
    // Some waited for the migration to give up, and none for the end of the report.
    expect(Math.max(...durations)).toBeGreaterThan(100)
    await report.end()
    expect(await migrated).toEqual(['9001_color'])
    expect(await query('select color from projects')).toEqual([])
  })

  it('gives up with the reason when its table stays locked', async () => {
    const { connection, run, query } = await openDatabase()
    await readProjectsInTransaction(connection)
    const migrated = run(ADD_COLUMN, { giveUpAfterMs: 300 })
    await expect(migrated).rejects.toThrow(StartError)
    await expect(migrated).rejects.toThrow(/^the migration 9001_color cannot lock its tables: .* pg_stat_activity/)
    expect(await has(query, '9001_color')).toBe(false)
  })

  it('stops waiting when the server stops', async () => {
    const { connection, run } = await openDatabase()
    await readProjectsInTransaction(connection)
    const stop = new AbortController()
    const migrated = run(ADD_COLUMN, { stopSignal: stop.signal })
    setTimeout(() => stop.abort(new Error('stopped')), 200)
    await expect(migrated).rejects.toThrow('stopped')
  })

  it('keeps the migrations before one whose connection is lost, and runs the others later', async () => {
    const { run, query } = await openDatabase()
    const files = { ...ADD_COLUMN, '9002_shape': 'alter table projects add column shape text; select pg_sleep(60)' }
    const migrated = run(files)
    migrated.catch(() => {}) // awaited below
    const endSleep = `select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and wait_event = 'PgSleep'`
    await expect.poll(() => query(endSleep)).toHaveLength(1)
    await expect(migrated).rejects.toThrow('terminat')
    expect([await has(query, '9001_color'), await has(query, '9002_shape')]).toEqual([true, false])
    expect(await run({ ...files, '9002_shape': 'alter table projects add column shape text' })).toEqual(['9002_shape'])
  })

  it('creates an index concurrently, in place of one whose creation was interrupted', async () => {
    const { run, query } = await openDatabase()
    // A duplicate makes the creation of the index fail and leaves it invalid.
    await query(`create table paints (color text); insert into paints values ('red'), ('red')`)
    const file = {
      '9003_paints':
        '-- no transaction\ncreate unique index concurrently if not exists paints_color on paints (color);',
    }
    await expect(run(file)).rejects.toThrow('could not create unique index')
    const getIndexes = () => query(`select indisvalid from pg_index where indexrelid = to_regclass('paints_color')`)
    expect(await getIndexes()).toEqual([{ indisvalid: false }])
    await query(`delete from paints where ctid = (select max(ctid) from paints)`)
    expect(await run(file)).toEqual(['9003_paints'])
    expect(await getIndexes()).toEqual([{ indisvalid: true }])
  })

  it('accepts a schema that a newer version has extended, and refuses one that removed what this version uses', async () => {
    const { run, query } = await openDatabase()
    await query(`insert into kysely_migration values ('9999_labels', '2030-01-01T00:00:00.000Z')`)
    expect(await run({})).toEqual([])
    await query(`insert into kysely_migration values ('9999_contract_99_0_0_old_labels', '2030-01-01T00:00:00.000Z')`)
    await expect(run({})).rejects.toThrow('works only with 99.0.0 and later')
  })
})
