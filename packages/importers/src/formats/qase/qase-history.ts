import type { ImportRecord } from '../../records.ts'
import { type Answers, toText, toTime, toNumber } from '../answers.ts'
import { type Raw, readList, readObject, readObjects } from '../caseward/read-values.ts'
import type { ReadContext } from '../format.ts'
import { createUntested } from '../untested.ts'

/** Reads milestones, runs and results. */
export async function* readQaseHistory(
  answers: Answers,
  people: ReadonlyMap<string, string>,
  { losses }: ReadContext,
): AsyncGenerator<ImportRecord> {
  for await (const { item } of answers.read('milestones')) {
    yield {
      kind: 'milestone',
      key: toText(item['id']),
      name: toText(item['title']),
      description: toText(item['description']),
      due: toTime(item['due_date']),
      is_completed: item['status'] === 'completed',
    }
  }
  const milestones = await answers.names('milestones', (milestone) => toText(milestone['title']))
  const plans = await answers.names('plans', (plan) => toText(plan['title']))
  for (const [key, name] of plans) yield { kind: 'plan', key, name, cases: [] }
  const configurations = new Map<string, string>()
  for await (const { item } of answers.read('configurations')) {
    for (const each of readObjects(item, 'configurations'))
      configurations.set(toText(each['id']), toText(each['title']))
  }
  const read = await answers.listOf('results')
  const untested = new Map<string, Set<string>>()
  for await (const { item } of answers.read('runs')) {
    const key = toText(item['id'])
    // Older ones than asked for are in the list, but their results were not read.
    if (!read.has(key)) continue
    untested.set(key, new Set(readList(item, 'cases').map(toText)))
    const title = toText(readObject(item, 'milestone')['title'])
    const milestone = [...milestones].find(([, name]) => name === title)?.[0]
    yield toRun(item, {
      milestone: milestone ?? null,
      plans,
      configurations,
      person: people.get(toText(item['user_id'])) ?? '',
    })
  }
  for await (const { item } of answers.read('results')) {
    const [run, testCase] = [toText(item['run_id']), toText(item['case_id'])]
    untested.get(run)?.delete(testCase)
    if (readObjects(item, 'steps').length > 0) losses.add('not_imported:results_of_steps', { key: testCase })
    const milliseconds = toNumber(item['time_spent_ms'])
    yield {
      kind: 'result',
      run,
      case: testCase,
      status: toText(item['status']),
      note: [toText(item['comment']), toText(item['stacktrace'])].filter((text) => text !== '').join('\n\n'),
      elapsed_seconds: milliseconds > 0 ? Math.round(milliseconds / 1000) : null,
      person: people.get(toText(item['author_id'])) ?? '',
      at: toText(item['end_time']),
      defects: [],
    }
  }
  for (const [run, cases] of untested) for (const testCase of cases) yield createUntested(run, testCase)
}

function toRun(
  item: Raw,
  known: {
    milestone: string | null
    plans: ReadonlyMap<string, string>
    configurations: ReadonlyMap<string, string>
    person: string
  },
): ImportRecord {
  const plan = known.plans.get(toText(item['plan_id']))
  const environment = item['environment']
  const place = toText(environment) || toText(readObject(item, 'environment')['title'])
  const configuration = readList(item, 'configurations')
    .map((id) => known.configurations.get(toText(id)) ?? toText(id))
    .filter((name) => name !== '')
    .join(', ')
  return {
    kind: 'run',
    key: toText(item['id']),
    name: toText(item['title']),
    description: toText(item['description']),
    milestone: known.milestone,
    created_at: toText(item['start_time']),
    completed_at: toText(item['end_time']),
    created_by: known.person,
    metadata: {
      ...(plan !== undefined && { Plan: plan }),
      ...(place !== '' && { Environment: place }),
      ...(configuration !== '' && { Configuration: configuration }),
    },
  }
}
