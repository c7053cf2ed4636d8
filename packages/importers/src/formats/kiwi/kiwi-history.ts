import type { ImportRecord } from '../../records.ts'
import { toZonedTime } from '../../steps/local-time.ts'
import { type Answers, toText, toNumber } from '../answers.ts'
import type { Raw } from '../caseward/read-values.ts'

/** Times do not tell their zone, unless the server was told to. */
export const readKiwiTime = (answers: Answers, value: unknown): string =>
  toZonedTime(toText(value).replace(/\.\d+$/, ''), answers.timeZone)

/** Reads runs, and executions as results, with their comments as notes. */
export async function* readKiwiRuns(
  answers: Answers,
  findPerson: (item: Raw, name: string) => string,
): AsyncGenerator<ImportRecord> {
  // Older runs than asked for are in the list, but their executions were not read.
  const read = await answers.listOf('executions')
  for await (const { item } of answers.read('runs')) {
    const key = toText(item['id'])
    if (!read.has(key)) continue
    const metadata = {
      Plan: toText(item['plan__name']),
      Version: toText(item['build__version__value']),
      Build: toText(item['build__name']),
    }
    yield {
      kind: 'run',
      key,
      name: toText(item['summary']) || key,
      description: toText(item['notes']),
      created_at: readKiwiTime(answers, item['start_date'] ?? item['planned_start']),
      completed_at: readKiwiTime(answers, item['stop_date']),
      created_by: findPerson(item, 'manager__username'),
      metadata: Object.fromEntries(Object.entries(metadata).filter(([, value]) => value !== '')),
    }
  }
  const notes = await readNotes(answers)
  const links = new Map<string, Raw[]>()
  for await (const { item } of answers.read('execution_links')) {
    const key = toText(item['execution'])
    links.set(key, [...(links.get(key) ?? []), item])
  }
  for await (const { of, item } of answers.read('executions')) {
    const key = toText(item['id'])
    const [defects, others] = [[] as string[], [] as string[]]
    for (const link of links.get(key) ?? []) {
      const [url, name] = [toText(link['url']), toText(link['name'])]
      if (link['is_defect'] === true) defects.push(url)
      else others.push(name === '' ? url : `${name}: ${url}`)
    }
    const seconds = toNumber(item['actual_duration'])
    yield {
      kind: 'result',
      run: of,
      case: toText(item['case']),
      status: toText(item['status__name']),
      note: [...(notes.get(key) ?? []), ...others].join('\n\n'),
      elapsed_seconds: seconds > 0 ? Math.round(seconds) : null,
      person: findPerson(item, 'tested_by__username'),
      at: readKiwiTime(answers, item['stop_date'] ?? item['start_date']),
      defects,
    }
  }
}

/** Comments of an execution, and its properties, such as the browser. */
async function readNotes(answers: Answers): Promise<Map<string, string[]>> {
  const notes = new Map<string, string[]>()
  const add = (key: string, text: string) => {
    if (text !== '') notes.set(key, [...(notes.get(key) ?? []), text])
  }
  for await (const { of, item } of answers.read('execution_comments')) add(of, toText(item['comment']))
  for await (const { item } of answers.read('execution_properties')) {
    add(toText(item['execution']), `${toText(item['name'])}: ${toText(item['value'])}`)
  }
  return notes
}
