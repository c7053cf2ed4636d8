import { MAX_SUITE_LENGTH } from '@caseward/ci-run/build-data'
import { MAX_SHARDS, parseShardCount as parseCount } from '@caseward/ci-run/settings'
import { type Command, InvalidArgumentError } from 'commander'

/** Adds the options that every command has. */
export function addCommonOptions(command: Command): Command {
  return command.option('--json', 'print one JSON document, and nothing else, to standard output')
}

/** Adds the options of a command that talks to a server. */
export function addConnectionOptions(command: Command): Command {
  return addCommonOptions(command)
    .option('--url <url>', 'address of the server (default: SERVICE_URL)')
    .option(
      '--token-file <path>',
      'file that contains the token (default: SERVICE_TOKEN); there is no --token, which other users of the machine could read',
    )
    .option('--retries <count>', 'number of retries when the server is unreachable or busy', parseRetryCount, 4)
}

/** What users say about the build of a run. */
export interface BuildOptions {
  readonly target?: string
  readonly suite?: string
}

/** Adds the options of a command that may create the run of a build. */
export function addBuildOptions(command: Command): Command {
  return command
    .option(
      '--target <version>',
      'version of what is tested, where the tests have a repository of their own (default: SERVICE_TARGET)',
    )
    .option(
      '--suite <name>',
      'pipeline that the run belongs to, such as nightly: runs are compared within it (default: SERVICE_SUITE, or its name in CI)',
      parseSuite,
    )
}

function parseSuite(text: string): string {
  if (Array.from(text.trim()).length > MAX_SUITE_LENGTH) {
    throw new InvalidArgumentError(`It must have at most ${MAX_SUITE_LENGTH} characters.`)
  }
  return text
}

function parseRetryCount(text: string): number {
  if (!/^\d{1,2}$/.test(text)) throw new InvalidArgumentError('It must be a number from 0 to 99.')
  return Number(text)
}

export function parseShardCount(text: string): number {
  const count = parseCount(text)
  if (count === null) throw new InvalidArgumentError(`It must be a number from 1 to ${MAX_SHARDS}.`)
  return count
}

export function parseMilliseconds(text: string): number {
  if (!/^\d{1,9}$/.test(text)) throw new InvalidArgumentError('It must be a number of milliseconds.')
  return Number(text)
}

/** Accepts the times that the server accepts: RFC 3339, or a date alone. */
export function parseTime(text: string): string {
  const isTime = /^\d{4}-\d\d-\d\d(?:[Tt ]\d\d:\d\d:\d\d(?:\.\d+)?(?:[Zz]|[+-]\d\d:\d\d))?$/.test(text)
  if (!isTime || Number.isNaN(Date.parse(text))) {
    throw new InvalidArgumentError('It must be a time such as 2026-11-21T09:30:00Z.')
  }
  return text
}

/** Reads `a,b c` and repeated options as one list. */
export function parseList(text: string, earlier: readonly string[] = []): string[] {
  return [...earlier, ...text.split(/[\s,]+/).filter((part) => part !== '')]
}

export function collectValues(text: string, earlier: readonly string[] = []): string[] {
  return [...earlier, text]
}

/** Reads repeated `key=value` options. */
export const parseMetadata = (text: string, earlier: Readonly<Record<string, string>> = {}): Record<string, string> =>
  parsePair(text, earlier, 'branch=main')

/** Reads repeated `key=value` options of custom fields of a run. */
export const parseRunField = (text: string, earlier: Readonly<Record<string, string>> = {}): Record<string, string> =>
  parsePair(text, earlier, 'build=2.4.0')

function parsePair(text: string, earlier: Readonly<Record<string, string>>, example: string): Record<string, string> {
  const separator = text.indexOf('=')
  if (separator < 1) throw new InvalidArgumentError(`It must look like ${example}.`)
  return { ...earlier, [text.slice(0, separator).trim()]: text.slice(separator + 1).trim() }
}
