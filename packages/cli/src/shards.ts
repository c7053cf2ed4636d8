import { getRun, reportShardDone, type Run, updateRun } from '@caseward/client/endpoints'
import { readSettings } from '@caseward/reporter-core/settings'

import { toCommandError, expectSuccess, type Session } from './connect.ts'
import type { Context } from './context.ts'
import type { Setting } from './settings.ts'
import { toTerminalText } from './terminal.ts'

type Environment = Readonly<Record<string, string | undefined>>

/**
 * The name under which this job reports that it is done; null when it does not. Unlike a reporter, which knows that the
 * suite is over, an upload only reports when it is told to: there may be others after it.
 */
export function resolveShardName(
  options: { shard?: string | undefined; expectedShards?: number | undefined },
  env: Environment,
) {
  const said = [options.shard, env['SERVICE_SHARD'], options.expectedShards, env['SERVICE_EXPECTED_SHARDS']]
  if (said.every((value) => value === undefined || value === '')) return null
  return readSettings({ shard: options.shard, expectedShards: options.expectedShards }, {}, env).shard
}

/** Reopens a run that its shards have completed: one of them runs again. What a person has closed stays closed. */
export async function reopenForShard(id: Setting, session: Session, known?: Run): Promise<void> {
  const params = { run_id: id.value }
  const run = known ?? expectSuccess(await session.client.call(getRun, { params }), session, { run: id }).data.data
  const { status, expected_shards: expected, shards_done: done = [] } = run as Partial<Run>
  if (status !== 'completed' || typeof expected !== 'number' || done.length < expected) return
  const reply = await session.client.call(updateRun, { params, body: { status: 'in_progress' } })
  expectSuccess(reply, session, { run: id })
}

/** What became of the report; as `--json` says it. */
interface ShardReport {
  readonly name: string
  readonly reported: boolean
  readonly run_completed: boolean
}

/** Reports the shard as done, unless it has not stored all that it has: then the run stays open, for everyone to see. */
export async function reportShard(
  name: string,
  run: Setting,
  isComplete: boolean,
  session: Session,
  { terminal }: Context,
): Promise<ShardReport> {
  const notReported = { name, reported: false, run_completed: false }
  const told = `The shard “${toTerminalText(name)}”`
  if (!isComplete) {
    terminal.warn([`${told} is not reported as done, as not all of its files were stored.`])
    return notReported
  }
  const reply = await session.client.call(reportShardDone, { params: { run_id: run.value, name } })
  if (reply.kind !== 'success') {
    const { lines } = toCommandError(reply, session.connection, { run, since: 'shards' })
    terminal.warn([`${told} could not be reported as done:`, ...lines])
    return notReported
  }
  const { status, shards_done, expected_shards } = reply.data.data
  const isCompleted = status === 'completed'
  const rest = isCompleted ? 'the run is complete' : `${shards_done.length} of ${expected_shards ?? '?'}`
  terminal.print([`${told} is done: ${rest}.`])
  return { name, reported: true, run_completed: isCompleted }
}
