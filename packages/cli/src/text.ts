import { RESULT_STATUSES, type StatusCounts } from '@caseward/client/endpoints'

/** Returns the text as one line without control characters, which a terminal would interpret as commands. */
export function toTerminalText(text: string): string {
  // oxlint-disable-next-line no-control-regex -- control characters are what must go
  return text.replace(/[\u0000-\u001f\u007f-\u009f\u2028\u2029]+/g, ' ').trim()
}

/** Returns `1 result`, `2 results`. */
export function pluralize(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`
}

/** Returns `a, b, and c`. */
export const joinNames = (names: readonly string[]): string => new Intl.ListFormat('en').format(names)

/** Returns `3 passed, 1 not tested`: every status that has results, in the order of the statuses. */
export function formatStatusCounts(stats: StatusCounts, statuses: readonly (keyof StatusCounts)[] = RESULT_STATUSES) {
  return statuses
    .filter((status) => stats[status] > 0)
    .map((status) => `${stats[status]} ${status.replace('_', ' ')}`)
    .join(', ')
}

/** Returns the message of whatever was thrown. */
export function getErrorMessage(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
