import type { Field, FieldScope, FieldSubject } from '@caseward/contract/fields'
import { sql } from 'kysely'

import { toArrayLiteral } from '../../platform/database/array-literal.ts'
import type { Database } from '../../platform/database/connect.ts'
import { isUuid } from '../../platform/http/ids.ts'
import { presentTime } from '../../platform/http/timestamps.ts'
import { type FieldRow, presentValue, toDefinition } from './field-definitions.ts'

/** What a definition says; a field of the instance says it for all projects. */
const DEFINITION = 'id number key name description type default_value options min_value max_value decimals'.split(' ')
const COLUMNS = sql.raw([...DEFINITION, 'is_required', 'position', 'retired_at'].join(', '))
const definitionOf = (field: string) => [...DEFINITION, 'subject'].map((name) => `${field}.${name}`).join(', ')
/** What a project decides. The driver reads no arrays of types of ours. */
const usedAs = (row: string) => `${row}.is_required, to_json(${row}.required_on) as required_on, ${row}.position`

const OF_PROJECT = sql.raw(`
  select ${definitionOf('f')}, ${usedAs('f')}, f.retired_at, 'project' as scope from custom_fields f`)
const OF_INSTANCE = sql.raw(`
  select ${definitionOf('f')}, ${usedAs('f')}, f.retired_at, 'instance' as scope from custom_fields f`)
const OF_INSTANCE_IN_PROJECT = sql.raw(`
  select ${definitionOf('f')}, ${usedAs('u')}, coalesce(f.retired_at, u.switched_off_at) as retired_at,
    'instance' as scope
  from project_instance_fields u join custom_fields f on f.id = u.field_id`)

/** Whose fields are read or changed: those of a project, or those of the instance. */
export type FieldOwner = string | null

/** Selects the fields of a subject in a project, also those of the instance that it has, or had; or all of the instance. Retired ones come last. */
export async function selectFields(db: Database, owner: FieldOwner, subject: FieldSubject): Promise<FieldRow[]> {
  if (owner !== null) return (await selectVersionedFields(db, owner, subject))?.rows ?? []
  const { rows } = await sql<FieldRow>`
    ${OF_INSTANCE} where f.project_id is null and f.subject = ${subject}
    order by f.retired_at is not null, f.position, f.number`.execute(db)
  return withPlaces(rows)
}

/** A field of the instance that was retired leaves a gap in each project that has it. */
function withPlaces(rows: readonly FieldRow[]): FieldRow[] {
  return rows.map((row, index) => (row.retired_at === null ? { ...row, position: index + 1 } : row))
}

/** What a field belongs to; undefined when there is no such field of the project, and none of the instance. */
export async function selectSubject(
  db: Database,
  owner: FieldOwner,
  id: string,
): Promise<{ subject: FieldSubject; scope: FieldScope } | undefined> {
  if (!isUuid(id)) return undefined
  const { rows } = await sql<{ subject: FieldSubject; scope: FieldScope }>`
    select subject, case when project_id is null then 'instance' else 'project' end as scope
    from custom_fields where (project_id = ${owner} or project_id is null) and id = ${id}`.execute(db)
  return rows[0]
}

/** Selects the fields of a subject and their version, which belong together; undefined when the project is gone. */
export async function selectVersionedFields(
  db: Database,
  projectId: string,
  subject: FieldSubject,
): Promise<{ version: number; rows: FieldRow[] } | undefined> {
  const { rows } = await sql<{ version: number } & FieldRow>`
    select p.fields_version as version, f.*
    from projects p left join (
      ${OF_PROJECT} where f.project_id = ${projectId} and f.subject = ${subject}
      union all ${OF_INSTANCE_IN_PROJECT} where u.project_id = ${projectId} and f.subject = ${subject}
    ) f on true
    where p.id = ${projectId} order by f.retired_at is not null, f.position, f.number`.execute(db)
  const [first] = rows
  if (first === undefined) return undefined
  // Without a field, the row of the project has no id of one.
  return { version: first.version, rows: withPlaces(rows.filter(({ id }) => (id as string | null) !== null)) }
}

/** Counts a change of the fields of a project, and gives a new field its number. The caller holds the lock on the project. */
export async function countFieldChange(tx: Database, projectId: string, addedCount: 0 | 1): Promise<number> {
  const { rows } = await sql<{ number: number }>`
    update projects set fields_version = fields_version + 1, last_field_number = last_field_number + ${addedCount}::int
    where id = ${projectId} returning last_field_number as number`.execute(tx)
  return rows[0]?.number ?? 0
}

const toStatuses = (statuses: FieldRow['required_on']) => (statuses === null ? null : toArrayLiteral(statuses))

/** Inserts a field, or replaces the one with its id. */
export async function saveField(tx: Database, owner: FieldOwner, field: FieldRow): Promise<void> {
  const toJson = (value: unknown) => (value === null ? null : JSON.stringify(value))
  await sql`
    insert into custom_fields (project_id, subject, required_on, ${COLUMNS})
    values (
      ${owner}, ${field.subject}, ${toStatuses(field.required_on)}::result_status[],
      ${field.id}, ${field.number}, ${field.key}, ${field.name}, ${field.description},
      ${field.type}::field_type, ${toJson(field.default_value)}::jsonb, ${toJson(field.options)}::json,
      ${field.min_value}, ${field.max_value}, ${field.decimals}, ${field.is_required}, ${field.position}, ${field.retired_at}
    )
    on conflict (id) do update set
      name = excluded.name, description = excluded.description, type = excluded.type, is_required = excluded.is_required, required_on = excluded.required_on,
      default_value = excluded.default_value, options = excluded.options, min_value = excluded.min_value,
      max_value = excluded.max_value, decimals = excluded.decimals, position = excluded.position,
      retired_at = excluded.retired_at
    where custom_fields.project_id is not distinct from excluded.project_id`.execute(tx)
}

/** Gives fields of an owner the positions from 1 on, in this order. */
export async function updatePositions(tx: Database, owner: FieldOwner, ids: readonly string[]): Promise<void> {
  await sql`
    update custom_fields f set position = place.ordinality
    from unnest(${[...ids]}::uuid[]) with ordinality as place (id, ordinality)
    where f.project_id is not distinct from ${owner} and f.id = place.id and f.position <> place.ordinality`.execute(tx)
  if (owner !== null) {
    await sql`
      update project_instance_fields u set position = place.ordinality
      from unnest(${[...ids]}::uuid[]) with ordinality as place (id, ordinality)
      where u.project_id = ${owner} and u.field_id = place.id and u.position <> place.ordinality`.execute(tx)
  }
}

/** Deletes a field, and leaves its values in each project to the job. */
export async function deleteField(
  tx: Database,
  owner: FieldOwner,
  { id, number, subject }: Pick<FieldRow, 'id' | 'number' | 'subject'>,
): Promise<void> {
  await sql`
    insert into deleted_fields (project_id, subject, number)
    select project_id, ${subject}::field_subject, ${number}::smallint
    from (
      select project_id from custom_fields where id = ${id} and project_id is not null
      union all select project_id from project_instance_fields where field_id = ${id}
    ) having_it`.execute(tx)
  await sql`delete from custom_fields where id = ${id} and project_id is not distinct from ${owner}`.execute(tx)
}

export function presentField(row: FieldRow): Field {
  const { id, key, name, description, type, is_required, decimals, position, retired_at } = row
  return {
    id,
    subject: row.subject,
    key,
    name,
    description,
    type,
    is_required,
    required_on: row.required_on ?? [],
    default: row.default_value === null ? null : (presentValue(toDefinition(row), row.default_value) ?? null),
    options: row.options?.map(({ key: option, label, is_retired }) => ({ key: option, label, is_retired })) ?? null,
    min: row.min_value,
    max: row.max_value,
    decimals,
    position,
    scope: row.scope,
    retired_at: retired_at === null ? null : presentTime(retired_at),
  }
}
