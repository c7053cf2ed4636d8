import { toMarkdown } from '../../markup/to-markdown.ts'
import type { ImportRecord } from '../../records.ts'
import { type Answers, toText, toNumber } from '../answers.ts'
import { type Raw, readStrings } from '../caseward/read-values.ts'
import type { ReadContext } from '../format.ts'

const MICROSECONDS = 1_000_000
/** Statuses that every instance has. */
const STATUSES: Readonly<Record<string, string>> = {
  1: 'Untested',
  2: 'Passed',
  3: 'Failed',
  4: 'Retest',
  5: 'Blocked',
  6: 'Skipped',
}
/** Lists of which the answers are counted only. */
const OTHERS = ['sessions', 'automation_runs'] as const

const toNote = (value: unknown): string => toMarkdown(toText(value), 'html').text

/** Reads milestones, runs and results. */
export async function* readTestmoRuns(
  answers: Answers,
  findPerson: (item: Raw, name: string) => string,
  { losses }: ReadContext,
): AsyncGenerator<ImportRecord> {
  for await (const { item } of answers.read('milestones')) {
    yield {
      kind: 'milestone',
      key: toText(item['id']),
      name: toText(item['name']),
      description: toNote(item['note']),
      parent: toText(item['parent_id']) || null,
      start: toText(item['start_date']) || toText(item['started_at']),
      due: toText(item['due_date']),
      is_completed: item['is_completed'] === true,
    }
  }
  // Older runs than asked for are in the list, but their results were not read.
  const read = await answers.listOf('results')
  for await (const { item } of answers.read('runs')) {
    const key = toText(item['id'])
    if (!read.has(key)) continue
    const untested = toNumber(item['untested_count'])
    // The API does not say which they are.
    if (untested > 0) losses.add('not_imported:tests_without_result', { key }, untested)
    const configuration = toText(item['config_id_name'])
    yield {
      kind: 'run',
      key,
      name: toText(item['name']) || key,
      description: toNote(item['note']),
      milestone: toText(item['milestone_id']) || null,
      created_at: toText(item['created_at']),
      completed_at: toText(item['closed_at']),
      created_by: findPerson(item, 'created_by'),
      metadata: configuration === '' ? {} : { Configuration: configuration },
    }
  }
  for await (const { of, item } of answers.read('results')) {
    const status = toText(item['status_id'])
    const microseconds = toNumber(item['elapsed'])
    if (toText(item['deleted_at']) !== '') continue
    yield {
      kind: 'result',
      run: of,
      case: toText(item['case_id']),
      status: toText(item['status_id_name']) || (STATUSES[status] ?? `Status ${status}`),
      note: toNote(item['note']),
      elapsed_seconds: microseconds > 0 ? Math.round(microseconds / MICROSECONDS) : null,
      person: findPerson(item, 'created_by'),
      at: toText(item['created_at']),
      defects: readStrings(item, 'issues_name'),
    }
  }
  losses.add('not_imported:attachments_of_results', { place: 'not in the API' })
  for (const name of OTHERS) {
    for await (const { item } of answers.read(name)) losses.add(`not_imported:${name}`, { title: toText(item['name']) })
  }
}
