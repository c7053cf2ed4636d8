import { formatStatusCounts, pluralize } from '@caseward/ci-run/wording'
import {
  listResults,
  listRunJobs,
  listRunTests,
  listSuiteErrors,
  type ResultStatus,
  type Run,
  type RunJob,
} from '@caseward/client/endpoints'
import { InvalidArgumentError } from 'commander'

import { type Connection, expectSuccess, toCommandError } from '../../connect.ts'
import { toTerminalText } from '../../text.ts'
import type { Setting } from '../../settings.ts'

export const CONDITIONS = ['failed', 'incomplete', 'flaky'] as const
/** What makes a pipeline fail. */
export type Condition = (typeof CONDITIONS)[number]

/** A kind of what is wrong with a run. */
interface Finding {
  /** `2 failed`, `1 error outside of tests`. */
  readonly reason: string
  /** The first of them, a line each. */
  readonly names: readonly string[]
}

/** How many of each kind are named. */
const MAX_NAMES = 10

const FAILING: readonly ResultStatus[] = ['failed', 'blocked', 'retest']

/**
 * Finds what is wrong with a run under the given conditions: nothing if the pipeline may go on.
 * @param run the run as the server sent it; older servers send fewer fields
 */
export async function findReasons(
  run: Run,
  conditions: ReadonlySet<Condition>,
  setting: Setting,
  connection: Connection,
): Promise<Finding[]> {
  const gate: Gate = { run, setting, connection }
  const findings: (Finding | null)[] = []
  // An incomplete run is checked for failures, too.
  if (conditions.has('failed') || conditions.has('incomplete')) {
    for (const status of FAILING) findings.push(await findResults(gate, status))
    findings.push(await findUnmatched(gate), await findErrors(gate))
  }
  if (conditions.has('incomplete')) {
    findings.push(await findResults(gate, 'not_tested'), findNothing(run), ...(await findMissing(gate)))
  }
  if (conditions.has('flaky')) findings.push(await findFlaky(gate))
  return findings.filter((finding) => finding !== null)
}

interface Gate {
  readonly run: Run
  readonly setting: Setting
  readonly connection: Connection
}

async function findResults({ run, setting, connection }: Gate, status: ResultStatus): Promise<Finding | null> {
  const reason = formatStatusCounts(run.stats, [status])
  if (reason === '') return null
  const reply = await connection.client.call(listResults, {
    params: { run_id: setting.value },
    query: { status, per_page: MAX_NAMES },
  })
  if (reply.kind !== 'success') throw toCommandError(reply, connection.settings, { run: setting })
  const names = reply.data.data.map(({ test_case_id: id, test_case_title: title }) =>
    id === null ? title : `${id} ${title}`,
  )
  return { reason, names: formatNames(status.replace('_', ' '), names, run.stats[status]) }
}

/** Tests without a test case that failed, could not run, or were interrupted. */
async function findUnmatched({ run, setting, connection }: Gate): Promise<Finding | null> {
  if (((run as Partial<Run>).test_stats?.unmatched ?? 0) === 0) return null
  const names: string[] = []
  let count = 0
  for (const outcome of ['failed', 'blocked', 'interrupted'] as const) {
    const reply = await connection.client.call(listRunTests, {
      params: { run_id: setting.value },
      query: { matched: false, outcome, per_page: MAX_NAMES },
    })
    const { data, meta } = expectSuccess(reply, connection, { run: setting, feature: 'tests' }).data
    names.push(...data.map(formatTest))
    count += meta.total
  }
  if (count === 0) return null
  const noun = `test${count === 1 ? '' : 's'} without a test case`
  return { reason: `${count} failed ${noun}`, names: formatNames('failed, without a test case', names, count) }
}

async function findErrors({ run, setting, connection }: Gate): Promise<Finding | null> {
  const count = (run as Partial<Run>).suite_error_count ?? 0
  if (count === 0) return null
  const reply = await connection.client.call(listSuiteErrors, { params: { run_id: setting.value } })
  if (reply.kind !== 'success') throw toCommandError(reply, connection.settings, { run: setting, feature: 'tests' })
  const names = reply.data.data.map(({ where, message }) => `${where}: ${message.split('\n')[0] ?? ''}`)
  return {
    reason: `${pluralize(count, 'error')} outside of tests`,
    names: formatNames('error outside of tests', names, count),
  }
}

async function findFlaky({ run, setting, connection }: Gate): Promise<Finding | null> {
  const count = (run as Partial<Run>).test_stats?.flaky ?? 0
  if (count === 0) return null
  const reply = await connection.client.call(listRunTests, {
    params: { run_id: setting.value },
    query: { flaky: true, per_page: MAX_NAMES },
  })
  const { data } = expectSuccess(reply, connection, { run: setting, feature: 'tests' }).data
  return { reason: `${count} flaky`, names: formatNames('flaky', data.map(formatTest), count) }
}

function findNothing({ result_count: count, ...rest }: Run): Finding | null {
  const { test_stats: tests, suite_error_count: errors = 0 } = rest as Partial<Run>
  return count + (tests?.total ?? 0) + errors === 0 ? { reason: 'nothing was reported', names: [] } : null
}

/** Shards and CI jobs that have begun and are not done. */
async function findMissing({ run, setting, connection }: Gate): Promise<Finding[]> {
  const { expected_shards: expected, shards_done: done = [] } = run as Partial<Run>
  const missing = (expected ?? 0) - done.length
  const unfinished = (await readJobs(setting, connection)).filter((job) => !isJobDone(job))
  return [
    ...(missing > 0 ? [{ reason: `${pluralize(missing, 'shard')} not done`, names: [] }] : []),
    ...(unfinished.length === 0
      ? []
      : [
          {
            reason: `${pluralize(unfinished.length, 'CI job')} not done`,
            names: formatNames('not done', unfinished.map(formatJob), unfinished.length),
          },
        ]),
  ]
}

/** The CI jobs of a run; none if the server is too old to know them. */
async function readJobs(run: Setting, { client }: Connection): Promise<readonly RunJob[]> {
  const reply = await client.call(listRunJobs, { params: { run_id: run.value } })
  return reply.kind === 'success' ? reply.data.data : []
}

/** A job that has begun and of which nothing came may have been killed. */
const isJobDone = ({ is_done: isDone, upload_count: uploads, shards_done: shards }: RunJob): boolean =>
  isDone && uploads + shards.length > 0

function formatJob({ job, shards_done: done, expected_shards: expected, upload_count: uploads }: RunJob): string {
  const state = expected === null && uploads === 0 ? 'nothing reported' : `${done.length} of ${expected ?? '?'} shards`
  return `${job === '' ? 'unknown job' : job} (${state})`
}

const formatTest = ({ suite, name }: { suite: string; name: string }): string =>
  suite === '' || name.startsWith(suite) ? name : `${suite} > ${name}`

function formatNames(kind: string, names: readonly string[], count: number): string[] {
  const lines = names.slice(0, MAX_NAMES).map((name) => `  ${kind}: ${toTerminalText(name)}`)
  return count > lines.length ? [...lines, `  ${kind}: and ${count - lines.length} more`] : lines
}

const POLL_MS = 2000

/**
 * Waits until a run is completed, or no CI job that has begun misses a shard.
 * @param readRun reads the run again
 * @returns the run as it was read last
 */
export async function waitForJobs(
  readRun: () => Promise<Run>,
  run: Setting,
  connection: Connection,
  timeoutMs: number,
): Promise<Run> {
  const end = Date.now() + timeoutMs
  for (;;) {
    const current = await readRun()
    const { expected_shards: expected, shards_done: done = [] } = current as Partial<Run>
    const jobs = await readJobs(run, connection)
    const hasBegun = jobs.length > 0 || done.length > 0 || (current as Partial<Run>).test_stats?.total !== 0
    const isDone = jobs.every(isJobDone) && done.length >= (expected ?? 0) && hasBegun
    if (current.status === 'completed' || isDone || Date.now() >= end) return current
    await new Promise((resolve) => {
      setTimeout(resolve, Math.min(POLL_MS, Math.max(0, end - Date.now())))
    })
  }
}

const UNITS: Readonly<Record<string, number>> = { s: 1000, m: 60_000, h: 3_600_000 }

/**
 * Parses a duration such as `90s`, `10m` or `1h` as milliseconds.
 * @throws {InvalidArgumentError} for anything else
 */
export function parseDuration(text: string): number {
  const [, number, unit = ''] = /^(\d{1,5})([smh])$/.exec(text.trim()) ?? []
  const unitMs = UNITS[unit]
  if (number === undefined || unitMs === undefined) {
    throw new InvalidArgumentError('It must be a duration such as 90s, 10m or 1h.')
  }
  return Number(number) * unitMs
}

/**
 * Parses a condition of `--fail-on`, or several with commas between them, and adds them to those of earlier options.
 * @throws {InvalidArgumentError} for an unknown one
 */
export function parseConditions(text: string, earlier: readonly Condition[] = []): Condition[] {
  const conditions = text.split(',').map((condition) => condition.trim())
  if (!conditions.every(isCondition)) throw new InvalidArgumentError(`It must be one of ${CONDITIONS.join(', ')}.`)
  return [...earlier, ...conditions]
}

const isCondition = (text: string): text is Condition => (CONDITIONS as readonly string[]).includes(text)
