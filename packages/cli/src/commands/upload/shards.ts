import { type EnvironmentVariables, readText } from '@caseward/ci-run/environment'
import { readRunSettings } from '@caseward/ci-run/settings'
import { type JobOfShard, reportShard } from '@caseward/ci-run/shards'

import { type Connection, toCommandError } from '../../connect.ts'
import type { Context } from '../../context.ts'
import type { Setting } from '../../settings.ts'
import type { Target } from '../../target.ts'
import { toTerminalText } from '../../text.ts'

/**
 * Returns the name under which this job reports that it is done, or null if it does not report. Unlike a reporter, an
 * upload reports only on request: another upload of the same job may follow.
 */
export function resolveShardName(
  options: { shard?: string | undefined; expectedShards?: number | undefined },
  env: EnvironmentVariables,
): string | null {
  const settings = [options.shard, env['SERVICE_SHARD'], options.expectedShards, env['SERVICE_EXPECTED_SHARDS']]
  if (settings.every((value) => readText(value) === null)) return null
  return readRunSettings({ shard: options.shard, expectedShards: options.expectedShards }, env).shard
}

/** Returns the CI job that the shard belongs to, and how many shards it has. */
export function getJobOfShard(target: Target, env: EnvironmentVariables): JobOfShard {
  const { job } = readRunSettings({}, env).source
  return { job, expectedShards: target.kind === 'key' ? target.key.expectedShards : null }
}

/** The result of reporting a shard; part of the JSON output. */
interface ShardReport {
  readonly name: string
  readonly reported: boolean
  readonly run_completed: boolean
}

/** Reports the shard as done. If not all of its files were stored, the run stays open so that the gap is visible. */
export async function reportDone(
  name: string,
  { run, job, isComplete }: { run: Setting; job: JobOfShard; isComplete: boolean },
  { client, settings }: Connection,
  { terminal }: Context,
): Promise<ShardReport> {
  const notReported = { name, reported: false, run_completed: false }
  const shard = `Shard “${toTerminalText(name)}”`
  if (!isComplete) {
    terminal.warn([`${shard} was not reported as done because not all of its files were stored.`])
    return notReported
  }
  const reply = await reportShard(client, run.value, name, job)
  if (reply.kind !== 'success') {
    const { lines } = toCommandError(reply, settings, { run, feature: 'shards' })
    terminal.warn([`${shard} could not be reported as done:`, ...lines])
    return notReported
  }
  const { status, shards_done: done, expected_shards: expected } = reply.data.data
  const isCompleted = status === 'completed'
  const ofJob = `of the job “${toTerminalText(job.job)}”`
  const progress = isCompleted
    ? ': the run is completed'
    : job.job === '' || expected !== null
      ? `: ${done.length} of ${expected ?? '?'} shards`
      : ` ${ofJob}`
  terminal.print([`${shard} is done${progress}.`])
  return { name, reported: true, run_completed: isCompleted }
}
