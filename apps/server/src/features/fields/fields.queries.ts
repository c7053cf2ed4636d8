import type { Field } from '@caseward/contract/fields'
import { sql } from 'kysely'

import type { Database } from '../../platform/database/connect.ts'
import { presentTime } from '../../platform/http/timestamps.ts'
import { type FieldRow, presentValue, toDefinition } from './field-definitions.ts'

const NAMES =
  'id number key name description type is_required default_value options min_value max_value decimals position retired_at'.split(
    ' ',
  )
const COLUMNS = sql.raw(NAMES.join(', '))
const SELECTED = sql.raw(NAMES.map((name) => `f.${name}`).join(', '))

/** Selects the fields of test cases of a project, retired ones last. */
export async function selectCaseFields(db: Database, projectId: string): Promise<FieldRow[]> {
  return (await selectVersionedFields(db, projectId))?.rows ?? []
}

/** Selects the fields of test cases and their version, which belong together; undefined when the project is gone. */
export async function selectVersionedFields(
  db: Database,
  projectId: string,
): Promise<{ version: number; rows: FieldRow[] } | undefined> {
  const { rows } = await sql<{ version: number } & FieldRow>`
    select p.fields_version as version, ${SELECTED}
    from projects p left join custom_fields f on f.project_id = p.id and f.subject = 'case'
    where p.id = ${projectId} order by f.retired_at is not null, f.position, f.number`.execute(db)
  const [first] = rows
  if (first === undefined) return undefined
  // Without a field, the row of the project has no id of one.
  return { version: first.version, rows: rows.filter(({ id }) => (id as string | null) !== null) }
}

/** Counts a change of the fields, and gives a new field its number. The caller holds the lock on the project. */
export async function countFieldChange(tx: Database, projectId: string, addedCount: 0 | 1): Promise<number> {
  const { rows } = await sql<{ number: number }>`
    update projects set fields_version = fields_version + 1, last_field_number = last_field_number + ${addedCount}::int
    where id = ${projectId} returning last_field_number as number`.execute(tx)
  return rows[0]?.number ?? 0
}

/** Inserts a field, or replaces the one with its id. */
export async function saveCaseField(tx: Database, projectId: string, field: FieldRow): Promise<void> {
  const toJson = (value: unknown) => (value === null ? null : JSON.stringify(value))
  await sql`
    insert into custom_fields (project_id, subject, ${COLUMNS})
    values (
      ${projectId}, 'case', ${field.id}, ${field.number}, ${field.key}, ${field.name}, ${field.description},
      ${field.type}::field_type, ${field.is_required}, ${toJson(field.default_value)}::jsonb, ${toJson(field.options)}::json,
      ${field.min_value}, ${field.max_value}, ${field.decimals}, ${field.position}, ${field.retired_at}
    )
    on conflict (id) do update set
      name = excluded.name, description = excluded.description, type = excluded.type, is_required = excluded.is_required,
      default_value = excluded.default_value, options = excluded.options, min_value = excluded.min_value,
      max_value = excluded.max_value, decimals = excluded.decimals, position = excluded.position,
      retired_at = excluded.retired_at`.execute(tx)
}

/** Gives fields of a project the positions from 1 on, in this order. */
export async function updatePositions(tx: Database, projectId: string, ids: readonly string[]): Promise<void> {
  await sql`
    update custom_fields f set position = place.ordinality
    from unnest(${[...ids]}::uuid[]) with ordinality as place (id, ordinality)
    where f.project_id = ${projectId} and f.id = place.id and f.position <> place.ordinality`.execute(tx)
}

/** Deletes a field, and leaves its values to the job. */
export async function deleteCaseField(
  tx: Database,
  projectId: string,
  { id, number }: Pick<FieldRow, 'id' | 'number'>,
): Promise<void> {
  await sql`delete from custom_fields where project_id = ${projectId} and id = ${id}`.execute(tx)
  await sql`
    insert into deleted_fields (project_id, subject, number) values (${projectId}, 'case', ${number})`.execute(tx)
}

export function presentField(row: FieldRow): Field {
  const { id, key, name, description, type, is_required, decimals, position, retired_at } = row
  return {
    id,
    subject: 'case',
    key,
    name,
    description,
    type,
    is_required,
    default: row.default_value === null ? null : (presentValue(toDefinition(row), row.default_value) ?? null),
    options: row.options?.map(({ key: option, label, is_retired }) => ({ key: option, label, is_retired })) ?? null,
    min: row.min_value,
    max: row.max_value,
    decimals,
    position,
    retired_at: retired_at === null ? null : presentTime(retired_at),
  }
}
