import { getRun, RESULT_STATUSES, type Run } from '@caseward/client/endpoints'

import { connect, expectSuccess, type Session } from '../../connect.ts'
import { type Context, CommandError, type CommandResult } from '../../context.ts'
import { type ConnectionOptions, readConnection, type Setting } from '../../settings.ts'
import { chooseTarget, findRunId } from '../../target.ts'
import { pluralize, toTerminalText } from '../../terminal.ts'

export interface RunOptions extends ConnectionOptions {
  readonly project?: string
  readonly runKey?: string
}

export interface ShowRunOptions extends RunOptions {
  readonly failOn?: 'failed' | 'incomplete'
}

/** The run that is meant, and the server that has it. */
export async function resolveRun(
  id: string | undefined,
  options: RunOptions,
  context: Context,
): Promise<{ session: Session; run: Setting }> {
  const { around } = context
  const target = chooseTarget({ run: id, project: options.project, runKey: options.runKey }, around.env)
  const missing = 'missing' in target ? [target.missing.replace('--run <id>', 'its id')] : []
  const session = connect(await readConnection(options, around, missing), options, context)
  if ('missing' in target) throw new CommandError(missing)
  const run = await findRunId(session, target)
  return { session, run: id === undefined ? run : { ...run, from: 'the id' } }
}

export async function showRun(
  id: string | undefined,
  options: ShowRunOptions,
  context: Context,
): Promise<CommandResult> {
  const { session, run: setting } = await resolveRun(id, options, context)
  const reply = await session.client.call(getRun, { params: { run_id: setting.value } })
  const run = expectSuccess(reply, session, { run: setting }).data.data
  const url = `${session.connection.url.value}/runs/${run.id}`
  const failOnReason = options.failOn === undefined ? null : getFailOnReason(run, options.failOn)
  context.terminal.print([...describeRun(run), url])
  if (failOnReason !== null) context.terminal.warn([`Not fit: ${failOnReason}.`])
  const document = {
    run,
    url,
    ...(options.failOn === undefined ? {} : { fit: failOnReason === null, reason: failOnReason }),
  }
  return { exitCode: failOnReason === null ? 0 : 2, document }
}

/** How it stands, a line to each matter. A server of an earlier version says less of a run. */
function describeRun({ name, status, stats, result_count, pass_rate, ...rest }: Run): string[] {
  const { metadata = {}, shards_done = [], expected_shards = null } = rest as Partial<Run>
  const counts = RESULT_STATUSES.filter((one) => stats[one] > 0).map((one) => `${stats[one]} ${one.replace('_', ' ')}`)
  const shards = `${shards_done.length} of ${expected_shards ?? '?'} done${shards_done.length > 0 ? ` (${shards_done.map(toTerminalText).join(', ')})` : ''}`
  return [
    `${toTerminalText(name)}: ${status.replace('_', ' ')}`,
    `${pluralize(result_count, 'test case')}${counts.length === 0 ? '' : `: ${counts.join(', ')}`}; pass rate ${pass_rate} %`,
    ...describeMetadata(metadata),
    ...(expected_shards === null && shards_done.length === 0 ? [] : [`shards: ${shards}`]),
  ]
}

/** Where it comes from: what CI systems tell first, then whatever else was said of it. */
function describeMetadata({ branch, commit, ci_url: build, ...others }: Readonly<Record<string, string>>): string[] {
  const known = [...Object.entries({ branch, commit, build }), ...Object.entries(others)]
  return known.flatMap(([what, text]) =>
    text === undefined ? [] : [`${toTerminalText(what)}: ${toTerminalText(text)}`],
  )
}

/** What keeps a run from being fit; null when nothing does. */
export function getFailOnReason(
  run: Pick<Run, 'stats' | 'result_count'> & Partial<Run>,
  failOn: 'failed' | 'incomplete',
): string | null {
  const { stats, result_count, expected_shards, shards_done = [] } = run
  const asked =
    failOn === 'failed'
      ? (['failed', 'blocked', 'retest'] as const)
      : (['failed', 'blocked', 'retest', 'not_tested'] as const)
  const found = asked
    .filter((status) => stats[status] > 0)
    .map((status) => `${stats[status]} ${status.replace('_', ' ')}`)
  if (failOn === 'incomplete') {
    if (result_count === 0) found.push('it has no test cases')
    const missing = (expected_shards ?? 0) - shards_done.length
    if (missing > 0) found.push(`${pluralize(missing, 'shard')} not done`)
  }
  return found.length === 0 ? null : found.join(', ')
}
