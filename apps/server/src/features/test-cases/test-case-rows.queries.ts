import type { TestCaseRow } from '@caseward/contract/test-case-rows'

import type { ProjectRef } from '../../access/project-cache.ts'
import type { Database } from '../../platform/database/connect.ts'
import {
  buildJsonRow,
  buildRowLimit,
  buildRowPage,
  jsonPlainText,
  type JsonRows,
  jsonTimestamp,
  jsonValue,
  readJsonRows,
  type RowRange,
} from '../../platform/database/json-rows.ts'
import type { RowPageRange } from '../../platform/http/row-pages.ts'
import {
  buildConditions,
  chooseSource,
  type Conditions,
  type Source,
  SOURCES,
  type TestCaseFilters,
} from './test-case-filters.ts'
import { formatTestCaseId } from './test-case-ids.ts'

/** The fields of a row: columns of `test_cases c` and `projects p`. */
const rowJson = buildJsonRow<TestCaseRow>({
  id: jsonPlainText(`p.prefix || '-' || c.number`),
  title: jsonValue('c.title'),
  folder_id: jsonPlainText('c.folder_id'),
  priority: jsonPlainText('c.priority'),
  type: jsonPlainText('c.type'),
  tags: jsonValue('c.tags'),
  automation_key: jsonValue('c.automation_key'),
  updated_at: jsonTimestamp('c.updated_at'),
})

/**
 * A page of test cases by number as compact rows; null when the project is gone.
 * @param afterNumber the number of the last test case of the previous page, or 0
 */
export async function selectTestCaseRows(
  db: Database,
  project: ProjectRef,
  filters: TestCaseFilters,
  { perPage, offset }: RowPageRange,
  afterNumber: number,
): Promise<JsonRows | null> {
  const conditions = buildConditions(filters)
  if (conditions === null) return { items: '[]', total: 0, nextAfter: null }
  const source = conditions.sql === '' ? null : await chooseSource(db, project)
  const count = conditions.values.length + 1
  const range = { after: `$${count + 1}`, limit: `$${count + 2}`, offset: `$${count + 3}` }
  const rows = await readJsonRows(db, {
    text: source === null ? buildUnfiltered(range) : buildFiltered(source, conditions, range),
    values: [project.id, ...conditions.values, afterNumber, perPage, offset],
    useCustomPlan: source === 'large',
  })
  if (rows?.nextAfter == null) return rows
  return { ...rows, nextAfter: formatTestCaseId(project.prefix, rows.nextAfter) }
}

/** The project's counter is the total. */
const buildUnfiltered = (range: RowRange): string => `
  select page.items, page.next_after, p.test_case_count
  from projects p, lateral ${buildRowPage(
    rowJson,
    'c.number',
    `(select * from test_cases where project_id = $1 and number > ${range.after} order by number ${buildRowLimit(range)}) c`,
    range,
  )} page
  where p.id = $1`

/** One pass counts all matches; it carries only row locations, as that of whole test cases does. */
const buildFiltered = (source: Source, { sql }: Conditions, range: RowRange): string => `
  with matched as materialized (select c.ctid, c.number from ${SOURCES[source]} c where c.project_id = $1 and ${sql})
  select page.items, page.next_after, (select count(*) from matched)
  from projects p, lateral ${buildRowPage(
    rowJson,
    'c.number',
    `(select ctid from matched where number > ${range.after} order by number ${buildRowLimit(range)}) m
      join test_cases c on c.ctid = m.ctid`,
    range,
  )} page
  where p.id = $1`
