import { buildConditions, type TestCaseFilters } from '../../test-cases/test-case-filters.ts'

/** A time as responses have it. */
export const toIso = (column: string): string =>
  `to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`

/** Which test cases are exported: a condition on `test_cases c` with `$1` for the project, and the values from `$2` on. */
export interface CaseChoice {
  sql: string
  values: string[]
  /** Whether it is all of them. */
  isAll: boolean
}

/** Chooses the test cases that filters match, archived ones, too; null when nothing can match. */
export function chooseCases(filters: TestCaseFilters): CaseChoice | null {
  const { archived = 'any', ...others } = filters
  const conditions = buildConditions({ ...others, archived })
  if (conditions === null) return null
  const sql = conditions.sql === '' ? 'c.archived_at is null' : conditions.sql
  return { sql, values: [...conditions.values], isAll: sql === 'true' }
}

const listOf = (object: string, from: string, order: string) =>
  `coalesce((select json_agg(json_build_object(${object}) order by ${order}) from ${from}), '[]')`

const LINK = `'kind', l.kind, 'url', l.url, 'label', l.label`

/** The links of a test case or result. */
export const linksOf = (condition: string): string =>
  listOf(LINK, `links l where l.project_id = $1 and ${condition}`, 'l.id')

const SOURCE = `'system', s.system, 'source', s.source, 'key', s.key, 'format', s.format, 'raw_digest', s.raw_digest,
  'field_digests', s.field_digests, 'details', s.details, 'imported_at', ${toIso('s.imported_at')}`

/**
 * A `with` query `sources_of`: what other tools call the objects of a kind, by id. For objects whose table is not distributed:
 * Citus does not join it with one that is.
 */
export const listSources = (kind: string): string => `sources_of as materialized (
    select s.target, json_agg(json_build_object(${SOURCE}) order by s.system, s.source, s.key) as list
    from source_links s where s.project_id = $1 and s.kind = '${kind}' group by s.target
  )`

/** A `with` query `links_of`: the links of runs. */
export const LINKS_OF_RUNS = `links_of as materialized (
    select l.run_id, json_agg(json_build_object(${LINK}) order by l.id) as list
    from links l where l.project_id = $1 and l.run_id is not null and l.result_id is null group by l.run_id
  )`

/** What other tools call an object. */
export const sourcesOf = (kind: string, target: string): string =>
  listOf(
    SOURCE,
    `source_links s where s.project_id = $1 and s.kind = '${kind}' and s.target = ${target}`,
    's.system, s.source, s.key',
  )

/** Test cases `c` as JSON with the columns of their table, and what belongs to them. */
export const CASE_JSON = `json_build_object(
  'number', c.number, 'title', c.title, 'folder', c.folder_id, 'position', c.own_position, 'template', c.template,
  'precondition', c.precondition, 'steps', c.steps, 'step_groups', c.step_groups, 'expected_result', c.expected_result,
  'priority', c.priority, 'type', c.type, 'tags', c.tags, 'estimate', c.estimate, 'owner', c.owner_id,
  'automation_keys', c.automation_keys, 'fields', c.fields, 'merged_into', case when c.archived_at is not null then c.merged_into end,
  'archived_at', ${toIso('c.archived_at')}, 'created_by', c.created_by, 'created_at', ${toIso('c.created_at')},
  'updated_by', c.updated_by, 'updated_at', ${toIso('c.updated_at')},
  'links', ${linksOf('l.case_number = c.number')},
  'aliases', ${listOf(`'system', a.system, 'source', a.source, 'key', a.key`, 'case_aliases a where a.project_id = $1 and a.case_number = c.number', 'a.system, a.source, a.key')},
  'sources', ${sourcesOf('case', 'c.number::text')}
)`

/** A row that {@link CASE_JSON} reads. */
export interface CaseRow {
  number: number
  title: string
  folder: string | null
  position: string | null
  template: 'steps' | 'text'
  precondition: string
  steps: { action: string; expected: string }[]
  step_groups:
    | { shared_step_id: string; title: string; version: number; first: number; count: number; follows: boolean }[]
    | null
  expected_result: string
  priority: string
  type: string
  tags: string[]
  estimate: number | null
  owner: string | null
  automation_keys: string[]
  fields: Record<string, string | number | boolean | number[]> | null
  merged_into: number | null
  archived_at: string | null
  created_by: string | null
  created_at: string
  updated_by: string | null
  updated_at: string
  links: { kind: string; url: string; label: string }[]
  aliases: { system: string; source: string; key: string }[]
  sources: Record<string, unknown>[]
}
