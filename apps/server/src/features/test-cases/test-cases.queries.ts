import type { HistoryItem, listTestCases } from '@caseward/contract/test-cases'
import type { Static } from 'typebox'

import { type Columns, defineColumns } from '../../platform/database/columns.ts'
import type { Database } from '../../platform/database/connect.ts'
import { defineItemRead, type JsonItems, readPage } from '../../platform/database/reads.ts'
import { isUuid } from '../../platform/http/ids.ts'
import { toJsonString, toPlainJsonString } from '../../platform/http/json-text.ts'
import { toLikePattern, type PageRange } from '../../platform/http/pagination.ts'
import type { ProjectRef } from '../../access/project-cache.ts'
import { resultFields } from '../results/result-columns.ts'
import { testCaseDetail, testCaseListItem } from './test-case-columns.ts'

type Filters = Static<typeof listTestCases.schema.querystring>

/** A page of test cases by number; null when the project is gone. Unfiltered, the project's counter is the total. */
export async function selectTestCases(
  db: Database,
  project: ProjectRef,
  filters: Filters,
  { limit, offset }: PageRange,
): Promise<JsonItems | null> {
  const conditions = buildConditions(filters)
  if (conditions === null) return { items: '[]', total: 0 }
  const { fields = 'list' } = filters
  const { selectPage, selectTotal } = getListStatements(fields, conditions)
  const { useCustomPlan } = conditions
  const values = [project.id, ...conditions.values]
  const queries = {
    rows: { text: selectPage, values: [...values, limit, offset], useCustomPlan },
    total: () => ({ text: selectTotal, values, useCustomPlan }),
  }
  return await readPage(db, queries, (row) => listColumns[fields].toJson(row, project))
}

const listColumns = { list: testCaseListItem, all: testCaseDetail }

/** Conditions on a test case `c`: SQL, empty without a filter, and its parameters from `$2` on. */
interface Conditions {
  sql: string
  values: string[]
  /**
   * A word is found by its index. All other filters need a plan for their values: the indexes are over all projects, so
   * that in a small project reading its own test cases is faster.
   */
  useCustomPlan: boolean
}

/** The filters as conditions; null when nothing can match. */
function buildConditions({ folder_id, priority, type, tag, search = '' }: Filters): Conditions | null {
  const values: string[] = []
  const addValue = (value: string) => `$${values.push(value) + 1}`
  const conditions: string[] = []
  const isWordSearch = HAS_TRIGRAM.test(search)
  if (folder_id === 'none') conditions.push('c.folder_id is null')
  else if (folder_id !== undefined && !isUuid(folder_id)) return null
  else if (folder_id !== undefined) conditions.push(`c.folder_id = ${addValue(folder_id)}`)
  if (priority !== undefined) conditions.push(`c.priority = ${addValue(priority)}`)
  if (type !== undefined) conditions.push(`c.type = ${addValue(type)}`)
  if (tag !== undefined) conditions.push(`c.tags @> array[${addValue(tag)}]::text[]`)
  if (search !== '') {
    const title = isWordSearch ? 'c.title' : `(c.title || '')`
    conditions.push(`${title} ilike ${addValue(toLikePattern(search))}`)
  }
  return { sql: conditions.join(' and '), values, useCustomPlan: conditions.length > 0 && !isWordSearch }
}

/**
 * The index on titles needs three letters or digits in a row; PostgreSQL would read all of it for any other text. An
 * expression that is not indexed makes it look at the project's own titles instead.
 * (https://www.postgresql.org/docs/current/pgtrgm.html)
 */
const HAS_TRIGRAM = /[\p{L}\p{N}]{3}/u

interface ListStatements {
  selectPage: string
  selectTotal: string
}

/** Built once for each of the few combinations of fields and filters. */
const listStatements = new Map<string, ListStatements>()

function getListStatements(fields: 'all' | 'list', conditions: Conditions): ListStatements {
  const form = `${fields} ${conditions.sql}`
  const existing = listStatements.get(form)
  if (existing !== undefined) return existing
  const statements = buildListStatements(listColumns[fields], conditions)
  listStatements.set(form, statements)
  return statements
}

function buildListStatements({ selectList }: Columns<ProjectRef>, { sql, values }: Conditions): ListStatements {
  const range = `limit $${values.length + 2} offset $${values.length + 3}`
  if (sql === '') {
    return {
      selectPage: `
        select ${selectList}, (select test_case_count from projects where id = $1)
        from test_cases c where c.project_id = $1 order by c.number ${range}`,
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
        select c.ctid, c.number, count(*) over () as total from test_cases c where c.project_id = $1 and ${sql}
        order by c.number ${range}
      ) page
      join test_cases c on c.ctid = page.ctid
      order by page.number`,
    selectTotal: `
      select (select count(*) from test_cases c where c.project_id = $1 and ${sql}) from projects p where p.id = $1`,
  }
}

const FROM_TEST_CASE = 'from test_cases c where c.project_id = $1 and c.number = $2'
const readDetail = defineItemRead(testCaseDetail, FROM_TEST_CASE)
const readListItem = defineItemRead(testCaseListItem, FROM_TEST_CASE)

/** A test case with all its fields as a JSON object; null when there is none. */
export const selectTestCase = (db: Database, project: ProjectRef, number: number): Promise<string | null> =>
  readDetail(db, [project.id, number], project)

/** A test case with the fields of lists as a JSON object; null when there is none. */
export const selectTestCaseListItem = (db: Database, project: ProjectRef, number: number): Promise<string | null> =>
  readListItem(db, [project.id, number], project)

const historyColumns = defineColumns<HistoryItem, ProjectRef>({
  run_id: { sql: 'r.run_id', encode: toPlainJsonString },
  run_name: { sql: 'runs.name', encode: toJsonString },
  ...resultFields,
})

const COUNT_HISTORY = `
  select (select count(*) from test_results r where r.project_id = c.project_id and r.case_number = c.number)
  from test_cases c where c.project_id = $1 and c.number = $2`
const SELECT_HISTORY = `
  select ${historyColumns.selectList}, (${COUNT_HISTORY})
  from test_results r join runs on runs.id = r.run_id
  where r.project_id = $1 and r.case_number = $2
  order by r.run_id desc limit $3 offset $4`

/** A page of a test case's results across runs, the newest run first; null when there is no such test case. */
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
  return await readPage(db, queries, (row) => historyColumns.toJson(row, project))
}
