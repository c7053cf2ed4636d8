import { sql } from 'kysely'

import type { Database } from '../../src/platform/database/connect.ts'

/**
 * Watches all tables of a database, those of the job queue too. Each call of the result returns the names of the tables
 * with committed changes since the last call; a change of `last_used_at` or `last_seen_at` alone does not count.
 */
export async function watchTables(db: Database): Promise<() => Promise<string[]>> {
  const { rows: tables } = await sql<{ name: string }>`
    select format('%I.%I', schemaname, tablename) as name from pg_tables
    where schemaname not in ('pg_catalog', 'information_schema')`.execute(db)
  await sql`create table public.changed_tables (name text not null)`.execute(db)
  await sql`
    create function public.record_change() returns trigger language plpgsql as $$
    declare
      ignored constant text[] := '{last_used_at,last_seen_at}';
    begin
      if tg_op <> 'UPDATE' or to_jsonb(old) - ignored <> to_jsonb(new) - ignored then
        insert into public.changed_tables values (tg_table_name);
      end if;
      return null;
    end $$`.execute(db)
  for (const { name } of tables) {
    await sql`
      create trigger record_change after insert or update or delete on ${sql.raw(name)}
      for each row execute function public.record_change()`.execute(db)
  }
  return async () => {
    const { rows } = await sql<{ name: string }>`
      with deleted as (delete from public.changed_tables returning name)
      select distinct name from deleted order by name`.execute(db)
    return rows.map(({ name }) => name)
  }
}
