import type { ProjectRef } from '../../access/project-cache.ts'
import type { Database } from '../../platform/database/connect.ts'
import type { TextQuery, TextValue } from '../../platform/database/fast-reads/text-rows.ts'
import { buildRowSelect, type JsonRows, readJsonRows } from '../../platform/database/json-rows.ts'
import type { RowPageRange } from '../../platform/http/row-pages.ts'
import {
  buildConditions,
  chooseSource,
  type Conditions,
  type Source,
  SOURCES,
  type TestCaseFilters,
} from './test-case-filters.ts'
import { buildRowWithFields, testCaseRow } from './test-case-columns.ts'
import { buildStoredPage, chooseReading, MAX_COUNTED, type Reading } from './broad-filters.ts'
import { formatTestCaseId } from './test-case-ids.ts'

/**
 * A page of test cases by number as compact rows; null when the project is gone.
 * @param after.number that of the last test case of the previous page, or 0
 * @param chosenFields of `readChosenFields`; null for none
 */
export async function selectTestCaseRows(
  db: Database,
  project: ProjectRef,
  filters: TestCaseFilters,
  { perPage, offset }: RowPageRange,
  { afterNumber, chosenFields }: { afterNumber: number; chosenFields: string | null },
): Promise<JsonRows | null> {
  const conditions = buildConditions(filters)
  if (conditions === null) return { items: '[]', total: 0, nextAfter: null }
  const page = [afterNumber, perPage, offset]
  const chosen = chosenFields === null ? [] : [chosenFields]
  const rows =
    conditions.sql === ''
      ? await readJsonRows(db, {
          text: unfiltered[chosen.length ? 'withFields' : 'plain'],
          values: [project.id, ...page, ...chosen],
        })
      : await selectFiltered(db, project, { filters, conditions }, page, chosen)
  if (rows === null || rows.nextAfter === null) return rows
  return { ...rows, nextAfter: formatTestCaseId(project.prefix, rows.nextAfter) }
}

const common = {
  key: 'c.number',
  lastKey: 'max(c.number)',
}

/** The project's counter is the total. */
const buildUnfiltered = (json: string) =>
  buildRowSelect({
    ...common,
    json,
    from: '(select * from test_cases where project_id = $1 and number > $2 and archived_at is null order by number limit $3 offset $4) c',
    following: 'select from test_cases where project_id = $1 and number > page.last_key and archived_at is null',
    total: 'project.test_case_count',
    owner: { name: 'project', query: 'select prefix, test_case_count from projects where id = $1' },
  })
const unfiltered = { plain: buildUnfiltered(testCaseRow), withFields: buildUnfiltered(buildRowWithFields('$5')) }

async function selectFiltered(
  db: Database,
  project: ProjectRef,
  { filters, conditions }: { filters: TestCaseFilters; conditions: Conditions },
  page: readonly number[],
  chosenFields: readonly string[],
): Promise<JsonRows | null> {
  const source = await chooseSource(db, project, filters)
  if (source === null) return null
  const reading = conditions.hasFieldFilters ? await chooseReading(db, project, source, conditions) : null
  if (reading?.by === 'values') return await readJsonRows(db, buildByValues(project, reading, page, chosenFields))
  return await readJsonRows(db, {
    text:
      reading?.by === 'walking'
        ? buildWalked(conditions, chosenFields.length > 0)
        : buildFiltered(source, conditions, chosenFields.length > 0),
    values: [project.id, ...conditions.values, ...page, project.prefix, ...chosenFields],
    useCustomPlan: source === 'large',
  })
}

function buildByValues(
  project: ProjectRef,
  { stored, total }: Extract<Reading, { by: 'values' }>,
  page: readonly number[],
  chosenFields: readonly string[],
): TextQuery {
  const values: TextValue[] = [project.id, ...page, project.prefix, total, ...chosenFields]
  const add = (value: string) => `$${values.push(value)}`
  const limits = { after: '$2', limit: '$3', offset: '$4' }
  const following = buildStoredPage(stored, add, { after: 'page.last_key', limit: '1', offset: '0' })
  const text = buildRowSelect({
    ...common,
    json: chosenFields.length > 0 ? buildRowWithFields('$7') : testCaseRow,
    from: buildStoredPage(stored, add, limits),
    following: `select from ${following}`,
    total: '$6::int',
    owner: { name: 'project', query: 'select $5::text as prefix' },
  })
  return { text, values }
}

/** Reads the page in its order until it is full. */
function buildWalked({ walked, values }: Conditions, hasFields: boolean): string {
  const first = values.length + 2
  const matches = `from test_cases c where c.project_id = $1 and ${walked}`
  return buildRowSelect({
    ...common,
    json: hasFields ? buildRowWithFields(`$${first + 4}`) : testCaseRow,
    from: `(select c.* ${matches} and c.number > $${first} order by c.number limit $${first + 1} offset $${first + 2}) c`,
    following: `select ${matches} and c.number > page.last_key`,
    total: String(MAX_COUNTED),
    owner: { name: 'project', query: `select $${first + 3}::text as prefix` },
  })
}

/** One pass finds all matches; it carries only row locations, as that of whole test cases does. */
function buildFiltered(source: Source, { sql, values }: Conditions, hasFields: boolean): string {
  const first = values.length + 2
  return buildRowSelect({
    ...common,
    json: hasFields ? buildRowWithFields(`$${first + 4}`) : testCaseRow,
    from: `
      (select ctid from matched where number > $${first} order by number limit $${first + 1} offset $${first + 2}) m
      join test_cases c on c.ctid = m.ctid and c.project_id = $1`,
    following: 'select from matched where number > page.last_key',
    total: '(select count(*) from matched)',
    // It reads no table, so that Citus executes the statement as a whole on one node.
    owner: { name: 'project', query: `select $${first + 3}::text as prefix` },
    matched: `select c.ctid, c.number from ${SOURCES[source]} c where c.project_id = $1 and ${sql}`,
  })
}
