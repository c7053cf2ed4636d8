import { toMarkdown } from '../../markup/to-markdown.ts'
import type { ImportRecord } from '../../records.ts'
import type { ReadContext } from '../format.ts'
import { createUntested } from '../untested.ts'
import { type Datasets, isOn, type JsonRow, toText } from './testmo-datasets.ts'

const MICROSECONDS = 1_000_000

/** The first filled value. */
const first = (row: JsonRow, ...names: string[]): string => names.map((name) => toText(row[name])).find(Boolean) ?? ''

const toNote = (html: string): string => toMarkdown(html, 'html').text

/** Reads milestones, configurations, runs and results. What the file says of tests in runs leads from a result to its test case. */
export function* readTestmoHistory(
  datasets: Datasets,
  users: ReadonlyMap<string, string>,
  { losses }: ReadContext,
): Generator<ImportRecord> {
  const rows = (name: string) => (datasets.get(name) ?? []).filter((row) => !isOn(row['is_deleted']))
  for (const row of rows('milestones')) {
    yield {
      kind: 'milestone',
      key: toText(row['id']),
      name: toText(row['name']),
      description: toNote(first(row, 'note', 'description')),
      parent: first(row, 'parent_id') || null,
      start: first(row, 'started_at', 'start_date'),
      due: first(row, 'due_at', 'due_date'),
      is_completed: isOn(row['is_completed']),
    }
  }
  for (const row of rows('configs')) {
    yield { kind: 'configuration', key: toText(row['id']), group: 'Configuration', value: toText(row['name']) }
  }
  const configurations = new Map(rows('configs').map((row) => [toText(row['id']), toText(row['name'])]))
  for (const row of rows('runs')) {
    const configuration = configurations.get(first(row, 'config_id'))
    yield {
      kind: 'run',
      key: toText(row['id']),
      name: toText(row['name']),
      description: toNote(first(row, 'note', 'description')),
      milestone: first(row, 'milestone_id') || null,
      created_at: toText(row['created_at']),
      completed_at: toText(row['closed_at']),
      created_by: users.get(toText(row['created_by'])) ?? '',
      metadata: configuration === undefined ? {} : { Configuration: configuration },
    }
  }
  yield* readResults(datasets, users)
  for (const name of ['sessions', 'automation_runs', 'run_result_steps']) {
    if (rows(name).length > 0) losses.add(`not_imported:${name}`, {}, rows(name).length)
  }
}

function* readResults(datasets: Datasets, users: ReadonlyMap<string, string>): Generator<ImportRecord> {
  const tests = new Map((datasets.get('run_tests') ?? []).map((row) => [toText(row['id']), row]))
  const statuses = new Map((datasets.get('statuses') ?? []).map((row) => [toText(row['id']), toText(row['name'])]))
  const tested = new Set<string>()
  for (const row of datasets.get('run_results') ?? []) {
    if (isOn(row['is_deleted'])) continue
    const testId = toText(row['test_id'])
    tested.add(testId)
    const test = tests.get(testId)
    const status = toText(row['status_id'])
    const elapsed = Number(row['elapsed'] ?? 0)
    yield {
      kind: 'result',
      run: first(row, 'run_id') || toText(test?.['run_id']),
      case: toText(test?.['case_id']) || first(row, 'case_id'),
      status: statuses.get(status) ?? status,
      note: toNote(first(row, 'comment', 'note')),
      elapsed_seconds: elapsed > 0 ? Math.round(elapsed / MICROSECONDS) : null,
      person: users.get(toText(row['created_by'])) ?? '',
      at: toText(row['created_at']),
      defects: [],
    }
  }
  // Nobody has tested them: the run has them nevertheless.
  for (const [id, test] of tests) {
    const [run, testCase] = [toText(test['run_id']), toText(test['case_id'])]
    if (tested.has(id) || isOn(test['is_deleted']) || run === '' || testCase === '') continue
    yield createUntested(run, testCase)
  }
}
