import pg from 'pg'

import { StartError } from '../start-error.ts'

const OLDEST_MAJOR = 15
const CONNECT_TIMEOUT_MS = 10_000

/** Settings of a database, such as `160004`, `16.4 (Debian 16.4-1)` and `UTF8`. */
export interface DatabaseInfo {
  number: number
  version: string
  encoding: string
}

/**
 * Checks the version and encoding of the database before anything is created in it. Otherwise a migration would fail, or
 * every text with characters that the encoding does not have.
 * @throws {StartError} when the database is not supported
 */
export async function requireSupportedDatabase(connection: pg.PoolConfig): Promise<void> {
  const client = new pg.Client({ connectionTimeoutMillis: CONNECT_TIMEOUT_MS, ...connection })
  // A broken connection rejects its own query.
  client.on('error', () => {})
  try {
    await client.connect()
    const { rows } = await client.query<DatabaseInfo>(`
      select current_setting('server_version_num')::int as number, current_setting('server_version') as version,
        current_setting('server_encoding') as encoding`)
    const reason = rows[0] === undefined ? null : getUnsupportedReason(rows[0])
    if (reason !== null) throw new StartError(`the database at DATABASE_URL cannot be used: ${reason}`)
  } finally {
    await client.end()
  }
}

/** Returns null when the database is supported. */
export function getUnsupportedReason({ number, version, encoding }: DatabaseInfo): string | null {
  if (number < OLDEST_MAJOR * 10_000) return `it is PostgreSQL ${version}, but ${OLDEST_MAJOR} or later is required.`
  if (encoding !== 'UTF8') {
    return `its encoding is ${encoding}, but UTF8 is required. Create one with: create database … encoding 'UTF8' template template0.`
  }
  return null
}
