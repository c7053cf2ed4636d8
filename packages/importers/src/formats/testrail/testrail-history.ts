import type { ImportRecord, ResultRecord } from '../../records.ts'
import { readDuration } from '../../steps/durations.ts'
import { type Answers, toText, toTime } from '../answers.ts'
import { type Raw, readObjects } from '../caseward/read-values.ts'
import { splitList } from '../folders.ts'
import type { ReadContext } from '../format.ts'
import { createUntested } from '../untested.ts'
import { toNote } from './testrail-case.ts'

/** A run, with what its plan says of it. */
interface Run {
  readonly run: Raw
  readonly plan: Raw | null
}

/** Reads plans, runs, and results, each with the test case of its test. */
export async function* readTestrailHistory(
  answers: Answers,
  users: ReadonlyMap<string, string>,
  { losses }: ReadContext,
): AsyncGenerator<ImportRecord> {
  const person = (id: unknown) => users.get(toText(id)) ?? (toText(id) === '' ? '' : `User ${toText(id)}`)
  const read = await answers.listOf('tests')
  for await (const { run, plan } of listRuns(answers)) {
    // Older ones than asked for are in the lists, but their tests were not read.
    if (read.has(toText(run['id']))) yield toRun(run, plan, person)
  }
  for await (const { item } of answers.read('plans')) {
    yield { kind: 'plan', key: `P${toText(item['id'])}`, name: toText(item['name']), cases: [] }
  }
  const statuses = await answers.names('statuses', (status) => toText(status['label']) || toText(status['name']))
  const cases = new Map<string, string>()
  const untested = new Map<string, { run: string; testCase: string }>()
  for await (const { of, item } of answers.read('tests')) {
    const [id, testCase] = [toText(item['id']), toText(item['case_id'])]
    cases.set(id, `C${testCase}`)
    untested.set(id, { run: `R${of}`, testCase: `C${testCase}` })
  }
  const latest = new Map<string, Pending>()
  let previousRun = ''
  for await (const { of, item } of answers.read('results')) {
    if (of !== previousRun) yield* flush(latest)
    previousRun = of
    const test = toText(item['test_id'])
    untested.delete(test)
    if (readObjects(item, 'custom_step_results').length > 0)
      losses.add('not_imported:results_of_steps', { key: cases.get(test) ?? null })
    if (hasCustomFields(item)) losses.add('not_imported:fields_of_results', { key: cases.get(test) ?? null })
    const status = toText(item['status_id'])
    const word = status === '' ? '' : (statuses.get(status) ?? status)
    const result = toResult(item, { run: `R${of}`, testCase: cases.get(test) ?? '', status: word, person })
    const pending = latest.get(test) ?? { results: [] }
    latest.set(test, pending)
    pending.results.push(result)
  }
  yield* flush(latest)
  for (const { run, testCase } of untested.values()) yield createUntested(run, testCase)
}

const hasCustomFields = (result: Raw): boolean =>
  Object.entries(result).some(
    ([name, value]) => name.startsWith('custom_') && name !== 'custom_step_results' && toText(value) !== '',
  )

interface Pending {
  readonly results: ResultRecord[]
}

/** Results are the newest first. One without a status is a comment, or assigns a person: the status stays that before it. */
function* flush(latest: Map<string, Pending>): Generator<ImportRecord> {
  for (const { results } of latest.values()) {
    let status = 'Untested'
    for (const result of results.toReversed()) {
      status = result.status === '' ? status : result.status
      yield { ...result, status }
    }
  }
  latest.clear()
}

async function* listRuns(answers: Answers): AsyncGenerator<Run> {
  for await (const { item } of answers.read('runs')) yield { run: item, plan: null }
  for await (const { item } of answers.read('plan')) {
    for (const entry of readObjects(item, 'entries')) {
      for (const run of readObjects(entry, 'runs')) yield { run, plan: item }
    }
  }
}

function toRun(run: Raw, plan: Raw | null, person: (id: unknown) => string): ImportRecord {
  const text = (name: string) => toText(run[name])
  const config = text('config')
  const milestone = text('milestone_id') || toText(plan?.['milestone_id'])
  const name = plan === null ? text('name') : `${toText(plan['name'])}: ${text('name')}`
  return {
    kind: 'run',
    key: `R${text('id')}`,
    name: config === '' ? name : `${name} (${config})`,
    description: text('description'),
    milestone: milestone === '' ? null : `M${milestone}`,
    created_at: toTime(run['created_on'] ?? plan?.['created_on']),
    completed_at: toTime(run['completed_on'] ?? plan?.['completed_on']),
    created_by: person(run['created_by']),
    metadata: {
      ...(plan !== null && { Plan: toText(plan['name']) }),
      ...(config !== '' && { Configuration: config }),
      ...(text('refs') !== '' && { References: text('refs') }),
    },
  }
}

function toResult(
  item: Raw,
  { run, testCase, status, person }: { run: string; testCase: string; status: string; person: (id: unknown) => string },
): ResultRecord {
  return {
    kind: 'result',
    run,
    case: testCase,
    status,
    note: toNote(toText(item['comment']), toText(item['version'])),
    elapsed_seconds: readDuration(toText(item['elapsed'])),
    person: person(item['created_by']),
    at: toTime(item['created_on']),
    defects: splitList(toText(item['defects'])),
  }
}
