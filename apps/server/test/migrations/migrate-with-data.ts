import { sql } from 'kysely'
import { onTestFinished } from 'vitest'

import { connect, type Database } from '@caseward/server/platform/database/connect'
import {
  type MigrationFile,
  readMigrationFiles,
  toTransactionText,
} from '@caseward/server/platform/database/migration-files'
import { createEmptyDatabase } from '@caseward/test-support/database'

/** Migrates an empty database up to a migration, fills it, and runs the others. */
export async function migrateWithData(firstOfRest: string, seed: string): Promise<Database> {
  const { connection, drop } = await createEmptyDatabase()
  const { db, close } = connect(connection, { poolSize: 1, onError() {} })
  onTestFinished(async () => {
    await close()
    await drop()
  })
  const files = await readMigrationFiles()
  const run = async (migrations: MigrationFile[]) => {
    for (const migration of migrations) await sql.raw(toTransactionText(migration)).execute(db)
  }
  await run(files.filter(({ name }) => name < firstOfRest))
  await sql.raw(seed).execute(db)
  await run(files.filter(({ name }) => name >= firstOfRest))
  return db
}
