import { formatCsv, parseCsv } from '@caseward/case-files/csv'
import { expect, it } from 'vitest'

import { fromBytes } from './input/import-file.ts'
import { openImport } from './open-import.ts'
import { prepareCase } from './prepare-case.ts'
import * as samples from './sample-files.test.helper.ts'

const WORD = 'Zaphod42'

/** Finds where a word is in a value: `steps.action`. */
function findPath(value: unknown, path: readonly string[] = []): string | null {
  if (typeof value === 'string') return value.includes(WORD) ? path.join('.') : null
  if (typeof value !== 'object' || value === null) return null
  for (const [name, inner] of Object.entries(value)) {
    const found = findPath(inner, Array.isArray(value) ? path : [...path, name])
    if (found !== null) return found
  }
  return null
}

/** Writes a word into one column of a row after another, and finds where it comes out. */
async function listEnds(csv: string, row: number): Promise<Record<string, string | null>> {
  const rows = parseCsv(csv).map(({ cells }) => cells)
  const header = rows[0] ?? []
  const ends: Record<string, string | null> = {}
  for (const [column, name] of header.entries()) {
    const cells = header.map((_, place) => (place === column ? WORD : (rows[row]?.[place] ?? '')))
    const changed = formatCsv(rows.map((other, index) => (index === row ? cells : other)))
    const opened = await openImport(fromBytes('export.csv', Buffer.from(changed)))
    const records: unknown[] = []
    for await (const record of opened.records()) records.push(record.kind === 'case' ? prepareCase(record) : record)
    ends[name] = findPath(records)
  }
  return ends
}

it('every column of a CSV file of TestRail, Qase, Xray and of a sheet has an end, also with a value that nobody expects', async () => {
  expect(await listEnds(samples.testRailCsv, 1)).toEqual({
    ID: 'key',
    Title: 'title',
    'Created By': 'created_by',
    Estimate: 'fields.Estimate',
    'Expected Result': 'expected_result',
    Preconditions: 'precondition',
    Priority: 'priority',
    // The key of the folder has its path.
    Section: 'key',
    // It ends with the section, which counts if it does not.
    'Section Hierarchy': null,
    Steps: 'steps.action',
    Template: 'fields.Template',
    Type: 'type',
  })
  expect(await listEnds(samples.qaseCsv, 3)).toEqual({
    id: 'key',
    title: 'title',
    description: 'precondition',
    preconditions: 'precondition',
    postconditions: 'expected_result',
    tags: 'tags',
    priority: 'priority',
    severity: 'fields.severity',
    type: 'type',
    behavior: 'fields.behavior',
    automation: 'fields.automation',
    status: 'state',
    is_flaky: 'fields.is_flaky',
    layer: 'fields.layer',
    // How the next three are written.
    steps_type: null,
    steps_actions: 'steps.action',
    steps_result: 'expected_result',
    steps_data: 'steps.action',
    // Of the milestone, whose name is beside it.
    milestone_id: null,
    milestone: 'fields.milestone',
    suite_id: 'key',
    // Those of rows that are suites.
    suite_parent_id: null,
    suite: 'name',
    suite_without_cases: null,
    parameters: 'fields.parameters',
    is_muted: 'fields.is_muted',
  })
  expect(await listEnds(samples.xrayCsv, 1)).toEqual({
    // Which rows are one test.
    'Issue ID': null,
    'Issue Key': 'key',
    'Test Type': 'type',
    'Test Summary': 'title',
    'Test Priority': 'priority',
    Action: 'steps.action',
    Data: 'steps.action',
    Result: 'steps.expected',
    'Test Repo': 'key',
    Precondition: 'precondition',
    // Which rows are tests, and which are preconditions.
    'Issue Type': null,
    'Precondition Type': null,
  })
  expect(await listEnds(samples.sheetCsv, 2)).toEqual({
    'Test ID': 'key',
    Module: 'key',
    'Test Case': 'title',
    'Test Steps': 'steps.action',
    'Expected Result': 'steps.expected',
    Priority: 'priority',
  })
})
