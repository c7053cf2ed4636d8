import { sql } from 'kysely'

import type { Database } from './connect.ts'

/** Takes three megabytes, as many as the results of a large upload, and 40 milliseconds. */
const sortManyRows = sql`select from generate_series(1, 10000) n order by repeat(md5(n::text), 10) offset 10000`

/**
 * Makes PostgreSQL write a temporary file on the disk of the database, which fails with `disk_full` if the disk is full.
 * Sorting does that when it may use little memory. Unlike a row, the file needs no table and no write-ahead log: a full
 * disk ends PostgreSQL when the log has to grow.
 */
export async function writeTemporaryFile(db: Database): Promise<void> {
  await db.transaction().execute(async (tx) => {
    await sql`set local work_mem = '64kB'`.execute(tx)
    await sortManyRows.execute(tx)
  })
}
