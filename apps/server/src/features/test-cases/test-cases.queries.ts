import { type Columns } from '../../platform/database/columns.ts'
import type { Database } from '../../platform/database/connect.ts'
import type { TextQuery, TextRow, TextValue } from '../../platform/database/fast-reads/text-rows.ts'
import { defineItemRead, type JsonItems, readPage } from '../../platform/database/reads.ts'
import type { PageRange } from '../../platform/http/pagination.ts'
import type { ProjectRef } from '../../access/project-cache.ts'
import { buildStoredPage, chooseReading, MAX_COUNTED, type Reading } from './broad-filters.ts'
import { buildFolderRanks } from '../folders/folder-ranks.ts'
import { buildTreeOrder, POSITION } from './positions.ts'
import { testCaseDetail, testCaseListItem, toDetailContext } from './test-case-columns.ts'
import {
  buildConditions,
  chooseSource,
  type Conditions,
  NOT_ARCHIVED,
  SELECT_COUNT,
  type Source,
  SOURCES,
  type TestCaseFilters,
} from './test-case-filters.ts'

const FOLDER_RANKS = buildFolderRanks('$1')
const TREE_ORDER = buildTreeOrder('$1')

type Filters = TestCaseFilters & { fields?: 'all'; sort?: string }

/** A page of test cases by number, or in the order of the folder tree; null when the project is gone. Unfiltered, the project's counter is the total. */
export async function selectTestCases(
  db: Database,
  project: ProjectRef,
  filters: Filters,
  range: PageRange,
): Promise<JsonItems | null> {
  const conditions = buildConditions(filters)
  if (conditions === null) return { items: '[]', total: 0 }
  const { fields = 'list' } = filters
  const sort = filters.sort === 'tree' ? 'tree' : 'number'
  const source = conditions.sql === '' ? undefined : await chooseSource(db, project, filters)
  if (source === null) return null
  const reading =
    conditions.hasFieldFilters && source !== undefined && sort === 'number'
      ? await chooseReading(db, project, source, conditions)
      : null
  const queries =
    reading?.by === 'values'
      ? buildByValues(project, listColumns[fields], reading, range)
      : buildByConditions(
          project,
          { fields, sort, source: reading?.by === 'walking' ? 'walked' : source },
          conditions,
          range,
        )
  let context = project
  const prepare = async (rows: readonly TextRow[]) => {
    context = await toDetailContext(db, project, rows)
  }
  return await readPage(db, fields === 'all' ? { ...queries, prepare } : queries, (row) =>
    listColumns[fields].toJson(row, context),
  )
}

interface PageQueries {
  rows: TextQuery
  total: () => TextQuery
}

function buildByConditions(
  project: ProjectRef,
  form: ListForm,
  conditions: Conditions,
  { limit, offset }: PageRange,
): PageQueries {
  const { selectPage, selectTotal } = getListStatements(form, conditions)
  const useCustomPlan = form.source === 'large' || form.source === 'walked'
  const values = [project.id, ...conditions.values]
  return {
    rows: { text: selectPage, values: [...values, limit, offset], useCustomPlan },
    total: () => ({ text: selectTotal, values, useCustomPlan }),
  }
}

function buildByValues(
  project: ProjectRef,
  { selectList }: Columns<ProjectRef>,
  { stored, total }: Extract<Reading, { by: 'values' }>,
  { limit, offset }: PageRange,
): PageQueries {
  const values: TextValue[] = [project.id, limit, offset, total]
  const page = buildStoredPage(stored, (value) => `$${values.push(value)}`, { limit: '$2', offset: '$3' })
  return {
    rows: { text: `select ${selectList}, $4::int from ${page} order by c.number`, values },
    total: () => ({ text: 'select $2::int from projects where id = $1', values: [project.id, total] }),
  }
}

const listColumns = { list: testCaseListItem, all: testCaseDetail }

interface ListStatements {
  selectPage: string
  selectTotal: string
}

/** Built once for each of the few combinations of fields, sources and filters. */
const listStatements = new Map<string, ListStatements>()

interface ListForm {
  fields: 'all' | 'list'
  sort: 'number' | 'tree'
  /** Undefined without a filter; `walked` for one of {@link chooseReading}. */
  source: Source | 'walked' | undefined
}

function getListStatements({ fields, sort, source }: ListForm, conditions: Conditions): ListStatements {
  const form = `${fields} ${sort} ${source} ${conditions.sql}`
  const existing = listStatements.get(form)
  if (existing !== undefined) return existing
  const columns = listColumns[fields]
  const buildAll = sort === 'tree' ? buildTree : buildUnfiltered
  let statements: ListStatements
  if (source === undefined) statements = buildAll(columns)
  else if (source === 'walked') statements = buildWalked(columns, conditions)
  else statements = buildFiltered(columns, SOURCES[source], sort, conditions)
  listStatements.set(form, statements)
  return statements
}

const buildUnfiltered = ({ selectList }: Columns<ProjectRef>): ListStatements => ({
  selectPage: `
    select ${selectList}, (${SELECT_COUNT})
    from test_cases c where c.project_id = $1 and ${NOT_ARCHIVED} order by c.number limit $2 offset $3`,
  selectTotal: SELECT_COUNT,
})

/**
 * Reads only the folders of the page, each in the order of its index: the counters of the folders say where each begins.
 * Test cases without a folder come last.
 */
const buildTree = ({ selectList }: Columns<ProjectRef>): ListStatements => ({
  selectPage: `
    with tree as materialized (
      select id, rank, test_case_count from ${FOLDER_RANKS} ranks
    ), part as (
      select id, test_case_count as count,
        sum(test_case_count) over (order by rank nulls last) - test_case_count as first
      from (
        select id, rank, test_case_count from tree
        union all
        select null, null, (${SELECT_COUNT}) - coalesce((select sum(test_case_count) from tree), 0)
      ) parts
    )
    select ${selectList}, (${SELECT_COUNT})
    from part cross join lateral (
      (
        select * from test_cases c where part.id is not null and c.project_id = $1 and c.folder_id = part.id and ${NOT_ARCHIVED}
        order by ${POSITION}, c.number limit $2 offset greatest($3 - part.first, 0)
      ) union all (
        select * from test_cases c where part.id is null and c.project_id = $1 and c.folder_id is null and ${NOT_ARCHIVED}
        order by ${POSITION}, c.number limit $2 offset greatest($3 - part.first, 0)
      )
    ) c
    where part.first < $3 + $2 and part.first + part.count > $3
    order by part.first, ${POSITION}, c.number limit $2`,
  selectTotal: SELECT_COUNT,
})

const buildWalked = ({ selectList }: Columns<ProjectRef>, { walked, values }: Conditions): ListStatements => ({
  selectPage: `
    select ${selectList}, ${MAX_COUNTED}
    from test_cases c where c.project_id = $1 and ${walked}
    order by c.number limit $${values.length + 2} offset $${values.length + 3}`,
  selectTotal: `select ${MAX_COUNTED} from projects where id = $1`,
})

function buildFiltered(
  { selectList }: Columns<ProjectRef>,
  source: string,
  sort: ListForm['sort'],
  { sql, values }: Conditions,
): ListStatements {
  const where = `c.project_id = $1 and ${sql}`
  const place = sort === 'tree' ? `row_number() over (order by ${TREE_ORDER})` : 'c.number'
  return {
    // One pass counts and sorts; it carries only row locations, however many rows match. Within a statement a location
    // is stable (https://www.postgresql.org/docs/current/ddl-system-columns.html), and reading 20 rows by it takes a
    // fifth of the time that reading them by their keys takes.
    selectPage: `
      select ${selectList}, page.total
      from (
        select c.ctid, ${place} as place, count(*) over () as total
        from ${source} c where ${where}
        order by place limit $${values.length + 2} offset $${values.length + 3}
      ) page
      join test_cases c on c.ctid = page.ctid and c.project_id = $1
      order by page.place`,
    selectTotal: `select (select count(*) from ${source} c where ${where}) from projects p where p.id = $1`,
  }
}

const FROM_TEST_CASE = 'from test_cases c where c.project_id = $1 and c.number = $2'
const readDetail = defineItemRead(testCaseDetail, FROM_TEST_CASE, (db, row, project: ProjectRef) =>
  toDetailContext(db, project, [row]),
)
const readListItem = defineItemRead(testCaseListItem, FROM_TEST_CASE)

/** A test case with all its fields as a JSON object; null when there is none. */
export const selectTestCase = (db: Database, project: ProjectRef, number: number): Promise<string | null> =>
  readDetail(db, [project.id, number], project)

/** A test case with the fields of lists as a JSON object; null when there is none. */
export const selectTestCaseListItem = (db: Database, project: ProjectRef, number: number): Promise<string | null> =>
  readListItem(db, [project.id, number], project)
