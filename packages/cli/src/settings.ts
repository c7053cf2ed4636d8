import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'

import { readText } from '@caseward/ci-run/environment'
import { normalizeServerUrl } from '@caseward/ci-run/settings'

import { CommandError } from './command-error.ts'
import type { RuntimeEnvironment } from './terminal.ts'
import { getErrorMessage } from './text.ts'

/** The options of every command that talks to a server. */
export interface ConnectionOptions {
  readonly url?: string
  readonly tokenFile?: string
  readonly retries: number
}

/** A setting, and the option, variable or file it comes from, so that a message can name what to correct. */
export interface Setting {
  readonly value: string
  readonly from: string
}

export interface ServerSettings {
  readonly url: Setting
  readonly token: Setting
}

interface SettingSource {
  readonly option: string
  readonly variable: string
  readonly description: string
}

/** The token that a command requires. */
type TokenKind = 'ci' | 'personal'

const sources = {
  url: {
    option: '--url <url>',
    variable: 'SERVICE_URL',
    description: 'the address of your Caseward server, such as https://caseward.example.com',
  },
  ci: {
    option: '--token-file <path>',
    variable: 'SERVICE_TOKEN',
    description: 'a CI token with write access, which a project admin can create in the project settings',
  },
  personal: {
    option: '--token-file <path>',
    variable: 'SERVICE_TOKEN',
    description: 'a personal token with write access, which you can create on the account page of the server',
  },
} satisfies Record<string, SettingSource>

/**
 * Reads the address of the server and the token from the command line, or else from the environment.
 * @param checks.otherErrors errors in the other settings of the command, to be reported together
 * @throws {CommandError} that lists every error, one per line
 */
export async function readServerSettings(
  options: Pick<ConnectionOptions, 'url' | 'tokenFile'>,
  { env, cwd }: RuntimeEnvironment,
  { otherErrors = [], tokenKind = 'ci' }: { otherErrors?: readonly string[]; tokenKind?: TokenKind } = {},
): Promise<ServerSettings> {
  const url = readSetting('url', options.url, env)
  const token =
    options.tokenFile === undefined
      ? readSetting(tokenKind, undefined, env)
      : await readTokenFile(options.tokenFile, resolve(cwd(), options.tokenFile))
  const errors = [...[url, token].filter((setting) => typeof setting === 'string'), ...otherErrors]
  if (typeof url === 'string' || typeof token === 'string' || errors.length > 0) {
    throw new CommandError(errors, { code: 'settings' })
  }
  return { url: { ...url, value: normalizeServerUrl(url.value) }, token }
}

/** Returns an optional setting of a command: the option, or else the variable; null when neither is set. */
export function findSetting(
  option: { readonly name: string; readonly value: string | undefined },
  variable: string,
  env: NodeJS.ProcessEnv,
): Setting | null {
  const value = readText(option.value ?? env[variable])
  return value === null ? null : { value, from: option.value === undefined ? variable : option.name }
}

/** @returns the setting, or a message that it is not set */
function readSetting(
  name: keyof typeof sources,
  argument: string | undefined,
  env: NodeJS.ProcessEnv,
): Setting | string {
  const { option, variable, description } = sources[name]
  const optionValue = readText(argument)
  if (optionValue !== null) return { value: optionValue, from: option.replace(/ .*/, '') }
  const value = readText(env[variable])
  if (value !== null) return { value, from: variable }
  return `${variable} ${describeUnsetVariable(env[variable])}. Set it to ${description}, or use ${option}.`
}

/** Describes why a variable has no value: it is unset, empty, or a reference that the CI system has not replaced. */
export function describeUnsetVariable(value: string | undefined): string {
  if (value === undefined) return 'is not set'
  const state = value.trim() === '' ? 'empty' : 'not replaced by the CI system'
  return `is set but ${state} (secrets are ${state} in CI builds that may not read them, such as of a fork)`
}

async function readTokenFile(name: string, path: string): Promise<Setting | string> {
  try {
    const value = (await readFile(path, 'utf8')).trim()
    return value === '' ? `The token file ${name} is empty.` : { value, from: name }
  } catch (error) {
    return `The token file ${name} cannot be read: ${getErrorMessage(error)}`
  }
}
