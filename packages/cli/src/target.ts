import { describeRunWithoutKey, findOrCreateRun, isRunOfKey, toRunKey } from '@caseward/ci-run/find-run'
import { type EnvironmentVariables, readText } from '@caseward/ci-run/environment'
import { type KeyTarget, readRunSettings } from '@caseward/ci-run/settings'
import { listRuns, type Run } from '@caseward/client/endpoints'

import { formatIgnoredFields } from './ignored-fields.ts'
import { CommandError } from './command-error.ts'
import { type Connection, expectSuccess } from './connect.ts'
import { resolveProject } from './projects.ts'
import { describeUnsetVariable, type Setting } from './settings.ts'

/** The options that name a run. */
export interface TargetOptions {
  readonly run?: string | undefined
  readonly project?: string | undefined
  readonly runKey?: string | undefined
  readonly name?: string | undefined
  readonly runField?: Readonly<Record<string, string>> | undefined
  readonly shard?: string | undefined
  readonly expectedShards?: number | undefined
  readonly target?: string | undefined
  readonly suite?: string | undefined
}

/** An existing run, or a run key, by which independent jobs of a build find the same run. */
export type Target =
  | { readonly kind: 'run'; readonly run: Setting }
  | { readonly kind: 'key'; readonly project: Setting; readonly key: KeyTarget }

/**
 * Chooses the run: the one that is named, or else that of the run key in the project, or else, in CI, that of the
 * build. Options take precedence over the environment.
 * @returns the target, or a message about what is missing
 */
export function chooseTarget(options: TargetOptions, env: EnvironmentVariables): Target | { missing: string } {
  // A project or key on the command line takes precedence over a run in the environment.
  const isByKey = options.run === undefined && (options.project !== undefined || options.runKey !== undefined)
  const { target } = readRunSettings(
    {
      runId: options.run,
      projectId: options.project,
      runKey: options.runKey,
      runName: options.name,
      runFields: options.runField,
      expectedShards: options.expectedShards,
      target: options.target,
      suite: options.suite,
    },
    isByKey ? { ...env, SERVICE_RUN_ID: undefined } : env,
  )
  if (target?.kind === 'run') {
    return { kind: 'run', run: { value: target.id, from: options.run === undefined ? 'SERVICE_RUN_ID' : '--run' } }
  }
  if (target?.kind === 'key') {
    const from = options.project === undefined ? 'SERVICE_PROJECT_ID' : '--project'
    return { kind: 'key', project: { value: target.projectId, from }, key: target }
  }
  return { missing: describeMissingTarget(options, env) }
}

function describeMissingTarget({ project }: TargetOptions, env: EnvironmentVariables): string {
  if (project !== undefined || readText(env['SERVICE_PROJECT_ID']) !== null) {
    return 'SERVICE_RUN_KEY is not set, and no supported CI system was detected. Set it to a key that all jobs of the build share, or use --run-key <key>.'
  }
  return `SERVICE_RUN_ID ${describeUnsetVariable(env['SERVICE_RUN_ID'])}. Set it to the id of a test run, or use --run <id>. In CI, you can set SERVICE_PROJECT_ID (or use --project <id>) instead: all jobs of a build then share one run.`
}

/**
 * Finds the run with the run key, or creates it.
 * @param onIgnored receives a line about each value of a field that the server has ignored
 */
export async function requireRun(
  connection: Connection,
  { project, key }: Extract<Target, { kind: 'key' }>,
  onIgnored: (lines: readonly string[]) => void = () => {},
): Promise<Run> {
  const { id } = await resolveProject(connection, project)
  const reply = await findOrCreateRun(connection.client, id, key)
  const { data: run, ignored_fields: ignored } = expectSuccess(reply, connection, { project }).data
  const lines = formatIgnoredFields([ignored])
  if (lines.length > 0) onIgnored(lines)
  if (!isRunOfKey(run, key)) {
    throw new CommandError(describeRunWithoutKey(run.id), { code: 'server_too_old' })
  }
  return run
}

/** Finds the id of an existing run. */
export async function findRunId(connection: Connection, target: Target): Promise<Setting> {
  if (target.kind === 'run') return target.run
  const { id } = await resolveProject(connection, target.project)
  const runKey = toRunKey(target.key.key)
  const reply = await connection.client.call(listRuns, { params: { project_id: id }, query: { run_key: runKey } })
  const { data } = expectSuccess(reply, connection, { project: target.project }).data
  const run = data.find((item) => isRunOfKey(item, target.key))
  if (run === undefined) {
    throw new CommandError([`The project has no run with the key “${runKey}”.`], { code: 'not_found' })
  }
  return { value: run.id, from: 'the run key' }
}
