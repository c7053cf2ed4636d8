import type { LineError } from '@caseward/case-files/line-error'

import { CommandError } from '../../command-error.ts'
import { ERRORS_FILE_HINT } from '../../errors-file.ts'
import { toTerminalText } from '../../text.ts'

export const formatLineError = ({ line, message }: LineError): string => `line ${line}: ${toTerminalText(message)}`

/** Creates the error that lists what is invalid, sorted by line. */
export function invalidFileError(errors: readonly LineError[]): CommandError {
  const items = errors.toSorted((a, b) => a.line - b.line).map(formatLineError)
  return new CommandError(['Nothing was stored. The file contains errors:'], {
    code: 'invalid_file',
    items,
    itemsHint: ERRORS_FILE_HINT,
  })
}

/** @throws {CommandError} when there are errors */
export function throwIfInvalid(errors: readonly LineError[]): void {
  if (errors.length > 0) throw invalidFileError(errors)
}
