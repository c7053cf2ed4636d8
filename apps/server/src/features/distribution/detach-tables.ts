import { sql } from 'kysely'

import type { Database } from '../../platform/database/connect.ts'
import { DISTRIBUTED_TABLES, REPLACED_FOREIGN_KEYS, REPLACED_TRIGGERS } from './distributed-tables.ts'
import { DistributionError } from './distribution-error.ts'

interface ForeignKey {
  name: string
  table: string
  referenced: string
  definition: string
}

interface Trigger {
  name: string
  table: string
}

const isDistributed = (table: string) => (DISTRIBUTED_TABLES as readonly string[]).includes(table)

/**
 * Drops the foreign keys and triggers of tables, so that they can be distributed one by one.
 * @returns the foreign keys between distributed tables, for {@link restoreForeignKeys}
 * @throws {DistributionError} when one is unknown, so that it would be lost
 */
export async function detachTables(tx: Database, tables: readonly string[]): Promise<ForeignKey[]> {
  const foreignKeys = await selectForeignKeys(tx, tables)
  const triggers = await selectTriggers(tx, tables)
  const kept = foreignKeys.filter(({ table, referenced }) => isDistributed(table) && isDistributed(referenced))
  const unknown = [
    ...foreignKeys.filter((key) => !kept.includes(key) && !REPLACED_FOREIGN_KEYS.includes(key.name)),
    ...triggers.filter(({ name }) => !REPLACED_TRIGGERS.includes(name)),
  ]
  if (unknown.length > 0) {
    const names = unknown.map(({ name, table }) => `${name} on ${table}`).join(', ')
    throw new DistributionError(
      `Citus does not allow these foreign keys and triggers, and Caseward did not create them: ${names}. Drop them, then repeat the command.`,
    )
  }
  for (const { name, table } of foreignKeys) {
    await sql`alter table ${sql.table(table)} drop constraint ${sql.id(name)}`.execute(tx)
  }
  for (const { name, table } of triggers) {
    await sql`drop trigger ${sql.id(name)} on ${sql.table(table)}`.execute(tx)
  }
  return kept
}

/** Creates foreign keys again, on all nodes. */
export async function restoreForeignKeys(tx: Database, foreignKeys: readonly ForeignKey[]): Promise<void> {
  for (const { name, table, definition } of foreignKeys) {
    await sql`alter table ${sql.table(table)} add constraint ${sql.id(name)} ${sql.raw(definition)}`.execute(tx)
  }
}

async function selectForeignKeys(tx: Database, tables: readonly string[]): Promise<ForeignKey[]> {
  const { rows } = await sql<ForeignKey>`
    select k.conname as name, t.relname as table, r.relname as referenced, pg_get_constraintdef(k.oid) as definition
    from pg_constraint k join pg_class t on t.oid = k.conrelid join pg_class r on r.oid = k.confrelid
    where k.contype = 'f' and t.relnamespace = 'public'::regnamespace
      and (t.relname = any(${[...tables]}::text[]) or r.relname = any(${[...tables]}::text[]))
    order by t.relname, k.conname`.execute(tx)
  return rows
}

async function selectTriggers(tx: Database, tables: readonly string[]): Promise<Trigger[]> {
  const { rows } = await sql<Trigger>`
    select g.tgname as name, t.relname as table
    from pg_trigger g join pg_class t on t.oid = g.tgrelid
    where not g.tgisinternal and t.relnamespace = 'public'::regnamespace and t.relname = any(${[...tables]}::text[])
    order by t.relname, g.tgname`.execute(tx)
  return rows
}
