import type { ImportRecord } from '../../records.ts'
import { type Answers, toText } from '../answers.ts'
import { readObject } from '../caseward/read-values.ts'
import type { ReadContext } from '../format.ts'
import { createUntested } from '../untested.ts'
import { getAttributes, readClock } from './practitest-values.ts'

/** Reads milestones, test sets as runs, and the runs of their instances as results. */
export async function* readPractitestRuns(
  answers: Answers,
  findPerson: (id: unknown) => string,
  { losses }: ReadContext,
): AsyncGenerator<ImportRecord> {
  for await (const { item } of answers.read('milestones')) {
    const milestone = getAttributes(item)
    yield {
      kind: 'milestone',
      key: toText(item['id']),
      name: toText(milestone['name']),
      description: toText(milestone['description']),
      start: toText(milestone['start-date']),
      due: toText(milestone['end-date']),
      is_completed: /^(?:completed|closed|done)$/i.test(toText(milestone['milestone-status'])),
    }
  }
  // Older sets than asked for are in the list, but their instances were not read.
  const read = await answers.listOf('instances')
  for await (const { item } of answers.read('sets')) {
    const [key, set] = [toText(item['id']), getAttributes(item)]
    if (!read.has(key)) continue
    const version = toText(set['version'])
    yield {
      kind: 'run',
      key,
      name: toText(set['name']) || key,
      description: toText(set['description']),
      milestone: toText(set['milestone-id']) || null,
      created_at: toText(set['created-at']),
      metadata: version === '' ? {} : { Version: version },
    }
  }
  const keys = await answers.names('tests', (test) => toText(getAttributes(test)['display-id']))
  const findCase = (id: unknown) => keys.get(toText(id)) ?? toText(id)
  const run = new Set<string>()
  for await (const { of, item } of answers.read('runs')) {
    const result = getAttributes(item)
    const key = findCase(result['test-id'])
    run.add(toText(result['instance-id']))
    if (Object.keys(readObject(result, 'custom-fields')).length > 0)
      losses.add('not_imported:fields_of_results', { key })
    const version = toText(result['version'])
    yield {
      kind: 'result',
      run: of,
      case: key,
      status: toStatus(toText(result['status'])),
      note: [toText(result['automated-execution-output']), version === '' ? '' : `Version: ${version}`]
        .filter((text) => text !== '')
        .join('\n\n'),
      elapsed_seconds: readClock(result['run-duration']),
      person: findPerson(result['tester-id']),
      at: toText(result['created-at']),
      defects: [],
    }
  }
  for await (const { of, item } of answers.read('instances')) {
    if (!run.has(toText(item['id']))) yield createUntested(of, findCase(getAttributes(item)['test-id']))
  }
}

/** A run that somebody has begun is in progress. */
const toStatus = (status: string): string => (/^not completed$/i.test(status) ? 'In progress' : status)
