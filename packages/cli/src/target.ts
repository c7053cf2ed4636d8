import { createRun, listRuns, type Run } from '@caseward/client/endpoints'
import { toCreateRunBody } from '@caseward/reporter-core/find-run'
import { readSettings as readReporterSettings, type RunTarget } from '@caseward/reporter-core/settings'

import { expectSuccess, type Session } from './connect.ts'
import { CommandError } from './context.ts'
import { resolveProject } from './projects.ts'
import { describeUnsetVariable, type Setting } from './settings.ts'

type Environment = Readonly<Record<string, string | undefined>>

/** What the command line says of the run. */
export interface TargetOptions {
  readonly run?: string | undefined
  readonly project?: string | undefined
  readonly runKey?: string | undefined
  readonly name?: string | undefined
  readonly shard?: string | undefined
  readonly expectedShards?: number | undefined
}

/** A run that is there, or the one of a key, by which jobs that know nothing of each other find the same. */
export type Target =
  | { readonly kind: 'run'; readonly run: Setting }
  | { readonly kind: 'key'; readonly project: Setting; readonly key: Extract<RunTarget, { kind: 'key' }> }

/**
 * The run that is meant: the one named, else that of the key in the project, else, in CI, that of the build. What the
 * command line says comes before the environment.
 * @returns the target, or what is missing
 */
export function chooseTarget(options: TargetOptions, env: Environment): Target | { missing: string } {
  // Who names a project or a key on the command line does not mean the run that the environment names.
  const isByKey = options.run === undefined && (options.project !== undefined || options.runKey !== undefined)
  const { target } = readReporterSettings(
    {
      runId: options.run,
      projectId: options.project,
      runKey: options.runKey,
      runName: options.name,
      expectedShards: options.expectedShards,
    },
    {},
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

function describeMissingTarget({ project }: TargetOptions, env: Environment): string {
  if (project !== undefined || isSet(env['SERVICE_PROJECT_ID'])) {
    return 'SERVICE_RUN_KEY is not set, and no CI system is known here whose build could name the run. Set it, or give --run-key <key>.'
  }
  return `SERVICE_RUN_ID ${describeUnsetVariable(env['SERVICE_RUN_ID'])}. It is the id of the test run. Set it, or give --run <id>; or, in CI, let the build name the run: set SERVICE_PROJECT_ID, or give --project <id>.`
}

const isSet = (value: string | undefined) => value !== undefined && value.trim() !== ''

/** The run of a key, which is made where there is none. */
export async function findOrCreateRun(
  session: Session,
  { project, key }: Extract<Target, { kind: 'key' }>,
): Promise<Run> {
  const { id } = await resolveProject(session, project)
  const body = toCreateRunBody(key)
  const reply = await session.client.call(createRun, { params: { project_id: id }, body })
  const run = expectSuccess(reply, session, { project }).data.data
  if (run.run_key !== body.run_key) {
    throw new CommandError(
      [
        `The server is older than this command and knows no run keys: it made the run ${run.id}, which no other job will find.`,
        'Update the server, or make the run beforehand and name it in SERVICE_RUN_ID.',
      ],
      { code: 'server_too_old' },
    )
  }
  return run
}

/** The id of a run that is there. */
export async function findRunId(session: Session, target: Target): Promise<Setting> {
  if (target.kind === 'run') return target.run
  const { id } = await resolveProject(session, target.project)
  const { run_key } = toCreateRunBody(target.key)
  const reply = await session.client.call(listRuns, { params: { project_id: id }, query: { run_key } })
  const { data } = expectSuccess(reply, session, { project: target.project }).data
  const run = data.find((one) => one.run_key === run_key)
  if (run === undefined)
    throw new CommandError([`No run of the project has the key “${run_key}”.`], { code: 'not_found' })
  return { value: run.id, from: 'the run key' }
}
