import { sql } from 'kysely'

import { DISTRIBUTED_TABLES } from '../../src/features/distribution/distributed-tables.ts'
import { type Database, hasCitus } from '../../src/platform/database/connect.ts'

/**
 * Watches all tables of a database, those of the job queue too. Each call of the result returns the names of the tables
 * with committed changes since the last call; a change of `last_used_at` or `last_seen_at` alone does not count, views of
 * shared reports, which are stored some seconds later, do not, and neither do
 * the names of contents that are being received. Distributed tables, which cannot have triggers, are compared by the digests of their rows.
 */
export async function watchTables(db: Database): Promise<() => Promise<string[]>> {
  const distributedTables = hasCitus(db) ? DISTRIBUTED_TABLES : []
  const { rows: tables } = await sql<{ name: string }>`
    select format('%I.%I', schemaname, tablename) as name from pg_tables
    where schemaname in ('public', 'graphile_worker') and tablename <> 'file_writes' and tablename <> all(${[...distributedTables]}::text[])`.execute(
    db,
  )
  await sql`create table public.changed_tables (name text not null)`.execute(db)
  await sql`
    create function public.record_update() returns trigger language plpgsql as $$
    declare
      ignored constant text[] := '{last_used_at,last_seen_at,view_count,viewed_at}';
    begin
      if to_jsonb(old) - ignored <> to_jsonb(new) - ignored then
        insert into public.changed_tables values (tg_table_name);
      end if;
      return null;
    end $$`.execute(db)
  // Once for each statement, because a demo inserts thousands of rows. It also runs for statements without rows.
  await sql`
    create function public.record_rows() returns trigger language plpgsql as $$
    begin
      if exists (select from rows_of_statement) then
        insert into public.changed_tables values (tg_table_name);
      end if;
      return null;
    end $$`.execute(db)
  for (const { name } of tables) {
    const table = sql.raw(name)
    await sql`create trigger record_update after update on ${table} for each row execute function public.record_update()`.execute(
      db,
    )
    await sql`
      create trigger record_insert after insert on ${table} referencing new table as rows_of_statement
      for each statement execute function public.record_rows()`.execute(db)
    await sql`
      create trigger record_delete after delete on ${table} referencing old table as rows_of_statement
      for each statement execute function public.record_rows()`.execute(db)
  }
  let digests = await readDigests(db, distributedTables)
  return async () => {
    const { rows } = await sql<{ name: string }>`
      with deleted as (delete from public.changed_tables returning name)
      select distinct name from deleted`.execute(db)
    const newDigests = await readDigests(db, distributedTables)
    const changed = distributedTables.filter((name) => digests.get(name) !== newDigests.get(name))
    digests = newDigests
    return [...rows.map(({ name }) => name), ...changed].toSorted()
  }
}

/** Returns a digest of the rows of each table that has some. Their order does not matter. */
async function readDigests(db: Database, tables: readonly string[]): Promise<Map<string, string>> {
  if (tables.length === 0) return new Map()
  const hashes = tables.map(
    (name) =>
      sql`select ${sql.lit(name)} as name, project_id, hashtextextended(t::text, 0) as hash from ${sql.table(name)} t`,
  )
  const { rows } = await sql<{ name: string; digest: string }>`
    select name, count(*) || ' rows, ' || sum(hash) as digest from (${sql.join(hashes, sql` union all `)}) hashes
    group by name`.execute(db)
  return new Map(rows.map(({ name, digest }) => [name, digest]))
}
