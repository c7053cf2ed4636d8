import type { ImportRecord } from '../../records.ts'
import { readDuration } from '../../steps/durations.ts'
import { toZonedTime } from '../../steps/local-time.ts'
import { type Answers, toText } from '../answers.ts'
import { isRaw, type Raw } from '../caseward/read-values.ts'
import type { ReadContext } from '../format.ts'
import { findPrefix, getKey } from './testlink-values.ts'

/** Reads each build of a test plan as a run, for each platform of its own, and executions as results. */
export async function* readTestlinkRuns(answers: Answers, { losses }: ReadContext): AsyncGenerator<ImportRecord> {
  const prefix = await findPrefix(answers)
  const cases = new Map<string, string>()
  for await (const { item } of answers.read('cases')) cases.set(toText(item['id']), getKey(item, prefix))
  const plans = await answers.names('plans')
  for (const [key, name] of plans) yield { kind: 'plan', key, name, cases: [] }
  const platforms = await answers.names('platforms')
  const builds = new Map<string, { plan: string; item: Raw }>()
  for await (const { of, item } of answers.read('builds')) builds.set(toText(item['id']), { plan: of, item })
  const toTime = (value: unknown) => toZonedTime(toText(value), answers.timeZone)

  const seen = new Set<string>()
  for await (const { item } of answers.read('executions')) {
    const key = getRunKey(item)
    if (seen.has(key)) continue
    seen.add(key)
    const build = builds.get(toText(item['build_id']))
    const plan = plans.get(build?.plan ?? toText(item['testplan_id'])) ?? ''
    const platform = platforms.get(toText(item['platform_id'])) ?? ''
    const name = [plan, toText(build?.item['name'])].filter((text) => text !== '').join(': ')
    yield {
      kind: 'run',
      key,
      name: platform === '' ? name : `${name} (${platform})`,
      description: toText(build?.item['notes']),
      created_at: toTime(build?.item['creation_ts']),
      metadata: { ...(plan !== '' && { Plan: plan }), ...(platform !== '' && { Platform: platform }) },
    }
  }
  const executed = new Set<string>()
  for await (const { of, item } of answers.read('executions')) {
    executed.add(of)
    // The list is of a plan and a test case.
    const [, testCase = ''] = of.split(' ')
    const tester = toText(item['tester_id'])
    yield {
      kind: 'result',
      run: getRunKey(item),
      case: cases.get(testCase) ?? testCase,
      status: toText(item['status']),
      note: toText(item['notes']),
      elapsed_seconds: readDuration(toText(item['execution_duration']), 60),
      person: tester === '' ? '' : `User ${tester}`,
      at: toTime(item['execution_ts']),
      defects: listBugs(item['bugs']),
    }
  }
  if (answers.hasPartOfHistory) return
  // They are in a plan, but in no build of it.
  for await (const { of, item } of answers.read('plan_cases')) {
    const id = toText(item['id']) || toText(item['tcase_id'])
    if (!executed.has(`${of} ${id}`)) losses.add('not_imported:tests_without_execution', { key: cases.get(id) ?? id })
  }
}

function getRunKey(execution: Raw): string {
  const platform = toText(execution['platform_id'])
  const build = `build-${toText(execution['build_id'])}`
  return platform === '' || platform === '0' ? build : `${build}-platform-${platform}`
}

/** Bugs are a list, or by their id. */
const listBugs = (bugs: unknown): string[] =>
  (Array.isArray(bugs) ? (bugs as unknown[]) : isRaw(bugs) ? Object.values(bugs) : [])
    .map((bug) => (isRaw(bug) ? toText(bug['bug_id']) || toText(bug['id']) : toText(bug)))
    .filter((id) => id !== '')
