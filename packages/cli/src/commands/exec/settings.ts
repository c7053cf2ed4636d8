import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'

import type { ConnectionOptions } from '../../settings.ts'
import type { RuntimeEnvironment } from '../../terminal.ts'

export interface ExecOptions extends ConnectionOptions {
  readonly run?: string
  readonly project?: string
  readonly runKey?: string
  readonly name?: string
  readonly variant?: string
}

/** Returns the environment of the command, in which the options are variables: its reporter reads them there. */
export async function toChildEnvironment(
  { url, tokenFile, run, project, runKey, name, variant }: ExecOptions,
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
  }
  const set = Object.entries(values).filter(([, value]) => value !== undefined)
  return { ...env, ...Object.fromEntries(set) }
}

const readToken = (path: string): Promise<string | undefined> =>
  readFile(path, 'utf8').then(
    (text) => text.trim(),
    () => undefined,
  )
