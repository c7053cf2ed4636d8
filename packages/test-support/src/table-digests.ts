import pg from 'pg'

import { quoteName } from '@caseward/server/platform/backup/backup-format'
import { selectTables } from '@caseward/server/platform/backup/catalog.queries'

/** The number of rows of each table, with a digest of all their columns. */
export type TableDigests = Record<string, string>

/** Computes the digests as the client sees the tables. Time zone and order of rows do not matter. */
export async function computeDigests(client: pg.ClientBase): Promise<TableDigests> {
  await client.query(`set time zone 'UTC'`)
  const digests: TableDigests = {}
  for (const table of await selectTables(client)) {
    const { rows } = await client.query<{ digest: string }>(
      `select count(*) || ' rows, ' || coalesce(md5(string_agg(t::text, E'\\n' order by t::text collate "C")), '') as digest
       from ${quoteName(table)} t`,
    )
    digests[quoteName(table)] = rows[0]?.digest ?? ''
  }
  return digests
}

/** Computes the digests on a connection of its own. */
export async function readDigests(connection: pg.PoolConfig): Promise<TableDigests> {
  const client = new pg.Client(connection)
  await client.connect()
  try {
    return await computeDigests(client)
  } finally {
    await client.end()
  }
}

/** Lists the tables of a database without those of the job queue. */
export async function listServiceTables(connection: pg.PoolConfig): Promise<string[]> {
  const names = Object.keys(await readDigests(connection))
  return names.filter((name) => !name.startsWith('"graphile_worker"'))
}
