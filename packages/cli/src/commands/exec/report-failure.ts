import { createHash } from 'node:crypto'

import { truncateText } from '@caseward/ci-run/plain-text'
import { readRunSettings } from '@caseward/ci-run/settings'
import { type SourceFields, type SourceSettings, toSourceFields } from '@caseward/ci-run/source'
import { getRun, uploadResults } from '@caseward/client/endpoints'

import { CommandError } from '../../command-error.ts'
import { connect, type Connection, expectSuccess, toCommandError } from '../../connect.ts'
import type { Context } from '../../context.ts'
import { readServerSettings, type Setting } from '../../settings.ts'
import { chooseTarget, requireRun, type Target } from '../../target.ts'
import { hasNewFailures, readReportedFailures, type ReportedFailures } from './reported-failures.ts'
import type { ExecOptions } from './settings.ts'

/** The outcome of reporting a failure; part of the JSON output. */
export interface StoredFailure {
  readonly run_id: string | null
  readonly error_stored: boolean
}

/** Stores the failure of a command that no reporter has reported. Never fails: the command matters more. */
export interface FailureReporter {
  /** Makes the run, and notes what it has of this CI job. */
  start(): Promise<void>
  /**
   * Stores the failure, unless it was reported since the start.
   * @param description how the command ended: `ended with exit code 1`
   */
  reportFailure(description: string, lastLines: readonly string[]): Promise<StoredFailure>
}

interface WatchedRun {
  readonly connection: Connection
  readonly run: Setting
  readonly before: ReportedFailures
}

/** What the server keeps of the name of a report. */
const MAX_PLACE_LENGTH = 255

const NOTHING: ReportedFailures = { uploads: 0, failed: 0, errors: 0 }

/** @param command the command line, without secrets */
export function createFailureReporter(command: string, options: ExecOptions, context: Context): FailureReporter {
  const { runtime, terminal } = context
  const { source } = readRunSettings({ variant: options.variant }, runtime.env)
  const print = (...lines: readonly string[]) => terminal.warn(lines.map((line) => `Caseward: ${line}`))
  let watched: WatchedRun | null = null

  const watch = async (hasStarted: boolean): Promise<WatchedRun | null> => {
    try {
      return await watchRun(command, source, { options, context, hasStarted })
    } catch (error) {
      if (!(error instanceof CommandError)) throw error
      print(...(hasStarted ? error.lines : ['a failure of the command cannot be stored yet:', ...error.lines]))
      return null
    }
  }
  return {
    async start() {
      watched = await watch(false)
    },
    async reportFailure(description, lastLines) {
      // The server may be reachable again.
      watched ??= await watch(true)
      if (watched === null) {
        print(`the run is incomplete: “${command}” ${description}, which could not be stored.`)
        return { run_id: null, error_stored: false }
      }
      const { connection, run, before } = watched
      const after = await readReportedFailures(connection, run.value, source)
      if (after !== null && hasNewFailures(before, after)) return { run_id: run.value, error_stored: false }
      const message = [`The command ${description}, and no test reported a failure.`, ...lastLines].join('\n').trim()
      const reply = await store(connection, run.value, source, command, message)
      const isStored = reply.kind === 'success'
      const url = `${connection.settings.url.value}/runs/${run.value}`
      const outcome = isStored ? 'is stored as an error outside of tests' : 'could not be stored'
      print(`the run is incomplete: “${command}” ${description} and reported no failed test, which ${outcome}: ${url}`)
      if (!isStored) print(...toCommandError(reply, connection.settings, { run, upload: true }).lines)
      return { run_id: run.value, error_stored: isStored }
    },
  }
}

interface WatchOptions {
  readonly options: ExecOptions
  readonly context: Context
  /** Whether the command has run already: what is there may be its own report. */
  readonly hasStarted: boolean
}

/** @throws {CommandError} when settings are missing, or the server cannot be reached */
async function watchRun(
  command: string,
  source: SourceSettings,
  { options, context, hasStarted }: WatchOptions,
): Promise<WatchedRun> {
  const { runtime } = context
  const target = chooseTarget({}, runtime.env)
  const settings = await readServerSettings(options, runtime, {
    otherErrors: 'missing' in target ? [target.missing] : [],
  })
  if ('missing' in target) throw new CommandError([target.missing])
  const connection = connect(settings, options, context)
  const { run, errorCount } = await readRun(target, connection)
  if (hasStarted) return { connection, run, before: NOTHING }
  // What an earlier execution of this command has left is not true any more.
  if (errorCount > 0) await store(connection, run.value, source, command, null)
  return { connection, run, before: (await readReportedFailures(connection, run.value, source)) ?? NOTHING }
}

/** Finds or makes the run. Its reporter says how many shards the job has. */
async function readRun(target: Target, connection: Connection): Promise<{ run: Setting; errorCount: number }> {
  if (target.kind === 'key') {
    const run = await requireRun(connection, { ...target, key: { ...target.key, expectedShards: null } })
    return { run: { value: run.id, from: 'the run key' }, errorCount: run.suite_error_count }
  }
  const reply = await connection.client.call(getRun, { params: { run_id: target.run.value } })
  const run = expectSuccess(reply, connection, { run: target.run }).data.data
  return { run: target.run, errorCount: run.suite_error_count }
}

/**
 * Replaces the error of this command, which is a source of its own beside the reports of its tests.
 * @param message null if there is none
 */
function store({ client }: Connection, runId: string, source: SourceSettings, command: string, message: string | null) {
  // The server replaces an error whose place is the report itself.
  const place = toPlace(command)
  const fields: SourceFields & { report: string } = { ...toSourceFields(source), report: place }
  const errors = message === null ? [] : [{ where: place, message }]
  return client.call(uploadResults, {
    body: { run_id: runId, format: 'tests', tests: [], suite_errors: errors, ...fields },
  })
}

/** The server keeps the first 255 characters of the name of a report. Longer commands that begin equally stay different. */
function toPlace(command: string): string {
  const place = truncateText(command, MAX_PLACE_LENGTH)
  if (place.length === command.trim().length) return place
  const digest = createHash('sha256').update(command).digest('hex').slice(0, 8)
  return `${truncateText(command, MAX_PLACE_LENGTH - 10)}… ${digest}`
}
