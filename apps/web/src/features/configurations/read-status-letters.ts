import { type Status, statuses } from '../../ui/status/statuses.ts'

/** The statuses of combinations, of which rows contain the first letter each. */
export const readStatusLetters = (letters: string): Status[] =>
  letters.split('').flatMap((letter) => statuses.find((status) => status.startsWith(letter)) ?? [])
