import type { HistoryItem, listTestCases } from '@caseward/contract/test-cases'
import type { Static } from 'typebox'

import { type Columns, defineColumns, type JsonItems, readItem, readPage } from '../../platform/database/columns.ts'
import type { Database } from '../../platform/database/connect.ts'
import { isUuid } from '../../platform/http/ids.ts'
import { toJsonString, toPlainJsonString } from '../../platform/http/json-text.ts'
import { toLikePattern, type PageRange } from '../../platform/http/pagination.ts'
import type { ProjectRef } from '../../access/project-cache.ts'
import { resultFields } from '../results/result-columns.ts'
import { testCaseDetail, testCaseListItem } from './test-case-columns.ts'

type Filters = Static<typeof listTestCases.schema.querystring>

/**
 * A page of test cases by number; null when the project is gone. Unfiltered, the project's counter is the total.
 */
export async function selectTestCases(
  db: Database,
  project: ProjectRef,
  filters: Filters,
  { limit, offset }: PageRange,
): Promise<JsonItems | null> {
  const columns = filters.fields === 'all' ? testCaseDetail : testCaseListItem
  const conditions = buildConditions(filters)
  if (conditions === null) return { items: '[]', total: 0 }
  const values = [project.id, ...conditions.values]
  const { selectPage, selectTotal } = buildStatements(columns, conditions)
  const queries = {
    rows: { text: selectPage, values: [...values, limit, offset], useCustomPlan: conditions.needsCustomPlan },
    total: () => ({ text: selectTotal, values, useCustomPlan: conditions.needsCustomPlan }),
  }
  return await readPage(db, columns, queries, project)
}

function buildStatements(
  { selectList }: Columns<ProjectRef>,
  { text, values }: Conditions,
): { selectPage: string; selectTotal: string } {
  const limits = `limit $${values.length + 2} offset $${values.length + 3}`
  if (text === '') {
    return {
      selectPage: `
        select ${selectList}, (select test_case_count from projects where id = $1)
        from test_cases c where c.project_id = $1 order by c.number ${limits}`,
      selectTotal: 'select test_case_count from projects where id = $1',
    }
  }
  return {
    // One pass counts and sorts; it carries only row locations, however many rows match. Within a statement a location
    // is stable (https://www.postgresql.org/docs/current/ddl-system-columns.html), and reading 20 rows by it takes a
    // fifth of the time that reading them by their keys takes.
    selectPage: `
      select ${selectList}, page.total
      from (
        select c.ctid, c.number, count(*) over () as total from test_cases c where c.project_id = $1 and ${text}
        order by c.number ${limits}
      ) page
      join test_cases c on c.ctid = page.ctid
      order by page.number`,
    selectTotal: `
      select (select count(*) from test_cases c where c.project_id = $1 and ${text}) from projects p where p.id = $1`,
  }
}

/** What a test case `c` must meet, as SQL with its parameters from `$2` on; empty where anything will do. */
interface Conditions {
  text: string
  values: string[]
  /**
   * A word is found by its index. All else needs a plan for its values, since the indexes are over all projects: in a
   * small one its own cases are read faster.
   */
  needsCustomPlan: boolean
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
  return { text: all.join(' and '), values, needsCustomPlan: all.length > 0 && !isWordSearch }
}

/**
 * The index knows titles by three letters or digits in a row. For a word without that PostgreSQL would read it from end
 * to end; in an expression that is not indexed it looks at the titles of the project alone.
 * (https://www.postgresql.org/docs/current/pgtrgm.html)
 */
const HAS_TRIGRAM = /[\p{L}\p{N}]{3}/u

/** One test case as a JSON object; null when there is none. */
export async function selectTestCase(
  db: Database,
  project: ProjectRef,
  number: number,
  columns = testCaseDetail,
): Promise<string | null> {
  const from = { text: 'from test_cases c where c.project_id = $1 and c.number = $2', values: [project.id, number] }
  return await readItem(db, columns, from, project)
}

const historyColumns = defineColumns<HistoryItem, ProjectRef>({
  run_id: { sql: 'r.run_id', encode: toPlainJsonString },
  run_name: { sql: 'runs.name', encode: toJsonString },
  ...resultFields,
})

/** A page of a test case's results across runs, the newest run first; null when there is no such case. */
export async function selectTestCaseResults(
  db: Database,
  project: ProjectRef,
  number: number,
  { limit, offset }: PageRange,
): Promise<JsonItems | null> {
  const values = [project.id, number]
  const queries = {
    rows: { text: SELECT_HISTORY, values: [...values, limit, offset] },
    total: () => ({ text: COUNT_HISTORY, values }),
  }
  return await readPage(db, historyColumns, queries, project)
}

const COUNT_HISTORY = `
  select (select count(*) from test_results r where r.project_id = c.project_id and r.case_number = c.number)
  from test_cases c where c.project_id = $1 and c.number = $2`
const SELECT_HISTORY = `
  select ${historyColumns.selectList}, (${COUNT_HISTORY})
  from test_results r join runs on runs.id = r.run_id
  where r.project_id = $1 and r.case_number = $2
  order by r.run_id desc limit $3 offset $4`
