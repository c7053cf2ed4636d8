import { CommandError } from '../../context.ts'
import { toTerminalText } from '../../terminal.ts'

/** What is wrong with a line of the file. */
export interface LineError {
  readonly line: number
  readonly message: string
}

const SHOWN = 50

/** Says what is wrong, line by line; nothing was created. */
export function invalidFileError(wrong: readonly LineError[]): CommandError {
  const sorted = wrong.toSorted((one, other) => one.line - other.line)
  const rest = sorted.length > SHOWN ? [`and ${sorted.length - SHOWN} more.`] : []
  const lines = sorted.slice(0, SHOWN).map(({ line, message }) => `line ${line}: ${toTerminalText(message)}`)
  return new CommandError(['Nothing was created. What is wrong with the file:', ...lines, ...rest], {
    code: 'invalid_file',
  })
}

/** @throws {CommandError} when anything is wrong */
export function throwIfInvalid(wrong: readonly LineError[]): void {
  if (wrong.length > 0) throw invalidFileError(wrong)
}
