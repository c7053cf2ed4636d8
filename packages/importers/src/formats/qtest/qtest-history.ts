import type { ImportRecord } from '../../records.ts'
import { type Answers, toText } from '../answers.ts'
import { type Raw, readObject, readObjects } from '../caseward/read-values.ts'
import type { ReadContext } from '../format.ts'
import { createUntested } from '../untested.ts'

/** Releases, test cycles and test suites: what contains test runs. */
interface Container {
  readonly name: string
  readonly description: string
}

const getContainer = (run: Raw): string => `${toText(run['parent_type']) || 'root'}-${toText(run['parent_id'])}`
const getCaseId = (run: Raw): string =>
  toText(readObject(run, 'test_case')['id']) || toText(run['testCaseId']) || toText(run['test_case_id'])

/** Reads what contains test runs as runs, and test logs as results. */
export async function* readQtestRuns(
  answers: Answers,
  findPerson: (id: unknown) => string,
  { losses }: ReadContext,
): AsyncGenerator<ImportRecord> {
  for await (const { item } of answers.read('releases')) {
    yield {
      kind: 'milestone',
      key: toText(item['id']),
      name: toText(item['name']),
      description: toText(item['description']),
      start: toText(item['start_date']),
      due: toText(item['end_date']),
    }
  }
  const containers = await listContainers(answers)
  // Older test runs than asked for are in the list, but their logs were not read.
  const read = await answers.listOf('test_logs')
  const cases = await answers.names('cases', (testCase) => toText(testCase['pid']) || toText(testCase['id']))
  const places = new Map<string, { run: string; testCase: string }>()
  const created = new Map<string, string>()
  for await (const { item } of answers.read('test_runs')) {
    const [id, run, caseId] = [toText(item['id']), getContainer(item), getCaseId(item)]
    if (!read.has(id)) continue
    places.set(id, { run, testCase: cases.get(caseId) ?? caseId })
    const [time, first] = [toText(item['created']) || toText(item['created_date']), created.get(run)]
    // The run begins with the first of its test runs; times of one tool compare as texts.
    created.set(run, first === undefined || first === '' || (time !== '' && time < first) ? time : first)
  }
  for (const [key, time] of created) {
    const container = containers.get(key)
    const release = /^release-(.+)$/.exec(key)?.[1] ?? null
    yield {
      kind: 'run',
      key,
      name: container?.name || (key.startsWith('root') ? 'Test runs in no cycle' : key),
      description: container?.description ?? '',
      milestone: release,
      created_at: time,
    }
  }
  const tested = new Set<string>()
  for await (const { of, item } of answers.read('test_logs')) {
    const place = places.get(of)
    tested.add(of)
    const testCase = place?.testCase ?? ''
    if (readObjects(item, 'test_step_logs').length > 0) losses.add('not_imported:results_of_steps', { key: testCase })
    const [start, end] = [toText(item['exe_start_date']), toText(item['exe_end_date'])]
    const milliseconds = Date.parse(end) - Date.parse(start)
    yield {
      kind: 'result',
      run: place?.run ?? '',
      case: testCase,
      status: toText(readObject(item, 'status')['name']) || toText(item['status']),
      note: toText(item['note']),
      elapsed_seconds: milliseconds > 0 ? Math.round(milliseconds / 1000) : null,
      person: findPerson(item['user_id']),
      at: end || start,
      defects: readObjects(item, 'defects')
        .map((defect) => toText(defect['web_url']) || toText(defect['pid']) || toText(defect['external_defect_id']))
        .filter((text) => text !== ''),
    }
  }
  for (const [id, { run, testCase }] of places) if (!tested.has(id)) yield createUntested(run, testCase)
}

/** Test cycles contain cycles and suites. */
async function listContainers(answers: Answers): Promise<Map<string, Container>> {
  const containers = new Map<string, Container>()
  const open: { kind: string; item: Raw; above: string }[] = []
  for await (const { item } of answers.read('releases')) open.push({ kind: 'release', item, above: '' })
  for await (const { item } of answers.read('test_cycles')) open.push({ kind: 'test-cycle', item, above: '' })
  for await (const { item } of answers.read('test_suites')) open.push({ kind: 'test-suite', item, above: '' })
  for (let next = open.shift(); next !== undefined; next = open.shift()) {
    const { kind, item, above } = next
    const key = `${kind}-${toText(item['id'])}`
    const name = above === '' ? toText(item['name']) : `${above}: ${toText(item['name'])}`
    if (!containers.has(key)) containers.set(key, { name, description: toText(item['description']) })
    for (const each of readObjects(item, 'test_cycles')) open.push({ kind: 'test-cycle', item: each, above: name })
    for (const each of readObjects(item, 'test_suites')) open.push({ kind: 'test-suite', item: each, above: name })
  }
  return containers
}
