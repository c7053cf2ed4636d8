import type pg from 'pg'

import { StartError } from '../start-error.ts'
import { version } from '../version.ts'
import { getFirstCompatibleVersion, isOlderVersion } from './migration-files.ts'

/*
 * The tables have the names and columns of Kysely's migrator, which ran the migrations at first. The second one is not
 * used; backups contain it.
 */
const CREATE_TABLES = `
  create table if not exists kysely_migration (name varchar(255) primary key, timestamp varchar(255) not null);
  create table if not exists kysely_migration_lock (id varchar(255) primary key, is_locked integer default 0 not null);
  insert into kysely_migration_lock values ('migration_lock', 0) on conflict do nothing`

type Queryable = Pick<pg.ClientBase, 'query'> | Pick<pg.Pool, 'query'>

export const createMigrationTables = async (client: Queryable): Promise<void> =>
  void (await client.query(CREATE_TABLES))

/** Returns the names of the migrations that have run, those of a newer version included. Changes nothing. */
export async function selectExecutedMigrations(client: Queryable): Promise<Set<string>> {
  const { rows: tables } = await client.query<{ exists: boolean }>(
    `select to_regclass('kysely_migration') is not null as exists`,
  )
  if (tables[0]?.exists !== true) return new Set()
  const { rows } = await client.query<{ name: string }>('select name from kysely_migration')
  return new Set(rows.map(({ name }) => name))
}

export const insertExecutedMigration = async (client: Queryable, name: string): Promise<void> =>
  void (await client.query('insert into kysely_migration (name, timestamp) values ($1, $2)', [
    name,
    new Date().toISOString(),
  ]))

/**
 * Checks that this version works with the schema, which a newer version may have migrated.
 * @throws {StartError} when the newer version has removed what this one uses
 */
export function requireCompatibleSchema(executed: ReadonlySet<string>, ownVersion = version): void {
  for (const name of executed) {
    const first = getFirstCompatibleVersion(name)
    if (first === null || !isOlderVersion(ownVersion, first)) continue
    throw new StartError(
      `a newer version of Caseward has migrated the database, which works only with ${first} and later since then; this is ` +
        `${ownVersion}. Start ${first} or a later version, or restore a backup of before the upgrade.`,
    )
  }
}
