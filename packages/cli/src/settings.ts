import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'

import { CommandError } from './context.ts'
import type { RuntimeEnvironment } from './terminal.ts'

/** What every command that talks to a server takes. */
export interface ConnectionOptions {
  readonly url?: string
  readonly tokenFile?: string
  /** How often a failed attempt is repeated. */
  readonly retries: number
}

/** A setting, and where it comes from, so that a message can name the place to correct. */
export interface Setting {
  readonly value: string
  readonly from: string
}

export interface Connection {
  /** Without the slash or the `/v1` that people copy along. */
  readonly url: Setting
  readonly token: Setting
  /** The variable that names a proxy, where this Node will not use it. */
  readonly unusedProxy: string | null
}

interface Source {
  /** What it is called on the command line. */
  readonly flag: string
  readonly variable: string
  readonly purpose: string
}

const sources = {
  url: {
    flag: '--url <url>',
    variable: 'SERVICE_URL',
    purpose: 'the address of your Caseward server, such as https://caseward.example.com',
  },
  token: {
    flag: '--token-file <path>',
    variable: 'SERVICE_TOKEN',
    purpose: "a CI token with write access; a project admin makes one in the project's settings",
  },
} satisfies Record<string, Source>

/**
 * Which server, and as whom: from the command line or, where that is silent, from the environment.
 * @param also what else is wrong with the settings, to be told with the rest
 * @throws {CommandError} that names everything that is wrong at once, a sentence each
 */
export async function readConnection(
  options: Pick<ConnectionOptions, 'url' | 'tokenFile'>,
  { env, cwd }: RuntimeEnvironment,
  also: readonly string[] = [],
): Promise<Connection> {
  const url = choose('url', options.url, env)
  const token =
    options.tokenFile === undefined
      ? choose('token', undefined, env)
      : await readTokenFile(options.tokenFile, resolve(cwd(), options.tokenFile))
  const wrong = [...[url, token].filter((setting) => typeof setting === 'string'), ...also]
  if (typeof url === 'string' || typeof token === 'string' || wrong.length > 0) {
    throw new CommandError(wrong, { code: 'settings' })
  }
  const value = url.value.replace(/\/+$/, '').replace(/\/v1$/, '')
  return { url: { ...url, value }, token, unusedProxy: findUnusedProxy(env) }
}

/** The setting, or what is wrong with it. */
function choose(name: keyof typeof sources, given: string | undefined, env: NodeJS.ProcessEnv): Setting | string {
  const { flag, variable, purpose } = sources[name]
  if (given !== undefined && given.trim() !== '') return { value: given.trim(), from: flag.replace(/ .*/, '') }
  const value = env[variable]?.trim()
  if (value !== undefined && value !== '') return { value, from: variable }
  return `${variable} ${describeUnsetVariable(value)}. It is ${purpose}. Set it, or give ${flag}.`
}

/** In which way a variable is missing. */
export const describeUnsetVariable = (value: string | undefined) =>
  value === undefined
    ? 'is not set'
    : 'is set but empty (CI services leave secrets empty where they may not be read, such as in a fork)'

async function readTokenFile(given: string, path: string): Promise<Setting | string> {
  try {
    const value = (await readFile(path, 'utf8')).trim()
    return value === '' ? `The token file ${given} is empty.` : { value, from: given }
  } catch (error) {
    return `The token file ${given} cannot be read: ${error instanceof Error ? error.message : String(error)}`
  }
}

function findUnusedProxy(env: NodeJS.ProcessEnv): string | null {
  if (env['NODE_USE_ENV_PROXY'] === '1') return null
  return ['HTTPS_PROXY', 'https_proxy', 'HTTP_PROXY', 'http_proxy'].find((name) => env[name] !== undefined) ?? null
}
