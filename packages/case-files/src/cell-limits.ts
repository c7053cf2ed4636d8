import type { Step } from './cell-text.ts'

/*
 * Checks of cells. Each returns what is wrong, as sentences without capitals and periods.
 */

const MAX_STEPS = 500

/** Reads `End to end` as `end_to_end`. */
const normalizeWord = (text: string): string =>
  text
    .trim()
    .toLowerCase()
    .replaceAll(/[\s-]+/g, '_')

/** Reads one of some words; an empty cell is the default. */
export function readWord<Word extends string>(
  field: string,
  text: string,
  words: readonly Word[],
  ifEmpty: Word,
): { readonly value: Word } | { readonly errors: readonly string[] } {
  const word = normalizeWord(text)
  const value = word === '' ? ifEmpty : words.find((known) => known === word)
  if (value !== undefined) return { value }
  return { errors: [`unknown ${field} ${JSON.stringify(word)}; the values are ${words.join(', ')}`] }
}

/** Counts characters as the server does, not UTF-16 code units. */
export function checkLength(field: string, text: string, limit: number): string[] {
  if (text.length <= limit) return []
  const length = Array.from(text).length
  return length <= limit ? [] : [`${field} has ${length} characters; the maximum is ${limit}`]
}

export const checkCount = (items: string, list: readonly unknown[], limit: number): string[] =>
  list.length > limit ? [`the line has ${list.length} ${items}; the maximum is ${limit}`] : []

export const checkSteps = (steps: readonly Step[], maxTextLength: number): string[] => [
  ...checkCount('steps', steps, MAX_STEPS),
  ...steps.flatMap(({ action, expected }, index) => [
    ...checkLength(`the action of step ${index + 1}`, action, maxTextLength),
    ...checkLength(`the expected result of step ${index + 1}`, expected, maxTextLength),
  ]),
]
