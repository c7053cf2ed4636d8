import type { Configuration, ConfigurationScope } from '@caseward/contract/configurations'
import { type RawBuilder, sql } from 'kysely'

import type { Database } from '../../platform/database/connect.ts'
import { isUuid } from '../../platform/http/ids.ts'
import { presentTime } from '../../platform/http/timestamps.ts'

/** A configuration as it is stored. */
export interface ConfigurationRow {
  id: string
  scope: ConfigurationScope
  group_key: string
  group_name: string
  key: string
  name: string
  variants: string[]
  position: number
  retired_at: Date | null
}

/** Any number that no other advisory lock of the service has. */
const INSTANCE_CONFIGURATIONS_LOCK = 5_201_106

/** Locks the configurations of the instance until the transaction ends. */
export async function lockInstanceConfigurations(tx: Database): Promise<void> {
  await sql`select pg_advisory_xact_lock(${INSTANCE_CONFIGURATIONS_LOCK}::bigint)`.execute(tx)
}

/**
 * Selects the configurations of a project, or those of the instance (null): group by group, in the order in which the groups
 * began, retired ones last.
 */
export const selectConfigurations = (db: Database, projectId: string | null): Promise<ConfigurationRow[]> =>
  selectOrdered(db, projectId === null ? sql`project_id is null` : sql`project_id = ${projectId}`)

/**
 * Selects what the runs of a project can have: its own configurations first, then those of the instance. A group of the project
 * that is older than groups of the instance, and has the key of one, takes its place.
 */
export const selectUsableConfigurations = (db: Database, projectId: string): Promise<ConfigurationRow[]> =>
  selectOrdered(
    db,
    sql`(project_id = ${projectId} or (
      project_id is null and group_key not in (select group_key from configurations where project_id = ${projectId})
    ))`,
  )

async function selectOrdered(db: Database, condition: RawBuilder<unknown>): Promise<ConfigurationRow[]> {
  const { rows } = await sql<ConfigurationRow>`
    select id, case when project_id is null then 'instance' else 'project' end as scope,
      group_key, group_name, key, name, variants, position, retired_at
    from (
      select *, min(id::text) over (partition by group_key) as first_id from configurations where ${condition}
    ) c
    order by retired_at is not null, project_id is null, first_id, position, id`.execute(db)
  return rows
}

/** Whether the instance has a configuration with this id. */
export async function isOfInstance(db: Database, id: string): Promise<boolean> {
  if (!isUuid(id)) return false
  const { rows } = await sql`
    select from configurations where project_id is null and id = ${id}`.execute(db)
  return rows.length > 0
}

/** Inserts a configuration, or replaces the one with its id. */
export async function saveConfiguration(
  tx: Database,
  projectId: string | null,
  row: Omit<ConfigurationRow, 'scope'>,
): Promise<void> {
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
  projectId: string | null,
  { key, name, ids }: { key: string; name: string; ids: readonly string[] },
): Promise<void> {
  await sql`
    update configurations c set group_name = ${name}, position = coalesce(place.ordinality, 0)
    from configurations old left join unnest(${[...ids]}::uuid[]) with ordinality as place (id, ordinality)
      on place.id = old.id
    where c.project_id is not distinct from ${projectId} and c.group_key = ${key} and old.id = c.id
      and (c.group_name, c.position) is distinct from (${name}, coalesce(place.ordinality, 0)::int)`.execute(tx)
}

export async function deleteConfigurationRow(tx: Database, id: string): Promise<void> {
  await sql`delete from configurations where id = ${id}`.execute(tx)
}

export function presentConfiguration({ retired_at, ...row }: ConfigurationRow): Configuration {
  return { ...row, retired_at: retired_at === null ? null : presentTime(retired_at) }
}
