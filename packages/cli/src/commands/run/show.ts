import { formatStatusCounts, pluralize } from '@caseward/ci-run/wording'
import { getRun, type Run } from '@caseward/client/endpoints'
import { type Command, Option } from 'commander'

import { expectSuccess } from '../../connect.ts'
import type { CommandResult, Context } from '../../context.ts'
import { toTerminalText } from '../../text.ts'
import { type Condition, CONDITIONS, findReasons, parseConditions, parseDuration, waitForJobs } from './gate.ts'
import { formatRunVerdicts, readRunVerdicts } from './run-verdicts.ts'
import { addRunOptions, environmentHelp, resolveRun, type RunOptions, targetHelp } from './run-options.ts'

const help = `${targetHelp}
With --fail-on failed, the exit code is 2 if a result is failed, blocked or retest, if a test without a test case failed or
was interrupted, or if there is an error outside of tests. With --fail-on incomplete, it is also 2 if a test case has no
result, if a CI job that has begun or a shard is not done, or if nothing was reported. With --fail-on flaky, it is 2 if a
test passed only after it had failed. The option can be repeated. The output names the first ten of each kind.

With --verdicts, the output also says what the failures of the run mean: which of them block, and what they were compared
with, as caseward gate decides it. The first 20 are named, those that block first; with --json, all of them.

With --wait, the command first waits until the CI jobs that have begun are done, or the run is completed.
${environmentHelp}

Exit codes:
  0  the run was shown, and the check of --fail-on passed
  2  the run was shown, and the check of --fail-on failed
  1  the run could not be read, or its uploads are not evaluated yet

Examples:
  caseward run show
  caseward run show --fail-on failed || exit 1
  caseward run show --fail-on incomplete --fail-on flaky --wait 10m
  caseward run show --verdicts
  caseward run show 019aa5b6-3c41-7a4c-8f5e-2f0f8c3f5a01 --json | jq .run.pass_rate
`

interface ShowOptions extends RunOptions {
  readonly failOn?: readonly Condition[]
  /** Milliseconds. */
  readonly wait?: number
  readonly verdicts?: boolean
}

export function define(command: Command, context: Context): void {
  addRunOptions(
    command
      .addOption(
        new Option(
          '--fail-on <condition>',
          'exit with code 2 if the run has failures (failed), is not complete (incomplete), or has flaky tests (flaky)',
        )
          .choices(CONDITIONS)
          .argParser(parseConditions),
      )
      .option('--wait <duration>', 'first wait for the CI jobs that have begun, such as 10m', parseDuration)
      .option('--verdicts', 'also say what the failures mean, and which of them block'),
  )
    .addHelpText('after', help)
    .action((id: string | undefined, options: ShowOptions) => context.setResult(showRun(id, options, context)))
}

async function showRun(id: string | undefined, options: ShowOptions, context: Context): Promise<CommandResult> {
  const { connection, run: setting } = await resolveRun(id, options, context)
  const readRun = async () => {
    const reply = await connection.client.call(getRun, { params: { run_id: setting.value } })
    return expectSuccess(reply, connection, { run: setting }).data.data
  }
  const run =
    options.wait === undefined ? await readRun() : await waitForJobs(readRun, setting, connection, options.wait)
  const url = `${connection.settings.url.value}/runs/${run.id}`
  const conditions = new Set(options.failOn)
  const findings = await findReasons(run, conditions, setting, connection)
  const reason = findings.length === 0 ? null : findings.map((finding) => finding.reason).join(', ')
  const verdicts = options.verdicts === true ? await readRunVerdicts({ connection, run: setting }) : null
  context.terminal.print([
    ...formatRun(run),
    ...(verdicts === null ? [] : formatRunVerdicts(verdicts)),
    ...findings.flatMap(({ names }) => names),
    url,
  ])
  if (reason !== null) context.terminal.warn([`Check failed: ${reason}.`])
  const check = conditions.size === 0 ? {} : { check_passed: reason === null, reason }
  return { exitCode: reason === null ? 0 : 2, document: { run, url, ...verdicts, ...check } }
}

/** Formats the run, a line per topic. Older servers send fewer fields. */
function formatRun({ name, status, stats, result_count: count, pass_rate: passRate, ...rest }: Run): string[] {
  const {
    metadata = {},
    shards_done: done = [],
    expected_shards: expected = null,
    test_stats: tests,
    suite_error_count: errors = 0,
  } = rest as Partial<Run>
  const counts = formatStatusCounts(stats)
  const names = done.length > 0 ? ` (${done.map(toTerminalText).join(', ')})` : ''
  return [
    `${toTerminalText(name)}: ${status.replace('_', ' ')}`,
    `${pluralize(count, 'test case')}${counts === '' ? '' : `: ${counts}`}; pass rate ${passRate}%${errors === 0 ? '' : `, ${pluralize(errors, 'error')}`}`,
    ...formatUnmatched(tests),
    ...formatMetadata(metadata),
    ...(expected === null && done.length === 0 ? [] : [`shards: ${done.length} of ${expected ?? '?'} done${names}`]),
  ]
}

/** What ran is never behind a zero: tests without a test case have no result. */
function formatUnmatched(tests: Run['test_stats'] | undefined): string[] {
  if (tests === undefined || tests.unmatched === 0) return []
  const { unmatched_stats: stats } = tests
  const counts = (['passed', 'failed', 'skipped'] as const)
    .filter((outcome) => (stats?.[outcome] ?? 0) > 0)
    .map((outcome) => `${stats?.[outcome]} ${outcome}`)
  const noun = tests.unmatched === 1 ? 'test' : 'tests'
  return [`${tests.unmatched} ${noun} without a test case${counts.length === 0 ? '' : `: ${counts.join(', ')}`}`]
}

/** Puts first what CI systems provide. */
function formatMetadata({ branch, commit, ci_url: build, ...others }: Readonly<Record<string, string>>): string[] {
  const entries = [...Object.entries({ branch, commit, build }), ...Object.entries(others)]
  return entries.flatMap(([key, value]) =>
    value === undefined ? [] : [`${toTerminalText(key)}: ${toTerminalText(value)}`],
  )
}
