import type { listTestCases } from '@caseward/contract/test-cases'
import { sql } from 'kysely'
import type { Static } from 'typebox'

import type { Database } from '../../platform/database/connect.ts'
import { runTextQuery, type TextRow, defineTextQuery } from '../../platform/database/text-rows.ts'
import { isUuid } from '../../platform/http/ids.ts'
import { toLikePattern, type PageRange } from '../../platform/http/pagination.ts'
import type { ProjectRef } from '../../access/project-cache.ts'
import {
  TEST_CASE_COLUMNS,
  type TestCaseRow,
  WHOLE_TEST_CASE_COLUMNS,
  type TestCaseDetailRow,
} from './present-test-case.ts'

type Filters = Static<typeof listTestCases.schema.querystring>

/** Which columns of a page's test cases are read. */
export interface RowShape<Row extends TextRow> {
  readonly columns: string
  readonly selectPage: ReturnType<typeof defineTextQuery<CountedRow<Row>>>
}

type CountedRow<Row extends TextRow> = readonly [...Row, total: string]

// Rows, not JSON: PostgreSQL takes twice as long to make a page of JSON as to find it.
const shape = <Row extends TextRow>(columns: string): RowShape<Row> => ({
  columns,
  selectPage: defineTextQuery<CountedRow<Row>>(`
  select ${columns}, (select test_case_count from projects where id = $1)
  from test_cases c where c.project_id = $1 order by c.number limit $2 offset $3`),
})

export const listShape = shape<TestCaseRow>(TEST_CASE_COLUMNS)
export const detailShape = shape<TestCaseDetailRow>(WHOLE_TEST_CASE_COLUMNS)

/**
 * A page of test cases by number, with how many there are; undefined when the project is gone. Unfiltered, the project's
 * counter is the total.
 */
export async function selectTestCases<Row extends TextRow>(
  db: Database,
  project: ProjectRef,
  filters: Filters,
  page: PageRange,
  { columns, selectPage }: RowShape<Row>,
): Promise<{ rows: readonly CountedRow<Row>[]; total: number } | undefined> {
  const conditions = buildConditions(filters)
  if (conditions === null) return { rows: [], total: 0 }
  const rows =
    conditions.text === ''
      ? await selectPage(db, [project.id, page.limit, page.offset])
      : await selectMatching<Row>(db, project, conditions, page, columns)
  const total = rows[0]?.at(-1)
  if (typeof total === 'string') return { rows, total: Number(total) }
  // No row says the total: the page is past the end, or nothing matches, or the project is gone.
  const counted = await countMatching(db, project, conditions)
  return counted === undefined ? undefined : { rows: [], total: counted }
}

/**
 * Count and page come of one pass that carries no more than numbers, however many match. A word is sought by an index;
 * all else is planned anew, since the indexes are over all projects: in a small one its own cases are read faster.
 */
async function selectMatching<Row extends TextRow>(
  db: Database,
  project: ProjectRef,
  { text, values, isWordSearch }: Conditions,
  { limit, offset }: PageRange,
  columns: string,
): Promise<CountedRow<Row>[]> {
  const next = values.length + 2
  const page = `
    with page as materialized (
      select c.number, count(*) over () as total from test_cases c where c.project_id = $1 and ${text}
      order by c.number limit $${next} offset $${next + 1}
    )
    select ${columns}, (select total from page limit 1)
    from test_cases c
    where c.project_id = $1 and c.number = any (array(select number from page))
    order by c.number`
  const query = { text: page, values: [project.id, ...values, limit, offset] }
  return await runTextQuery<CountedRow<Row>>(db, query, { plansAnew: !isWordSearch })
}

/** Undefined when the project is gone. */
async function countMatching(
  db: Database,
  project: ProjectRef,
  { text, values }: Conditions,
): Promise<number | undefined> {
  const total =
    text === '' ? 'p.test_case_count' : `(select count(*) from test_cases c where c.project_id = $1 and ${text})`
  const query = { text: `select ${total} from projects p where p.id = $1`, values: [project.id, ...values] }
  const [row] = await runTextQuery<readonly [total: string]>(db, query, { plansAnew: true })
  return row && Number(row[0])
}

/** What a test case `c` must meet, as SQL with its parameters from `$2` on; empty where anything will do. */
interface Conditions {
  text: string
  values: string[]
  isWordSearch: boolean
}

/** The filters as conditions; null when nothing can match. */
function buildConditions({ folder_id, priority, type, tag, search = '' }: Filters): Conditions | null {
  const values: string[] = []
  const parameter = (value: string) => `$${values.push(value) + 1}`
  const all: string[] = []
  const isWordSearch = HAS_TRIGRAM.test(search)
  if (folder_id === 'none') all.push('c.folder_id is null')
  else if (folder_id !== undefined && !isUuid(folder_id)) return null
  else if (folder_id !== undefined) all.push(`c.folder_id = ${parameter(folder_id)}`)
  if (priority !== undefined) all.push(`c.priority = ${parameter(priority)}`)
  if (type !== undefined) all.push(`c.type = ${parameter(type)}`)
  if (tag !== undefined) all.push(`c.tags @> array[${parameter(tag)}]::text[]`)
  if (search !== '')
    all.push(`${isWordSearch ? 'c.title' : `(c.title || '')`} ilike ${parameter(toLikePattern(search))}`)
  return { text: all.join(' and '), values, isWordSearch }
}

/**
 * The index knows titles by three letters or digits in a row. For a word without that PostgreSQL would read it from end
 * to end; in an expression that is not indexed it looks at the titles of the project alone.
 * (https://www.postgresql.org/docs/current/pgtrgm.html)
 */
const HAS_TRIGRAM = /[\p{L}\p{N}]{3}/u

const selectWhole = defineTextQuery<TestCaseDetailRow>(`
  select ${WHOLE_TEST_CASE_COLUMNS} from test_cases c where c.project_id = $1 and c.number = $2`)

/** One test case with all its fields. */
export async function selectTestCase(
  db: Database,
  project: ProjectRef,
  number: number,
): Promise<TestCaseDetailRow | undefined> {
  const [row] = await selectWhole(db, [project.id, number])
  return row
}

/** A page of a test case's results across runs, the newest run first; undefined when there is no such case. */
export async function selectTestCaseResults(db: Database, project: ProjectRef, number: number, page: PageRange) {
  const { limit, offset } = page
  const { rows } = await sql<{ items: string; total: number }>`
    select (
      select count(*) from test_results r where r.project_id = c.project_id and r.case_number = c.number
    ) as total, (
      select coalesce(json_agg(item), '[]') from (
        select r.run_id, runs.name as run_name, r.id, ${project.prefix} || '-' || r.case_number as test_case_id,
          r.title as test_case_title, r.status, r.note, r.elapsed, r.tested_by, iso_utc(r.tested_at) as tested_at
        from test_results r join runs on runs.id = r.run_id
        where r.project_id = c.project_id and r.case_number = c.number
        order by r.run_id desc limit ${limit} offset ${offset}
      ) item
    )::text as items
    from test_cases c where c.project_id = ${project.id} and c.number = ${number}`.execute(db)
  return rows[0]
}
