import { readdir, readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'

import { sql } from 'kysely'
import { onTestFinished } from 'vitest'

import { connect, type Database } from '@caseward/server/platform/database/connect'
import { createEmptyDatabase } from '@caseward/test-support/database'

const directory = fileURLToPath(new URL('../../migrations/', import.meta.url))

/** Migrates an empty database up to a migration, fills it, and runs the others. */
export async function migrateWithData(firstOfRest: string, seed: string): Promise<Database> {
  const { connection, drop } = await createEmptyDatabase()
  const { db, close } = connect(connection, { poolSize: 1, onError() {} })
  onTestFinished(async () => {
    await close()
    await drop()
  })
  const files = (await readdir(directory)).toSorted()
  const run = async (names: string[]) => {
    for (const name of names) await sql.raw(await readFile(directory + name, 'utf8')).execute(db)
  }
  await run(files.filter((name) => name < firstOfRest))
  await sql.raw(seed).execute(db)
  await run(files.filter((name) => name >= firstOfRest))
  return db
}
