import { randomBytes } from 'node:crypto'

import type pg from 'pg'

import { query } from './query.ts'

/** Names a database that the files of a process share after the template of the run. */
export const nameSharedDatabase = ({ database }: Pick<pg.PoolConfig, 'database'>): string =>
  `${database}_${randomBytes(4).toString('hex')}`

/** Lists the shared databases of a template, on whose server `maintenance` is another database. */
export async function listSharedDatabases(maintenance: pg.PoolConfig, template: string): Promise<string[]> {
  const rows = await query<{ datname: string }>(
    maintenance,
    `select datname from pg_database where starts_with(datname, '${template}_') order by datname`,
  )
  return rows.map(({ datname }) => datname)
}
