import { sql } from 'kysely'

import type { Database } from '../../platform/database/connect.ts'
import type { ProjectFields } from '../fields/field-definitions.ts'
import type { StoredValue, StoredValues } from '../fields/stored-values.ts'
import { type Comparison, compareTexts } from './compare-texts.ts'
import { toFieldText } from './field-texts.ts'
import type { CaseValues } from './plan-case.ts'
import type { SourceLink } from './source-links.queries.ts'

const FIELD_PREFIX = 'fields.'

/** Texts of all values that are compared, by name. */
export function toTexts(values: CaseValues): Map<string, string> {
  const { fields, steps, tags, automation_keys: keys, estimate, ...rest } = values
  return new Map([
    ['title', rest.title],
    ['folder_id', rest.folder_id ?? ''],
    ['priority', rest.priority],
    ['type', rest.type],
    ['precondition', rest.precondition],
    ['steps', steps.length === 0 ? '' : JSON.stringify(steps.map(({ action, expected }) => [action, expected]))],
    ['expected_result', rest.expected_result],
    ['tags', tags.length === 0 ? '' : JSON.stringify(tags)],
    ['estimate', estimate === null ? '' : String(estimate)],
    ['owner_id', rest.owner_id ?? ''],
    ['automation_keys', keys.length === 0 ? '' : JSON.stringify(keys)],
    ['archived', rest.archived ? 'archived' : ''],
    ...Object.entries(fields).map(([key, value]) => [`${FIELD_PREFIX}${key}`, value] as const),
  ])
}

/** Compares what the source says of a test case now with what it said, and with what is here: see {@link compareTexts}. */
export function compareCase(
  planned: CaseValues,
  current: CaseValues,
  link: Pick<SourceLink, 'field_digests'>,
  options: Parameters<typeof compareTexts>[3],
): Comparison {
  return compareTexts(toTexts(planned), toTexts(current), link.field_digests, options)
}

/** What is here of a test case, with its version. */
export interface CurrentCase extends CaseValues {
  number: number
  version: number
}

/** Reads test cases as they are compared, by number. With `lock`, until the transaction ends. */
export async function selectCurrentCases(
  db: Database,
  projectId: string,
  fields: ProjectFields,
  numbers: readonly number[],
  { lock = false }: { lock?: boolean } = {},
): Promise<Map<number, CurrentCase>> {
  if (numbers.length === 0) return new Map()
  const { rows } = await sql<Omit<CurrentCase, 'fields'> & { fields: StoredValues | null }>`
    select number, version, title, folder_id, priority, type, precondition, steps, expected_result, tags, estimate,
      owner_id, automation_keys, archived_at is not null as archived, fields
    from test_cases where project_id = ${projectId} and number = any(${`{${numbers.join(',')}}`}::int[])
    ${lock ? sql`for no key update` : sql``}`.execute(db)
  return new Map(rows.map((row) => [row.number, { ...row, fields: toFieldTexts(fields, row.fields) }]))
}

function toFieldTexts({ list }: ProjectFields, stored: StoredValues | null): Record<string, string> {
  const texts: Record<string, string> = {}
  for (const field of list) {
    const value: StoredValue | undefined = stored?.[field.number]
    if (value !== undefined) texts[field.key] = toFieldText(field, value)
  }
  return texts
}
