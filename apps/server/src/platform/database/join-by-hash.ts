import { sql } from 'kysely'

import { type Database, hasCitus } from './connect.ts'

/**
 * Runs a statement over many rows. PostgreSQL does not know how many rows its parts have, least of all in a new run, and would
 * compare each row of one with each of another: 10,000 combinations took two minutes. With Citus, the nodes get the setting, too.
 */
export async function joinByHash<T>(tx: Database, run: () => Promise<T>): Promise<T> {
  if (hasCitus(tx)) await sql`set local citus.propagate_set_commands = 'local'`.execute(tx)
  await sql`set local enable_nestloop = off`.execute(tx)
  const result = await run()
  await sql`set local enable_nestloop = on`.execute(tx)
  return result
}
