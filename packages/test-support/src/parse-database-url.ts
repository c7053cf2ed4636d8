import type pg from 'pg'

/** Returns the parts of a URL such as `DATABASE_URL`, so that another database of its server can be used. */
export function parseDatabaseUrl(url: string): pg.PoolConfig {
  const { username, password, hostname, port, pathname, searchParams } = new URL(url)
  return {
    host: searchParams.get('host') ?? hostname,
    port: Number(port || 5432),
    user: decodeURIComponent(username),
    password: decodeURIComponent(password),
    database: pathname.slice(1),
  }
}
