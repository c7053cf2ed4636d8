import type { ProjectRef } from '../../access/project-cache.ts'
import { toArrayLiteral } from '../../platform/database/array-literal.ts'
import type { Database } from '../../platform/database/connect.ts'
import type { TextQuery, TextRow, TextValue } from '../../platform/database/fast-reads/text-rows.ts'
import { type JsonRows, readJsonRows } from '../../platform/database/json-rows.ts'
import { type JsonItems, readPage } from '../../platform/database/reads.ts'
import type { PageRange } from '../../platform/http/pagination.ts'
import type { RowPageRange } from '../../platform/http/row-pages.ts'
import { toSortedValue } from '../fields/case-field-values.queries.ts'
import { chooseReading, MAX_COUNTED } from './broad-filters.ts'
import { type FieldCursor, formatFieldCursor, type FieldOrder, parseFieldCursor } from './field-order.ts'
import {
  buildRowWithFields,
  testCaseDetail,
  testCaseListItem,
  testCaseRow,
  toDetailContext,
} from './test-case-columns.ts'
import {
  buildConditions,
  chooseSource,
  type Conditions,
  NOT_ARCHIVED,
  SELECT_COUNT,
  SOURCES,
  type TestCaseFilters,
} from './test-case-filters.ts'

/*
 * Test cases in the order of a custom field. Without a filter, and with one that much matches, a page reads only its own part of
 * `case_field_values`; with another, every match is read anyway to count it, and the values come from the test cases.
 */

/** The `with` queries of a page, of which `page` has `number`, `value` and `place` from 1, and the parameters. */
interface SortedPage {
  queries: string
  /** SQL of the number of rows on all pages. */
  total: string
  isFiltered: boolean
  /** Whether `matched` has all test cases of all pages. */
  isCollected: boolean
  values: TextValue[]
  /** Adds a parameter. */
  add: (value: TextValue) => string
}

interface PageLimits {
  limit: number
  offset: number
  /** Null for the first page. */
  after: FieldCursor | null
}

/** A page of test cases in the order of a field; null when the project is gone. */
export async function selectSortedTestCases(
  db: Database,
  project: ProjectRef,
  { order, fields, ...filters }: TestCaseFilters & { order: FieldOrder; fields: 'all' | 'list' },
  { limit, offset }: PageRange,
): Promise<JsonItems | null> {
  const conditions = buildConditions(filters)
  if (conditions === null) return { items: '[]', total: 0 }
  const page = await buildPage(db, project, order, { ...conditions, filters }, { limit, offset, after: null })
  if (page === null) return null
  const columns = fields === 'all' ? testCaseDetail : testCaseListItem
  const text = `
    with ${page.queries}
    select ${columns.selectList}, ${page.total}
    from page join test_cases c on c.project_id = $1 and c.number = page.number order by page.place`
  const total: TextQuery = page.isCollected
    ? {
        text: `with ${page.queries} select ${page.total}, (select count(*) from page)`,
        values: page.values,
        useCustomPlan: true,
      }
    : { text: `select ${page.total} from projects where id = $1`, values: [project.id] }
  let context = project
  const queries = {
    rows: { text, values: page.values, useCustomPlan: true },
    total: () => total,
    async prepare(rows: readonly TextRow[]) {
      if (fields === 'all') context = await toDetailContext(db, project, rows)
    },
  }
  return await readPage(db, queries, (row) => columns.toJson(row, context))
}

/**
 * A page of compact rows in the order of a field; null when the project is gone.
 * @param chosenFields of `readChosenFields`; null for none
 */
export async function selectSortedRows(
  db: Database,
  project: ProjectRef,
  { order, ...filters }: TestCaseFilters & { order: FieldOrder },
  { perPage, offset, after }: RowPageRange,
  chosenFields: string | null,
): Promise<JsonRows | null> {
  const conditions = buildConditions(filters)
  if (conditions === null) return { items: '[]', total: 0, nextAfter: null }
  const cursor = after === null ? null : parseFieldCursor(after, project, order)
  const limits = { limit: perPage + 1, offset, after: cursor }
  const page = await buildPage(db, project, order, { ...conditions, filters }, limits)
  if (page === null) return null
  const json = chosenFields === null ? testCaseRow : buildRowWithFields(page.add(chosenFields))
  const count = `${page.add(perPage)}::int`
  // It reads no table unless it must, so that Citus executes the statement as a whole on one node.
  const owner = page.isFiltered
    ? `select ${page.add(project.prefix)}::text as prefix`
    : 'select prefix, test_case_count from projects where id = $1'
  const rows = await readJsonRows(db, {
    text: `
      with ${page.queries}, project as materialized (${owner})
      select (
        select '[' || coalesce(string_agg(${json}, ',' order by page.place), '') || ']'
        from page join test_cases c on c.project_id = $1 and c.number = page.number where page.place <= ${count}
      ), (
        select coalesce(value::text, '') || ':' || number from page
        where place = ${count} and exists (select from page where place > ${count})
      ), ${page.isFiltered ? page.total : 'project.test_case_count'}
      from project`,
    values: page.values,
    useCustomPlan: true,
  })
  if (rows === null || rows.nextAfter === null) return rows
  return { ...rows, nextAfter: formatFieldCursor(project, rows.nextAfter) }
}

async function buildPage(
  db: Database,
  project: ProjectRef,
  order: FieldOrder,
  conditions: Conditions & { filters: TestCaseFilters },
  limits: PageLimits,
): Promise<SortedPage | null> {
  const values: TextValue[] = [project.id, ...conditions.values]
  const add = (value: TextValue) => `$${values.push(value)}`
  const isFiltered = conditions.sql !== ''
  if (!isFiltered && order.isStored) {
    const queries = buildStored(order, NOT_ARCHIVED, limits, add)
    return { queries, total: `(${SELECT_COUNT})`, isFiltered, isCollected: false, values, add }
  }
  const source = await chooseSource(db, project, conditions.filters)
  if (source === null) return null
  const reading = order.isStored ? await chooseReading(db, project, source, conditions) : null
  if (reading?.by === 'walking' || (reading?.by === 'values' && reading.total === MAX_COUNTED)) {
    const queries = buildStored(order, conditions.walked, limits, add)
    return { queries, total: String(MAX_COUNTED), isFiltered, isCollected: false, values, add }
  }
  const where = isFiltered ? conditions.sql : NOT_ARCHIVED
  const queries = buildMatched(`${SOURCES[source]} c where c.project_id = $1 and ${where}`, order, limits, add)
  return { queries, total: '(select count(*) from matched)', isFiltered: true, isCollected: true, values, add }
}

type Add = SortedPage['add']

/** How the numbers of equal values, and those of a number or date, are compared and sorted. */
const getDirection = ({ isDescending }: FieldOrder) =>
  isDescending ? ({ after: '<', sorted: 'desc' } as const) : ({ after: '>', sorted: 'asc' } as const)

/** The order of `rank` and `number`; ranks of options ascend, because their list is reversed. */
function buildOrderBy(order: FieldOrder): string {
  const { sorted } = getDirection(order)
  return `rank ${order.options === null ? sorted : 'asc'} nulls last, number ${sorted}`
}

const buildPageQuery = (order: FieldOrder, from: string, limit: string, offset: string) => `
  page as materialized (
    select number, value, row_number() over (order by ${buildOrderBy(order)}) as place
    from (select number, value, rank from ${from} order by ${buildOrderBy(order)} limit ${limit} offset ${offset}) part
  )`

/** Reads all matches. @param from the test cases `c` */
function buildMatched(from: string, order: FieldOrder, { limit, offset, after }: PageLimits, add: Add): string {
  const { options } = order
  const value = toSortedValue(`(c.fields -> ${add(String(order.field))}::text)`)
  const rank =
    options === null ? 'value' : `array_position(${add(toArrayLiteral(options.map(String)))}::float8[], value)`
  const later = after === null ? 'true' : buildLater(order, after, add)
  return `
    matched as materialized (select c.number, ${value} as value from ${from}),
    ${buildPageQuery(order, `(select *, ${rank} as rank from matched) ranked where ${later}`, add(limit), add(offset))}`
}

function buildLater(order: FieldOrder, { value, number }: FieldCursor, add: Add): string {
  const { after } = getDirection(order)
  const later = `number ${after} ${add(number)}::int`
  if (value === null) return `rank is null and ${later}`
  const rank = `${add(getRank(order, value))}::float8`
  return `(rank is null or rank ${order.options === null ? after : '>'} ${rank} or (rank = ${rank} and ${later}))`
}

const getRank = ({ options }: FieldOrder, value: number): number =>
  options === null ? value : options.indexOf(value) + 1

/**
 * Reads the part of `case_field_values` that the page has, and test cases without a value if they are not enough.
 * @param where what a test case `c` of the list fulfills
 */
function buildStored(order: FieldOrder, where: string, limits: PageLimits, add: Add): string {
  const { after } = limits
  const { after: isAfter, sorted } = getDirection(order)
  const field = add(String(order.field))
  const limit = add(limits.limit)
  const offset = add(limits.offset)
  const needed = `(${limit}::bigint + ${offset}::bigint)`
  const isEmptyLater = after?.value === null ? `and number ${isAfter} ${add(after.number)}::int` : ''
  const buildValued = order.options === null ? buildValues : buildOptions
  return `
    valued as materialized (
      ${after?.value === null ? 'select 0 as number, 0::float8 as value, 0::float8 as rank where false' : buildValued(order, after, { field, needed, listed: buildListed(where), add })}
    ), empty as materialized (
      select c.number from test_cases c
      where c.project_id = $1 and ${where} and not coalesce(c.fields ? ${field}::text, false) ${isEmptyLater}
      order by c.number ${sorted} limit greatest(${needed} - (select count(*) from valued), 0)
    ), ${buildPageQuery(
      order,
      '(select number, value, rank from valued union all select number, null, null from empty) both_parts',
      limit,
      offset,
    )}`
}

interface StoredPart {
  field: string
  needed: string
  /** Of {@link buildListed}. */
  listed: string
  add: Add
}

function buildValues(order: FieldOrder, after: FieldCursor | null, { field, needed, listed, add }: StoredPart): string {
  const { after: isAfter, sorted } = getDirection(order)
  const later =
    after === null || after.value === null
      ? ''
      : `and (v.value, v.number) ${isAfter} (${add(String(after.value))}::float8, ${add(after.number)}::int)`
  return `
    select v.number, v.value, v.value as rank from case_field_values v ${listed}
    where v.project_id = $1 and v.field = ${field}::text::smallint ${later}
    order by v.value ${sorted}, v.number ${sorted} limit ${needed}`
}

/** Leaves out values of test cases that are not in the list. The limit makes PostgreSQL look up those of the page, and not read all. */
const buildListed = (where: string): string => `cross join lateral (
  select from test_cases c where c.project_id = $1 and c.number = v.number and ${where} limit 1
) listed`

/** One range of the index for each option. */
function buildOptions(
  order: FieldOrder,
  after: FieldCursor | null,
  { field, needed, listed, add }: StoredPart,
): string {
  const { after: isAfter, sorted } = getDirection(order)
  const options = add(toArrayLiteral((order.options ?? []).map(String)))
  let later = ''
  let laterOptions = ''
  if (after !== null && after.value !== null) {
    const rank = `${add(getRank(order, after.value))}::int`
    later = `and (chosen.rank > ${rank} or v.number ${isAfter} ${add(after.number)}::int)`
    laterOptions = `where chosen.rank >= ${rank}`
  }
  return `
    select v.number, chosen.value, chosen.rank::float8 as rank
    from unnest(${options}::float8[]) with ordinality chosen (value, rank)
    cross join lateral (
      select v.number from case_field_values v ${listed}
      where v.project_id = $1 and v.field = ${field}::text::smallint and v.value = chosen.value ${later}
      order by v.number ${sorted} limit ${needed}
    ) v
    ${laterOptions} order by chosen.rank, v.number ${sorted} limit ${needed}`
}
