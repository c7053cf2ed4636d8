import { readdir, readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'

import { type Migration, Migrator, sql } from 'kysely'

import type { Database } from './connect.ts'

const folder = fileURLToPath(new URL('../../migrations/', import.meta.url))

/**
 * Any number: held by the one server that looks at or changes the schema, ours or the job queue's. Kysely, before it
 * takes a lock of its own, asks about every table of the database, which fails when another server is renaming one.
 */
export const SCHEMA_LOCK = 4_812_078

/**
 * Brings the schema up to date: runs the files of `migrations/` that have not run yet, in the order of their names,
 * all in one transaction and under an advisory lock, so that several servers can start at once. Takes two connections.
 * @returns the names of those that ran
 */
export async function migrate(db: Database): Promise<string[]> {
  return await db.connection().execute(async (holder) => {
    await sql`select pg_advisory_lock(${SCHEMA_LOCK}::bigint)`.execute(holder)
    try {
      const migrator = new Migrator({ db, provider: { getMigrations: readMigrations } })
      const { error, results } = await migrator.migrateToLatest()
      if (error !== undefined) throw error
      return (results ?? []).map((result) => result.migrationName)
    } finally {
      await sql`select pg_advisory_unlock(${SCHEMA_LOCK}::bigint)`.execute(holder)
    }
  })
}

async function readMigrations(): Promise<Record<string, Migration>> {
  const files = (await readdir(folder)).filter((file) => file.endsWith('.sql'))
  const migrations = files.map(async (file): Promise<[string, Migration]> => {
    const text = await readFile(folder + file, 'utf8')
    return [file.slice(0, -'.sql'.length), { up: async (db) => void (await sql.raw(text).execute(db)) }]
  })
  return Object.fromEntries(await Promise.all(migrations))
}
