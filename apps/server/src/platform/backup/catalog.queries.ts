import type pg from 'pg'

import { BackupError } from './backup-error.ts'
import { type BackupSequence, type BackupTable, quoteName } from './backup-format.ts'

/** The schemas of the service and of the job queue. */
const SCHEMAS = ['public', 'graphile_worker']

/** The job queue records here which of its own migrations have run. They belong to its schema, not to the data. */
const QUEUE_MIGRATIONS = { schema: 'graphile_worker', name: 'migrations' }

/** Columns that refer to tables also on a distributed database, where some of their foreign keys do not exist. */
const DISTRIBUTED_REFERENCES = [
  { column: 'project_id', table: 'projects' },
  { column: 'run_id', table: 'runs' },
  { column: 'created_by', table: 'users' },
  { column: 'updated_by', table: 'users' },
]

interface TableRow extends BackupTable {
  oid: string
  references: string[]
}

/**
 * Lists the tables whose rows are data, each after those that its foreign keys refer to. A partitioned table stands for its
 * partitions. Tables of extensions are not data.
 */
export async function selectTables(client: pg.ClientBase): Promise<BackupTable[]> {
  const { rows } = await client.query<TableRow>(
    `select c.oid::text, n.nspname as schema, c.relname as name,
       array(
         select attname::text from pg_attribute
         where attrelid = c.oid and attnum > 0 and not attisdropped and attgenerated = '' order by attnum
       ) as columns,
       array(
         select confrelid::text from pg_constraint where conrelid = c.oid and contype = 'f' and confrelid <> c.oid
         union
         select r.oid::text
         from unnest($4::text[], $5::text[]) as reference ("column", "table")
         join pg_attribute a on a.attrelid = c.oid and a.attname = reference."column" and not a.attisdropped
         join pg_class r on r.oid = to_regclass('public.' || reference."table")
         where n.nspname = 'public' and r.oid <> c.oid
       ) as references
     from pg_class c join pg_namespace n on n.oid = c.relnamespace
     where n.nspname = any($1) and c.relkind in ('r', 'p') and not c.relispartition
       and (n.nspname, c.relname) <> ($2, $3)
       and not exists (select from pg_depend where classid = 'pg_class'::regclass and objid = c.oid and deptype = 'e')
     order by n.nspname, c.relname`,
    [
      SCHEMAS,
      QUEUE_MIGRATIONS.schema,
      QUEUE_MIGRATIONS.name,
      DISTRIBUTED_REFERENCES.map(({ column }) => column),
      DISTRIBUTED_REFERENCES.map(({ table }) => table),
    ],
  )
  return sortByReferences(rows).map(({ schema, name, columns }) => ({ schema, name, columns }))
}

function sortByReferences(tables: readonly TableRow[]): TableRow[] {
  const sorted: TableRow[] = []
  const sortedOids = new Set<string>()
  while (sorted.length < tables.length) {
    const next = tables.filter(
      ({ oid, references }) => !sortedOids.has(oid) && references.every((reference) => sortedOids.has(reference)),
    )
    if (next.length === 0) throw new Error('The foreign keys of some tables form a circle')
    for (const table of next) {
      sorted.push(table)
      sortedOids.add(table.oid)
    }
  }
  return sorted
}

/** Lists the indexes of tables that belong to no constraint, with the statements that create them. */
export async function selectIndexes(
  client: pg.ClientBase,
  tables: readonly BackupTable[],
): Promise<{ schema: string; name: string; definition: string }[]> {
  const { rows } = await client.query<{ schema: string; name: string; definition: string }>(
    `select n.nspname as schema, c.relname as name, pg_get_indexdef(c.oid) as definition
     from pg_index i join pg_class c on c.oid = i.indexrelid join pg_namespace n on n.oid = c.relnamespace
     where i.indrelid = any($1::regclass[])
       and not exists (select from pg_constraint where conindid = c.oid)
     order by n.nspname, c.relname`,
    [tables.map(quoteName)],
  )
  return rows
}

/** Reads all sequences. They are not part of a snapshot: their values are at least those of the rows in it. */
export async function selectSequences(client: pg.ClientBase): Promise<BackupSequence[]> {
  const { rows } = await client.query<{ schema: string; name: string }>(
    `select n.nspname as schema, c.relname as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
     where n.nspname = any($1) and c.relkind = 'S' order by 1, 2`,
    [SCHEMAS],
  )
  const sequences: BackupSequence[] = []
  for (const sequence of rows) {
    const text = `select last_value::text, is_called from ${quoteName(sequence)}`
    const values = (await client.query<Pick<BackupSequence, 'last_value' | 'is_called'>>(text)).rows[0]
    if (values !== undefined) sequences.push({ ...sequence, ...values })
  }
  return sequences
}

/** Returns whether a database has no table but those of an empty job queue, which an interrupted restore leaves. */
export async function isDatabaseEmpty(client: pg.ClientBase): Promise<boolean> {
  const { rows } = await client.query<{ schema: string; name: string }>(
    `select n.nspname as schema, c.relname as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
     where n.nspname !~ '^pg_' and n.nspname <> 'information_schema' and c.relkind in ('r', 'p')
       and not exists (select from pg_depend where classid = 'pg_class'::regclass and objid = c.oid and deptype = 'e')`,
  )
  const dataTables = rows.filter(
    ({ schema, name }) => schema !== QUEUE_MIGRATIONS.schema || name !== QUEUE_MIGRATIONS.name,
  )
  if (dataTables.some(({ schema }) => schema !== QUEUE_MIGRATIONS.schema)) return false
  for (const table of dataTables) {
    if ((await client.query(`select from ${quoteName(table)} limit 1`)).rows.length > 0) return false
  }
  return true
}

/**
 * Checks that the tables of a backup exist with all of their columns. Further ones are those of a newer job queue.
 * @throws {BackupError} otherwise
 */
export async function requireTables(client: pg.ClientBase, tables: readonly BackupTable[]): Promise<void> {
  const existing = new Map((await selectTables(client)).map((table) => [quoteName(table), new Set(table.columns)]))
  for (const table of tables) {
    const columns = existing.get(quoteName(table))
    const missing = columns === undefined ? '' : table.columns.find((column) => !columns.has(column))
    if (missing === undefined) continue
    const subject = missing === '' ? 'table' : `column ${missing} of the table`
    throw new BackupError(
      `The backup contains the ${subject} ${table.schema}.${table.name}, which this version of Caseward does not have. ` +
        'Restore it with the version that wrote it, then update.',
    )
  }
}
