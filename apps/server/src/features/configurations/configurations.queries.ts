import type { Configuration } from '@caseward/contract/configurations'
import { sql } from 'kysely'

import type { Database } from '../../platform/database/connect.ts'
import { presentTime } from '../../platform/http/timestamps.ts'

/** A configuration as it is stored. */
export interface ConfigurationRow {
  id: string
  group_key: string
  group_name: string
  key: string
  name: string
  variants: string[]
  position: number
  retired_at: Date | null
}

/** Selects the configurations of a project: group by group, in the order in which the groups began, retired ones last. */
export async function selectConfigurations(db: Database, projectId: string): Promise<ConfigurationRow[]> {
  const { rows } = await sql<ConfigurationRow>`
    select id, group_key, group_name, key, name, variants, position, retired_at
    from (
      select *, min(id::text) over (partition by group_key) as first_id from configurations where project_id = ${projectId}
    ) c
    order by retired_at is not null, first_id, position, id`.execute(db)
  return rows
}

/** Inserts a configuration, or replaces the one with its id. */
export async function saveConfiguration(tx: Database, projectId: string, row: ConfigurationRow): Promise<void> {
  await sql`
    insert into configurations (id, project_id, group_key, group_name, key, name, variants, position, retired_at)
    values (
      ${row.id}, ${projectId}, ${row.group_key}, ${row.group_name}, ${row.key}, ${row.name}, ${row.variants}::text[],
      ${row.position}, ${row.retired_at}
    )
    on conflict (id) do update set
      name = excluded.name, variants = excluded.variants, position = excluded.position,
      retired_at = excluded.retired_at`.execute(tx)
}

/** Gives a group its name, and its configurations in use the positions from 1 on, in this order. */
export async function updateGroup(
  tx: Database,
  projectId: string,
  { key, name, ids }: { key: string; name: string; ids: readonly string[] },
): Promise<void> {
  await sql`
    update configurations c set group_name = ${name}, position = coalesce(place.ordinality, 0)
    from configurations old left join unnest(${[...ids]}::uuid[]) with ordinality as place (id, ordinality)
      on place.id = old.id
    where c.project_id = ${projectId} and c.group_key = ${key} and old.id = c.id
      and (c.group_name, c.position) is distinct from (${name}, coalesce(place.ordinality, 0)::int)`.execute(tx)
}

export async function deleteConfigurationRow(tx: Database, projectId: string, id: string): Promise<void> {
  await sql`delete from configurations where project_id = ${projectId} and id = ${id}`.execute(tx)
}

export function presentConfiguration({ retired_at, ...row }: ConfigurationRow): Configuration {
  return { ...row, retired_at: retired_at === null ? null : presentTime(retired_at) }
}
