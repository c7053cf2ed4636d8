import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'

import { formatRunFields, parseRunFields } from '@caseward/ci-run/settings'
import type { Command } from 'commander'

import { addBuildOptions, addConnectionOptions, type BuildOptions, parseRunField } from '../../options.ts'
import type { ConnectionOptions } from '../../settings.ts'
import type { RuntimeEnvironment } from '../../terminal.ts'

export interface ExecOptions extends ConnectionOptions, BuildOptions {
  readonly run?: string
  readonly project?: string
  readonly runKey?: string
  readonly name?: string
  readonly variant?: string
  readonly runField?: Readonly<Record<string, string>>
}

/** Adds the options of a command that runs another one, whose reporter stores its results in a run. */
export function addExecOptions(command: Command): Command {
  return addConnectionOptions(
    addBuildOptions(command)
      .option('--run <id>', 'run of the results (default: SERVICE_RUN_ID)')
      .option(
        '--project <id>',
        'without a run: id or prefix of the project with the run of this build (default: SERVICE_PROJECT_ID)',
      )
      .option('--run-key <key>', 'key shared by all jobs of the build (default: SERVICE_RUN_KEY, or the CI build id)')
      .option('--name <name>', 'name of the run if it is created (default: SERVICE_RUN_NAME)')
      .option('--run-field <key=value>', 'custom field of the run if it is created; can be repeated', parseRunField)
      .option(
        '--variant <name>',
        'name that tells executions of the same tests apart, such as "windows, node 18" (default: SERVICE_VARIANT)',
      ),
  )
}

/** Returns the environment of the command, in which the options are variables: its reporter reads them there. */
export async function toChildEnvironment(
  { url, tokenFile, run, project, runKey, name, variant, runField, target, suite }: ExecOptions,
  { env, cwd }: RuntimeEnvironment,
): Promise<NodeJS.ProcessEnv> {
  // A project or key on the command line takes precedence over a run in the environment.
  const isByKey = run === undefined && (project !== undefined || runKey !== undefined)
  const values = {
    SERVICE_URL: url,
    // A file that cannot be read is reported with the other settings.
    SERVICE_TOKEN: tokenFile === undefined ? undefined : await readToken(resolve(cwd(), tokenFile)),
    SERVICE_RUN_ID: run ?? (isByKey ? '' : undefined),
    SERVICE_PROJECT_ID: project,
    SERVICE_RUN_KEY: runKey,
    SERVICE_RUN_NAME: name,
    SERVICE_VARIANT: variant,
    SERVICE_RUN_FIELDS:
      runField && formatRunFields({ ...parseRunFields(env['SERVICE_RUN_FIELDS'] ?? ''), ...runField }),
    SERVICE_TARGET: target,
    SERVICE_SUITE: suite,
  }
  const set = Object.entries(values).filter(([, value]) => value !== undefined)
  return { ...env, ...Object.fromEntries(set) }
}

const readToken = (path: string): Promise<string | undefined> =>
  readFile(path, 'utf8').then(
    (text) => text.trim(),
    () => undefined,
  )
