import { type Command, InvalidArgumentError } from 'commander'

/** The options that every command has. */
export function addCommonOptions(command: Command): Command {
  return command.option('--json', 'print one JSON document, and nothing else, on standard output')
}

/** The options of a command that talks to a server. */
export function addConnectionOptions(command: Command): Command {
  return addCommonOptions(command)
    .option('--url <url>', 'address of the server (else SERVICE_URL)')
    .option(
      '--token-file <path>',
      'file that holds the token (else SERVICE_TOKEN); there is no --token, which every user of the machine could read',
    )
    .option('--retries <count>', 'how often to try again when the server is not reached or is busy', toCount, 4)
}

function toCount(text: string): number {
  if (!/^\d{1,2}$/.test(text)) throw new InvalidArgumentError('It is a number from 0 to 99.')
  return Number(text)
}

export function toShards(text: string): number {
  const number = Number(text)
  if (!/^\d{1,4}$/.test(text) || number < 1 || number > 1000) {
    throw new InvalidArgumentError('It is a number from 1 to 1000.')
  }
  return number
}

/** A time that the server takes: RFC 3339, or a date alone. */
export function toTime(text: string): string {
  const isTime = /^\d{4}-\d\d-\d\d(?:[Tt ]\d\d:\d\d:\d\d(?:\.\d+)?(?:[Zz]|[+-]\d\d:\d\d))?$/.test(text)
  if (!isTime || Number.isNaN(Date.parse(text))) {
    throw new InvalidArgumentError('It looks like 2026-11-21T09:30:00Z.')
  }
  return text
}

/** `a,b c` and repeated options, as one list. */
export function toList(text: string, earlier: readonly string[] = []): string[] {
  return [...earlier, ...text.split(/[\s,]+/).filter((part) => part !== '')]
}

export function collectValues(text: string, earlier: readonly string[] = []): string[] {
  return [...earlier, text]
}

/** `key=value`, several times. */
export function toMetadata(text: string, earlier: Readonly<Record<string, string>> = {}): Record<string, string> {
  const at = text.indexOf('=')
  if (at < 1) throw new InvalidArgumentError('It looks like branch=main.')
  return { ...earlier, [text.slice(0, at).trim()]: text.slice(at + 1).trim() }
}
