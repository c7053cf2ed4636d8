import { toSingleLine } from '@caseward/ci-run/plain-text'

/** Returns the text as one line without control characters, which a terminal would interpret as commands. */
export const toTerminalText = (text: string): string => toSingleLine(text, Infinity)

/** Returns `a, b, and c`. */
export const joinNames = (names: readonly string[]): string => new Intl.ListFormat('en').format(names)

/** Returns the message of whatever was thrown. */
export function getErrorMessage(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
