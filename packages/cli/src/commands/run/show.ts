import { formatStatusCounts, pluralize } from '@caseward/ci-run/wording'
import { getRun, type ResultStatus, type Run } from '@caseward/client/endpoints'
import { type Command, Option } from 'commander'

import { expectSuccess } from '../../connect.ts'
import type { CommandResult, Context } from '../../context.ts'
import { toTerminalText } from '../../text.ts'
import { addRunOptions, environmentHelp, resolveRun, type RunOptions, targetHelp } from './run-options.ts'

const help = `${targetHelp}
With --fail-on failed, the exit code is 2 if a result is failed, blocked or retest. With --fail-on incomplete, it is
also 2 if a result is not tested, if the run contains no test cases, or if a shard is not done.
${environmentHelp}

Exit codes:
  0  the run was shown, and the check of --fail-on passed
  2  the run was shown, and the check of --fail-on failed
  1  the run could not be read

Examples:
  caseward run show
  caseward run show --fail-on failed || exit 1
  caseward run show 019aa5b6-3c41-7a4c-8f5e-2f0f8c3f5a01 --json | jq .run.pass_rate
`

type FailOn = 'failed' | 'incomplete'

interface ShowOptions extends RunOptions {
  readonly failOn?: FailOn
}

export function define(command: Command, context: Context): void {
  addRunOptions(
    command.addOption(
      new Option(
        '--fail-on <condition>',
        'exit with code 2 if the run has failed results (failed) or is not complete (incomplete)',
      ).choices(['failed', 'incomplete'] as const),
    ),
  )
    .addHelpText('after', help)
    .action((id: string | undefined, options: ShowOptions) => context.setResult(showRun(id, options, context)))
}

async function showRun(id: string | undefined, options: ShowOptions, context: Context): Promise<CommandResult> {
  const { connection, run: setting } = await resolveRun(id, options, context)
  const reply = await connection.client.call(getRun, { params: { run_id: setting.value } })
  const run = expectSuccess(reply, connection, { run: setting }).data.data
  const url = `${connection.settings.url.value}/runs/${run.id}`
  const failOnReason = options.failOn === undefined ? null : getFailOnReason(run, options.failOn)
  context.terminal.print([...formatRun(run), url])
  if (failOnReason !== null) context.terminal.warn([`Check failed: ${failOnReason}.`])
  const check = options.failOn === undefined ? {} : { check_passed: failOnReason === null, reason: failOnReason }
  return { exitCode: failOnReason === null ? 0 : 2, document: { run, url, ...check } }
}

/** Formats the run, a line per topic. Older servers send fewer fields. */
function formatRun({ name, status, stats, result_count: count, pass_rate: passRate, ...rest }: Run): string[] {
  const { metadata = {}, shards_done: done = [], expected_shards: expected = null } = rest as Partial<Run>
  const counts = formatStatusCounts(stats)
  const names = done.length > 0 ? ` (${done.map(toTerminalText).join(', ')})` : ''
  return [
    `${toTerminalText(name)}: ${status.replace('_', ' ')}`,
    `${pluralize(count, 'test case')}${counts === '' ? '' : `: ${counts}`}; pass rate ${passRate}%`,
    ...formatMetadata(metadata),
    ...(expected === null && done.length === 0 ? [] : [`shards: ${done.length} of ${expected ?? '?'} done${names}`]),
  ]
}

/** Puts first what CI systems provide. */
function formatMetadata({ branch, commit, ci_url: build, ...others }: Readonly<Record<string, string>>): string[] {
  const entries = [...Object.entries({ branch, commit, build }), ...Object.entries(others)]
  return entries.flatMap(([key, value]) =>
    value === undefined ? [] : [`${toTerminalText(key)}: ${toTerminalText(value)}`],
  )
}

const failingStatuses: Readonly<Record<FailOn, readonly ResultStatus[]>> = {
  failed: ['failed', 'blocked', 'retest'],
  incomplete: ['failed', 'blocked', 'retest', 'not_tested'],
}

/** Returns why the check of `--fail-on` fails, or null if it passes. */
function getFailOnReason(run: Pick<Run, 'stats' | 'result_count'> & Partial<Run>, failOn: FailOn): string | null {
  const { stats, result_count: count, expected_shards: expected, shards_done: done = [] } = run
  const counts = formatStatusCounts(stats, failingStatuses[failOn])
  const missingShards = (expected ?? 0) - done.length
  const reasons = [
    ...(counts === '' ? [] : [counts]),
    ...(failOn === 'incomplete' && count === 0 ? ['the run contains no test cases'] : []),
    ...(failOn === 'incomplete' && missingShards > 0 ? [`${pluralize(missingShards, 'shard')} not done`] : []),
  ]
  return reasons.length === 0 ? null : reasons.join(', ')
}
