import type { ImportRecord } from '../../records.ts'
import { type Answers, toText, toNumber } from '../answers.ts'
import { type Raw, readObject, readObjects } from '../caseward/read-values.ts'

/** The run of executions that are in no cycle. */
const NO_CYCLE = 'no-cycle'

/** Reads test cycles as runs, and executions as results. */
export async function* readZephyrRuns(answers: Answers): AsyncGenerator<ImportRecord> {
  const cycles = await answers.names('testcycles', (cycle) => toText(cycle['key']))
  const getRun = (execution: Raw) => cycles.get(toText(readObject(execution, 'testCycle')['id'])) ?? NO_CYCLE
  const used = new Set<string>()
  // Executions without a time do not tell whether their cycle was asked for.
  const isDated = (execution: Raw) => !answers.hasPartOfHistory || toText(execution['actualEndDate']) !== ''
  for await (const { item } of answers.read('testexecutions')) if (isDated(item)) used.add(getRun(item))
  for await (const { item } of answers.read('testcycles')) {
    const key = toText(item['key'])
    if (answers.hasPartOfHistory && !used.has(key)) continue
    yield {
      kind: 'run',
      key,
      name: toText(item['name']) || key,
      description: toText(item['description']),
      created_at: toText(item['plannedStartDate']),
      completed_at: toText(item['plannedEndDate']),
    }
  }
  if (used.has(NO_CYCLE)) yield { kind: 'run', key: NO_CYCLE, name: 'Executions without a cycle', created_at: '' }
  const statuses = await answers.names('statuses')
  const environments = await answers.names('environments')
  for await (const { item } of answers.read('testexecutions')) {
    const run = getRun(item)
    if (!used.has(run)) continue
    const environment = environments.get(toText(readObject(item, 'environment')['id']))
    const milliseconds = toNumber(item['executionTime'])
    yield {
      kind: 'result',
      run,
      case: /\/testcases\/([^/?]+)/.exec(toText(readObject(item, 'testCase')['self']))?.[1] ?? '',
      status: statuses.get(toText(readObject(item, 'testExecutionStatus')['id'])) ?? '',
      note: [toText(item['comment']), environment === undefined ? '' : `Environment: ${environment}`]
        .filter((text) => text !== '')
        .join('\n\n'),
      elapsed_seconds: milliseconds > 0 ? Math.round(milliseconds / 1000) : null,
      person: toText(item['executedById']),
      at: toText(item['actualEndDate']),
      defects: readObjects(readObject(item, 'links'), 'issues')
        .map((issue) => toText(issue['target']) || toText(issue['issueId']))
        .filter((text) => text !== ''),
    }
  }
  for await (const { item } of answers.read('testplans')) {
    yield { kind: 'plan', key: toText(item['key']), name: toText(item['name']), cases: [] }
  }
}
