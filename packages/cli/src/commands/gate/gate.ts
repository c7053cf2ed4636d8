import { readRunSettings } from '@caseward/ci-run/settings'
import type { Command } from 'commander'

import { CommandError } from '../../command-error.ts'
import { connect, type Connection } from '../../connect.ts'
import type { CommandResult, Context } from '../../context.ts'
import { readServerSettings } from '../../settings.ts'
import { chooseTarget, findRunId } from '../../target.ts'
import { getErrorMessage } from '../../text.ts'
import { waitForEvaluation } from '../../verdicts/read-verdicts.ts'
import { runReported, withEnvironment } from '../exec/run-reported.ts'
import { toChildEnvironment } from '../exec/settings.ts'
import { uploadReports } from '../upload/upload.ts'
import { formatAnnotations } from './annotations.ts'
import { commentOnBuild } from './comment/comment-on-build.ts'
import { addGateOptions, type GateOptions, help, readRules } from './gate-options.ts'
import { judge, type Rules } from './judge.ts'
import { readEvidence, type Subject } from './read-evidence.ts'
import { renderNote, renderSummary, renderTerminal, renderUnjudged, type SummaryInput } from './render-summary.ts'
import { writeSummary } from './write-summary.ts'

export function define(command: Command, context: Context): void {
  addGateOptions(command)
    .addHelpText('after', help)
    .action((words: string[], options: GateOptions) => context.setResult(execute(words, options, context)))
}

async function execute(command: readonly string[], options: GateOptions, context: Context): Promise<CommandResult> {
  const rules = readRules(options, command)
  const testExitCode =
    command.length > 0 ? (await runReported(command, options, context)).exitCode : (options.testExitCode ?? null)
  // The run and the job are those of the command.
  const env = await toChildEnvironment(options, context.runtime)
  const gate: Gate = { rules, testExitCode, options, context: withEnvironment(context, env) }
  try {
    return await judgeRun(gate, await uploadFirst(gate))
  } catch (error) {
    return await leaveUnjudged(error, gate)
  }
}

interface Gate {
  readonly rules: Rules
  readonly testExitCode: number | null
  readonly options: GateOptions
  readonly context: Context
}

/**
 * Stores the reports of `--upload`, and returns whether some of them were not.
 * @throws {CommandError} when none was: what is judged would not be these tests
 */
async function uploadFirst({ options, context }: Gate): Promise<boolean> {
  if (options.upload === undefined) return false
  const { exitCode } = await uploadReports(options.upload, options, context)
  if (exitCode === 1) throw new CommandError(['The reports of --upload could not be stored.'], { code: 'upload' })
  return exitCode !== 0
}

/** How long the server may take to answer beyond `--wait`, which says how long it may take to evaluate. */
const ANSWER_MS = 20_000
/** A run of ten thousand failures takes many requests. */
const LISTS_MS = 120_000

/** @throws when the run cannot be judged */
async function judgeRun(gate: Gate, isUploadPartial: boolean): Promise<CommandResult> {
  const { rules, testExitCode, options, context } = gate
  const { env } = context.runtime
  const target = chooseTarget({}, env)
  const missing = 'missing' in target ? [target.missing] : []
  const settings = await readServerSettings(options, context.runtime, { otherErrors: missing })
  if ('missing' in target) throw new CommandError(missing)
  const connection = connect(settings, options, context)
  const { source, shard } = readRunSettings({ variant: options.variant }, env)
  if (rules.scope === 'job' && source.job === '') {
    throw new CommandError(['--scope job: the CI job is unknown. Set SERVICE_JOB to its name.'], { code: 'settings' })
  }
  const first = withTimeLimit(connection, options.wait + ANSWER_MS)
  const run = await findRunId(first, target)
  const subject: Subject = { connection: first, run, source, shard, rules, testExitCode, isUploadPartial }
  const evaluation = await waitForEvaluation(subject, {
    waitMs: options.wait,
    needsShards: !(rules.allowIncomplete || rules.scope === 'job'),
  })
  const evidence = await readEvidence({ ...subject, connection: withTimeLimit(connection, LISTS_MS) }, evaluation)
  const judgement = judge(evidence, rules)
  const url = `${settings.url.value}/runs/${encodeURIComponent(run.value)}`
  const input: SummaryInput = { evidence, judgement, url }
  const isBlocked = judgement.reasons.length > 0
  context.terminal.print(renderTerminal(input))
  if (env['GITHUB_ACTIONS'] === 'true') context.terminal.print(formatAnnotations(judgement.blocking))
  const comment = options.comment === true ? await commentOnBuild(input, connection, context) : null
  if (comment !== null) context.terminal.warn([comment])
  await writeSummary(
    [renderSummary(input), ...(comment === null ? [] : [renderNote(comment), ''])].join('\n'),
    options,
    context,
  )
  const exitCode = isBlocked ? 2 : 0
  return {
    exitCode,
    document: {
      judged: true,
      blocked: isBlocked,
      exit_code: exitCode,
      test_exit_code: testExitCode,
      reasons: judgement.reasons,
      run_id: run.value,
      url,
      scope: rules.scope,
      executed_count: evidence.executed,
      blocking: judgement.blocking,
      not_blocking: judgement.others,
      suite_error_count: evidence.suiteErrorCount,
      suite_errors: evidence.suiteErrors,
      evaluation,
    },
  }
}

/** A server that does not answer must not hold up the pipeline for longer than this. */
function withTimeLimit({ client, settings }: Connection, ms: number): Connection {
  const signal = AbortSignal.timeout(ms)
  const call = ((endpoint: never, input?: object) =>
    client.call(endpoint, { ...input, signal } as never)) as Connection['client']['call']
  return { client: { ...client, call }, settings }
}

/** The pipeline goes on as without Caseward, and says so: with the exit code of the tests, if that is known. */
async function leaveUnjudged(error: unknown, { testExitCode, options, context }: Gate): Promise<CommandResult> {
  const lines = describeError(error)
  const exitCode = testExitCode ?? 1
  const because = testExitCode === null ? '' : ` The exit code is that of the tests: ${testExitCode}.`
  context.terminal.warn([`Caseward has not judged this build.${because}`, ...lines])
  await writeSummary(renderUnjudged(lines.join(' ')), options, context)
  const code = error instanceof CommandError && error.code !== undefined ? { code: error.code } : {}
  return {
    exitCode,
    document: {
      judged: false,
      exit_code: exitCode,
      test_exit_code: testExitCode,
      error: { message: lines.join(' '), ...code },
    },
  }
}

function describeError(error: unknown): readonly string[] {
  if (error instanceof CommandError) return [...error.lines, ...error.items]
  if (error instanceof DOMException && error.name === 'TimeoutError') return ['The server has not answered in time.']
  return [getErrorMessage(error)]
}
