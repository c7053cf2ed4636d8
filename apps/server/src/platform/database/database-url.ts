import type pg from 'pg'

/** Returns the connection to the database at `DATABASE_URL`. */
export const toConnection = (databaseUrl: string): pg.PoolConfig => ({
  connectionString: normalizeSslMode(databaseUrl),
})

/** `pg` treats these modes as `verify-full`, with a long warning at each start. Naming the mode avoids the warning. */
function normalizeSslMode(databaseUrl: string): string {
  if (/[?&]uselibpqcompat=true/.test(databaseUrl)) return databaseUrl
  return databaseUrl.replace(/([?&]sslmode=)(?:prefer|require|verify-ca)(?=&|$)/, '$1verify-full')
}
