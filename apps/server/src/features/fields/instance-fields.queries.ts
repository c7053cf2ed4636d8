import type { FieldSubject } from '@caseward/contract/fields'
import { sql } from 'kysely'

import { toArrayLiteral } from '../../platform/database/array-literal.ts'
import type { Database } from '../../platform/database/connect.ts'
import type { FieldRow } from './field-definitions.ts'

/** Any number that no other advisory lock of the service has. */
const INSTANCE_FIELDS_LOCK = 5_201_088

/**
 * Locks the fields of the instance until the transaction ends: for those who change them alone, or beside others who only use
 * them. Call it before locking a project.
 */
export async function lockInstanceFields(tx: Database, mode: 'change' | 'use'): Promise<void> {
  if (mode === 'change') await sql`select pg_advisory_xact_lock(${INSTANCE_FIELDS_LOCK}::bigint)`.execute(tx)
  else await sql`select pg_advisory_xact_lock_shared(${INSTANCE_FIELDS_LOCK}::bigint)`.execute(tx)
}

/** Returns a number that no field of the instance had before. */
export async function takeInstanceNumber(tx: Database): Promise<number> {
  const { rows } = await sql<{ number: number }>`
    select nextval('instance_field_numbers')::int as number`.execute(tx)
  return rows[0]?.number ?? 0
}

/** Counts a change of a field of the instance in each project that has it, or had it. */
export async function countChangeInProjects(tx: Database, fieldId: string): Promise<void> {
  await sql`
    update projects set fields_version = fields_version + 1
    where id in (select project_id from project_instance_fields where field_id = ${fieldId})`.execute(tx)
}

/** Counts the projects that have each field of the instance switched on. */
export async function countUses(db: Database, subject: FieldSubject): Promise<ReadonlyMap<string, number>> {
  const { rows } = await sql<{ id: string; count: number }>`
    select u.field_id as id, count(*)::int as count
    from project_instance_fields u join custom_fields f on f.id = u.field_id
    where f.project_id is null and f.subject = ${subject} and u.switched_off_at is null
    group by u.field_id`.execute(db)
  return new Map(rows.map(({ id, count }) => [id, count]))
}

/**
 * Counts the projects that have a field of the instance switched on, and already so many fields of its subject in use.
 * @param type count only those of this type
 */
export async function selectFullProjects(
  tx: Database,
  { id, subject }: Pick<FieldRow, 'id' | 'subject'>,
  limit: number,
  type: string | null = null,
): Promise<{ count: number; first: string }> {
  const { rows } = await sql<{ count: number; first: string | null }>`
    with having_it as (
      select project_id from project_instance_fields where field_id = ${id} and switched_off_at is null
    ), used as (
      select f.project_id from custom_fields f join having_it h on h.project_id = f.project_id
      where f.subject = ${subject} and f.retired_at is null and (${type}::text is null or f.type::text = ${type})
      union all
      select u.project_id from project_instance_fields u
        join having_it h on h.project_id = u.project_id join custom_fields f on f.id = u.field_id
      where f.subject = ${subject} and f.id <> ${id} and f.retired_at is null and u.switched_off_at is null
        and (${type}::text is null or f.type::text = ${type})
    ), full_ones as (
      select project_id from used group by project_id having count(*) >= ${limit}::int
    )
    select count(*)::int as count, min(p.name) as first from full_ones join projects p on p.id = full_ones.project_id`.execute(
    tx,
  )
  return { count: rows[0]?.count ?? 0, first: rows[0]?.first ?? '' }
}

/** What a project decides about a field of the instance. */
export type FieldUse = Pick<FieldRow, 'is_required' | 'required_on' | 'position'> & { switched_off_at: Date | null }

/** Selects what a project decided about a field of the instance; undefined if it never had it. */
export async function selectUse(tx: Database, projectId: string, fieldId: string): Promise<FieldUse | undefined> {
  const { rows } = await sql<FieldUse>`
    select is_required, to_json(required_on) as required_on, position, switched_off_at
    from project_instance_fields where project_id = ${projectId} and field_id = ${fieldId}`.execute(tx)
  return rows[0]
}

/** Stores what a project decides about a field of the instance. */
export async function saveUse(tx: Database, projectId: string, fieldId: string, use: FieldUse): Promise<void> {
  await sql`
    insert into project_instance_fields (project_id, field_id, is_required, required_on, position, switched_off_at)
    values (
      ${projectId}, ${fieldId}, ${use.is_required},
      ${use.required_on === null ? null : toArrayLiteral(use.required_on)}::result_status[],
      ${use.position}, ${use.switched_off_at}
    )
    on conflict (project_id, field_id) do update set
      is_required = excluded.is_required, required_on = excluded.required_on, position = excluded.position,
      switched_off_at = excluded.switched_off_at`.execute(tx)
}
