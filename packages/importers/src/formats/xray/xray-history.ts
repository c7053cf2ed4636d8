import type { ImportRecord } from '../../records.ts'
import { type Answers, toText } from '../answers.ts'
import { readList, readNumber, readObject, readObjects, readString, readStrings } from '../caseward/read-values.ts'
import type { ReadContext } from '../format.ts'

/** Reads test executions as runs, and their test runs as results. */
export async function* readXrayRuns(answers: Answers, { losses }: ReadContext): AsyncGenerator<ImportRecord> {
  const read = await answers.listOf('test_runs')
  const runs = new Map<string, string>()
  for await (const { item } of answers.read('test_executions')) {
    const id = toText(item['issueId'])
    // Older ones than asked for are in the list, but their results were not read.
    if (!read.has(id)) continue
    const jira = readObject(item, 'jira')
    const key = readString(jira, 'key') || id
    runs.set(id, key)
    const environments = readStrings(item, 'testEnvironments').join(', ')
    const versions = readObjects(jira, 'fixVersions')
      .map((version) => toText(version['name']))
      .join(', ')
    yield {
      kind: 'run',
      key,
      name: `${key} ${readString(jira, 'summary')}`.trim(),
      description: readString(jira, 'description'),
      created_at: toText(jira['created']),
      metadata: {
        ...(environments !== '' && { Environments: environments }),
        ...(versions !== '' && { 'Fix versions': versions }),
      },
    }
  }
  for await (const { of, item } of answers.read('test_runs')) {
    const test = readObject(item, 'test')
    const key = readString(readObject(test, 'jira'), 'key') || toText(test['issueId'])
    if (readObjects(item, 'steps').length > 0) losses.add('not_imported:results_of_steps', { key })
    if ((readNumber(readObject(item, 'iterations'), 'total') ?? 0) > 0)
      losses.add('not_imported:results_of_iterations', { key })
    const [started, finished] = [toText(item['startedOn']), toText(item['finishedOn'])]
    const milliseconds = Date.parse(finished) - Date.parse(started)
    yield {
      kind: 'result',
      run: runs.get(of) ?? of,
      case: key,
      status: readString(readObject(item, 'status'), 'name'),
      note: toText(item['comment']),
      elapsed_seconds: milliseconds > 0 ? Math.round(milliseconds / 1000) : null,
      person: toText(item['executedById']),
      at: finished || started,
      defects: readList(item, 'defects').map(toText),
    }
  }
}
