import { sql } from 'kysely'

import type { Database } from '../../platform/database/connect.ts'
import type { FieldValueError } from './check-values.ts'
import type { FieldDefinition, ProjectFields } from './field-definitions.ts'
import type { StoredValues, ValueChanges } from './stored-values.ts'

/** The most bytes that the values of a test case may take as JSON, without those of fields of type `long_text`. */
const MAX_SIZE = 65_536

/** The most bytes of a value as JSON; a character takes up to six. */
const LARGEST: Record<FieldDefinition['type'], number> = {
  text: 6002,
  // Counted by their own limits.
  long_text: 0,
  number: 25,
  date: 12,
  checkbox: 5,
  select: 5,
  multi_select: 350,
  user: 38,
  url: 12_290,
}

const MEASURED = (field: FieldDefinition) => LARGEST[field.type] > 0

/** Whether values of a test case can be too large at all: those of most projects cannot. */
const canBeTooLarge = ({ list }: ProjectFields): boolean =>
  list.reduce((sum, { type }) => sum + LARGEST[type], 0) > MAX_SIZE

/** An error if all values of a test case are too large. @param path the JSON Pointer of the values */
export function findTooLarge(fields: ProjectFields, values: StoredValues | null, path: string): FieldValueError[] {
  if (values === null || !canBeTooLarge(fields)) return []
  const sizes = fields.list
    .filter(MEASURED)
    .map(({ number }) => (values[number] === undefined ? 0 : Buffer.byteLength(JSON.stringify(values[number]))))
  return sizes.reduce((sum, size) => sum + size, 0) > MAX_SIZE ? [tooLargeError(path)] : []
}

/** The values of a test case that a request changes. */
interface SizedChange {
  number: number
  changes: ValueChanges
  /** The JSON Pointer of the values. */
  path: string
}

/** Errors for test cases whose values would be too large after a change. The caller has locked them. */
export async function findTooLargeAfter(
  tx: Database,
  projectId: string,
  fields: ProjectFields,
  changed: readonly SizedChange[],
): Promise<FieldValueError[]> {
  if (changed.length === 0 || !canBeTooLarge(fields)) return []
  const items = changed.map(({ number, changes }) => ({ number, changes }))
  const numbers = fields.list.filter(MEASURED).map(({ number }) => String(number))
  const { rows } = await sql<{ number: number }>`
    select c.number
    from json_to_recordset(${JSON.stringify(items)}) as item (number int, changes jsonb)
    join test_cases c on c.project_id = ${projectId} and c.number = item.number
    cross join lateral (
      select sum(octet_length(value::text)) as size
      from jsonb_each(jsonb_strip_nulls(coalesce(c.fields, '{}') || item.changes)) where key = any(${numbers}::text[])
    ) measured
    where measured.size > ${MAX_SIZE}`.execute(tx)
  const tooLarge = new Set(rows.map(({ number }) => number))
  return changed.flatMap(({ number, path }) => (tooLarge.has(number) ? [tooLargeError(path)] : []))
}

const tooLargeError = (path: string): FieldValueError => ({
  path,
  code: 'invalid_field_value',
  message: 'would take more than 64 KB in all, without long texts: shorten some of the values',
})
