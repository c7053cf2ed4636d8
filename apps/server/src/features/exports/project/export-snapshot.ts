import pg from 'pg'

import { createClient, type Database, toDatabase } from '../../../platform/database/connect.ts'

/** All tables as they were at one moment, while others write. */
export interface ExportSnapshot {
  /** For queries of other features. */
  db: Database
  /**
   * Reads the first column of each row, batch by batch: only one batch is in memory.
   * @param values of the parameters, from `$1` on
   */
  read<T>(text: string, values: readonly unknown[]): AsyncGenerator<T[]>
  /** Ends the transaction and its connection. */
  close(): Promise<void>
}

/** The largest test cases have a megabyte, most of them a few kilobytes. */
const ROWS_PER_BATCH = 200

const SETTINGS = `
  set jit = off; set time zone 'UTC'; set datestyle = 'ISO';
  begin transaction isolation level repeatable read, read only`

/**
 * Opens a snapshot on a connection of its own: a client that reads slowly keeps no connection of the pool.
 * @throws what the database says if it is unavailable
 */
export async function openExportSnapshot(db: Database): Promise<ExportSnapshot> {
  const client = createClient(db, 'caseward export')
  // The query that runs then fails, too.
  client.on('error', () => {})
  await client.connect()
  let cursorCount = 0
  try {
    await client.query(SETTINGS)
    // The first statement takes the snapshot.
    await client.query('select 1')
  } catch (error) {
    await client.end()
    throw error
  }
  return {
    db: toDatabase(withTypes(client)),
    async *read<T>(text: string, values: readonly unknown[]) {
      cursorCount += 1
      const name = `export_${cursorCount}`
      await client.query(`declare ${name} no scroll cursor for ${text}`, [...values])
      for (;;) {
        const { rows } = await client.query<[T]>({ text: `fetch ${ROWS_PER_BATCH} from ${name}`, rowMode: 'array' })
        if (rows.length > 0) yield rows.map(([value]) => value)
        if (rows.length < ROWS_PER_BATCH) break
      }
      await client.query(`close ${name}`)
    },
    close: async () => await client.end(),
  }
}

/** `count(*)` is a number, as in the connections of the pool. */
function withTypes(client: pg.Client): pg.Client {
  client.setTypeParser(pg.types.builtins.INT8, Number)
  return client
}
