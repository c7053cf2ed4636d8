import { CommandError } from '../../command-error.ts'
import { toTerminalText } from '../../text.ts'

/** An error in a line of the file. */
export interface LineError {
  readonly line: number
  readonly message: string
}

const MAX_LISTED = 50

/** Creates the error that lists what is invalid, sorted by line. */
export function invalidFileError(errors: readonly LineError[]): CommandError {
  const sorted = errors.toSorted((a, b) => a.line - b.line)
  const rest = sorted.length > MAX_LISTED ? [`and ${sorted.length - MAX_LISTED} more errors.`] : []
  const lines = sorted.slice(0, MAX_LISTED).map(({ line, message }) => `line ${line}: ${toTerminalText(message)}`)
  return new CommandError(['No test cases were created. The file contains errors:', ...lines, ...rest], {
    code: 'invalid_file',
  })
}

/** @throws {CommandError} when there are errors */
export function throwIfInvalid(errors: readonly LineError[]): void {
  if (errors.length > 0) throw invalidFileError(errors)
}
