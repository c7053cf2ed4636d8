import pg from 'pg'

import { StartError } from '../start-error.ts'

const OLDEST_MAJOR = 15
const CONNECT_MS = 10_000

/** What a database says of itself: `160004` and `16.4 (Debian 16.4-1)`, `UTF8`. */
export interface DatabaseInfo {
  number: number
  version: string
  encoding: string
}

/**
 * Sees to it that the database of `DATABASE_URL` can hold what is stored, before anything is made in it: found out later,
 * it would be an error in the middle of a migration, or for every text that it has no letters for.
 * @throws {StartError} when it cannot
 */
export async function requireSupportedDatabase(connection: pg.PoolConfig): Promise<void> {
  const client = new pg.Client({ connectionTimeoutMillis: CONNECT_MS, ...connection })
  // A connection that breaks also fails what waits for it.
  client.on('error', () => {})
  try {
    await client.connect()
    const { rows } = await client.query<DatabaseInfo>(`
      select current_setting('server_version_num')::int as number, current_setting('server_version') as version,
        current_setting('server_encoding') as encoding`)
    const reason = rows[0] === undefined ? null : getUnsupportedReason(rows[0])
    if (reason !== null) throw new StartError(`the PostgreSQL of DATABASE_URL cannot be used: ${reason}`)
  } finally {
    await client.end()
  }
}

/** Null when it is supported. */
export function getUnsupportedReason({ number, version, encoding }: DatabaseInfo): string | null {
  if (number < OLDEST_MAJOR * 10_000) return `it is version ${version}, and ${OLDEST_MAJOR} or later is needed.`
  if (encoding !== 'UTF8') {
    return `its database is encoded in ${encoding}. Make one with: create database … encoding 'UTF8' template template0.`
  }
  return null
}
