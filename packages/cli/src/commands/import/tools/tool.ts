import type { Command } from 'commander'

import type { FetchSession, ToolFile } from './fetch-session.ts'

/** Names of projects, with blanks. */
export const NAME_FORM = /^[^/\\\p{C}]+$/u

/** What users choose. Which of them a tool has, it says itself. */
export interface ToolOptions {
  readonly url: string
  readonly project: string
  readonly user?: string
  readonly suite?: string
  /** Runs before this day are left out. */
  readonly since?: Date
  readonly attachments: 'all' | 'cases' | 'none'
  /** Names of custom fields, for a tool whose API lists none. */
  readonly customFields?: string
  /** Address of an API beside that of the tool. */
  readonly apiUrl?: string
  /** Time zone of a tool whose times do not tell theirs. */
  readonly timeZone?: string
}

/** A secret by its variable in the environment. */
export interface Secret {
  readonly variable: string
  readonly question: string
}

export type Secrets = Readonly<Record<string, string>>

export type ToolHeaders = Readonly<Record<string, string>>

/** Sends a request without the headers of a tool, to get them. */
export type SendLogin = (path: string, body: string) => Promise<unknown>

/** A tool that has an API. */
export interface Tool {
  /** As in bundles and in the command. */
  readonly system: string
  readonly title: string
  /** Where everyone has it; null for a tool that everyone has at another address. */
  readonly defaultUrl: string | null
  readonly urlExample: string
  readonly projectExample: string
  /** What a project can be called; letters, digits and `_.-` without it. */
  readonly projectForm?: RegExp
  readonly secrets: readonly Secret[]
  /** What the owner of the secret must be allowed to, as a sentence. */
  readonly rights: string
  /** Of the option for the user, if it has one beside the secret. */
  readonly userHelp?: string
  readonly hasSuites?: boolean
  /** Whether files come with its API. */
  readonly hasFiles: boolean
  defineOptions?(command: Command): void
  /** The address of the API. */
  getBaseUrl(url: string): string
  getHeaders(options: ToolOptions, secrets: Secrets, login: SendLogin): ToolHeaders | Promise<ToolHeaders>
  /** Texts that contain a secret in another form. */
  listHidden?(options: ToolOptions, secrets: Secrets): readonly string[]
  fetch(session: FetchSession, options: ToolOptions, secrets: Secrets): Promise<void>
}

/** Finds files that texts of a test case show by their address, beside those that the tool lists. */
export function* listShown(
  testCase: unknown,
  key: string,
  address: RegExp,
  toUrl: (id: string, address: string) => string,
): Generator<ToolFile> {
  const ids = new Set<string>()
  for (const [found, id = ''] of JSON.stringify(testCase).matchAll(address)) {
    if (ids.has(id)) continue
    ids.add(id)
    yield { kind: 'case', key, id, name: `picture-${id}`, url: toUrl(id, found), is_picture: true }
  }
}

/** Adds the zone of a server whose times do not tell theirs. */
export function defineTimeZone(command: Command, title: string): void {
  command.option('--time-zone <name>', `time zone of the server of ${title}, such as Europe/Berlin (default: UTC)`)
}

/** Whether a time of the tool is in the time that was asked for. One that cannot be read is. */
export function isSince(time: string, { since }: Pick<ToolOptions, 'since'>): boolean {
  if (since === undefined) return true
  const milliseconds = /^\d{9,11}$/.test(time) ? Number(time) * 1000 : Date.parse(time)
  return Number.isNaN(milliseconds) || milliseconds >= since.getTime()
}
