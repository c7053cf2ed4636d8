import { readdir, readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'

import { type Migration, Migrator, sql } from 'kysely'

import { type Database, getPool } from './connect.ts'
import { withSchemaLock } from './schema-lock.ts'

const folder = fileURLToPath(new URL('../../../migrations/', import.meta.url))

/**
 * Brings the schema up to date: runs the files of `migrations/` that have not run yet, in the order of their names,
 * all in one transaction and under an advisory lock, so that several servers can start at once. Takes two connections.
 * @param stop ends the wait for other servers
 * @returns the names of those that ran
 */
export async function migrate(db: Database, stop?: AbortSignal): Promise<string[]> {
  const migrateToLatest = async () => {
    const migrator = new Migrator({ db, provider: { getMigrations: readMigrations } })
    const { error, results } = await migrator.migrateToLatest()
    if (error !== undefined) throw error
    return (results ?? []).map((result) => result.migrationName)
  }
  return await withSchemaLock(getPool(db), migrateToLatest, stop)
}

async function readMigrations(): Promise<Record<string, Migration>> {
  const files = (await readdir(folder)).filter((file) => file.endsWith('.sql'))
  const migrations = files.map(async (file): Promise<[string, Migration]> => {
    const text = await readFile(folder + file, 'utf8')
    return [file.slice(0, -'.sql'.length), { up: async (db) => void (await sql.raw(text).execute(db)) }]
  })
  return Object.fromEntries(await Promise.all(migrations))
}
