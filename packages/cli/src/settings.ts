import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'

import type { Surroundings } from './terminal.ts'

export interface UploadOptions {
  readonly run?: string
  readonly url?: string
  readonly tokenFile?: string
  readonly dryRun?: boolean
  /** How often a failed attempt is repeated. */
  readonly retries: number
  /** How the command names itself to the server. */
  readonly userAgent: string
}

/** A setting, and where it comes from, so that a message can name the place to correct. */
export interface Setting {
  readonly value: string
  readonly from: string
}

export interface Settings {
  readonly url: Setting
  readonly token: Setting
  readonly run: Setting
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
    purpose: 'the address of your Casebook server, such as https://casebook.example.com',
  },
  token: {
    flag: '--token-file <path>',
    variable: 'SERVICE_TOKEN',
    purpose: "a CI token with write access; a project admin makes one in the project's settings",
  },
  run: {
    flag: '--run <id>',
    variable: 'SERVICE_RUN_ID',
    purpose: 'the id of the test run to upload into',
  },
} satisfies Record<string, Source>

/**
 * The settings from the command line or, where that is silent, from the environment.
 * @returns the settings, or everything that is wrong with them at once, a sentence each
 */
export async function readSettings(
  options: UploadOptions,
  { env, cwd }: Surroundings,
): Promise<{ settings: Settings } | { wrong: string[] }> {
  const url = choose('url', options.url, env)
  const run = choose('run', options.run, env)
  const token =
    options.tokenFile === undefined
      ? choose('token', undefined, env)
      : await readTokenFile(options.tokenFile, resolve(cwd(), options.tokenFile))
  const wrong = [url, token, run].filter((setting) => typeof setting === 'string')
  if (typeof url === 'string' || typeof token === 'string' || typeof run === 'string') return { wrong }
  return { settings: { url, token, run, unusedProxy: findUnusedProxy(env) } }
}

/** The setting, or what is wrong with it. */
function choose(name: keyof typeof sources, given: string | undefined, env: NodeJS.ProcessEnv): Setting | string {
  const { flag, variable, purpose } = sources[name]
  if (given !== undefined && given.trim() !== '') return { value: given.trim(), from: flag.replace(/ .*/, '') }
  const value = env[variable]?.trim()
  if (value !== undefined && value !== '') return { value, from: variable }
  const state =
    value === undefined
      ? 'is not set'
      : 'is set but empty (CI services leave secrets empty where they may not be read, such as in a fork)'
  return `${variable} ${state}. It is ${purpose}. Set it, or give ${flag}.`
}

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
