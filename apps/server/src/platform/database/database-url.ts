import type pg from 'pg'

/**
 * Returns the connection to the database at `DATABASE_URL`.
 * @param password the password, if the URL contains none
 */
export const toConnection = (databaseUrl: string, password: string | null): pg.PoolConfig => ({
  connectionString: normalizeSslMode(
    password === null || hasPassword(databaseUrl) ? databaseUrl : addPassword(databaseUrl, password),
  ),
})

/** Whether a URL has a password, before its host or as a parameter. */
const hasPassword = (databaseUrl: string): boolean =>
  /^[a-z]+:\/\/[^/?#]*?:[^/?#]+@/.test(databaseUrl) || /[?&]password=[^&]/.test(databaseUrl)

/** Adds the password as a parameter: `pg` ignores one beside a `connectionString`, and not every such URL is one for `URL`. */
const addPassword = (databaseUrl: string, password: string): string =>
  `${databaseUrl}${databaseUrl.includes('?') ? '&' : '?'}password=${encodeURIComponent(password)}`

/** `pg` treats these modes as `verify-full`, with a long warning at each start. Naming the mode avoids the warning. */
function normalizeSslMode(databaseUrl: string): string {
  if (/[?&]uselibpqcompat=true/.test(databaseUrl)) return databaseUrl
  return databaseUrl.replace(/([?&]sslmode=)(?:prefer|require|verify-ca)(?=&|$)/, '$1verify-full')
}
