import { sql } from 'kysely'

import type { Database } from '../../src/platform/database/connect.ts'

/**
 * Watches every table of a database, those of the job queue too. Each call names the tables in which something has been
 * changed and committed since the call before; that somebody was seen is no change.
 */
export async function watchTables(db: Database): Promise<() => Promise<string[]>> {
  const { rows: tables } = await sql<{ name: string }>`
    select format('%I.%I', schemaname, tablename) as name from pg_tables
    where schemaname not in ('pg_catalog', 'information_schema')`.execute(db)
  await sql`create table public.touched (name text not null)`.execute(db)
  await sql`
    create function public.touch() returns trigger language plpgsql as $$
    declare
      seen constant text[] := '{last_used_at,last_seen_at}';
    begin
      if tg_op <> 'UPDATE' or to_jsonb(old) - seen <> to_jsonb(new) - seen then
        insert into public.touched values (tg_table_name);
      end if;
      return null;
    end $$`.execute(db)
  for (const { name } of tables) {
    await sql`
      create trigger touch after insert or update or delete on ${sql.raw(name)}
      for each row execute function public.touch()`.execute(db)
  }
  return async () => {
    const { rows } = await sql<{ name: string }>`
      with taken as (delete from public.touched returning name) select distinct name from taken order by name`.execute(
      db,
    )
    return rows.map(({ name }) => name)
  }
}
