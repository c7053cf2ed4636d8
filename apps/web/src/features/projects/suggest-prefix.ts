const MAX_LENGTH = 5

/**
 * Suggests a prefix for the name of a project: the first letters of its words, or the first three letters of its only word.
 * @returns up to 5 uppercase letters; empty if the name has fewer than two letters from A to Z
 */
export function suggestPrefix(name: string): string {
  const words = toLetters(name)
    .split(' ')
    .filter((word) => word !== '')
  const prefix = words.length > 1 ? words.map((word) => word[0]).join('') : (words[0] ?? '').slice(0, 3)
  return prefix.length < 2 ? '' : prefix.slice(0, MAX_LENGTH)
}

/** Keeps what a prefix may contain: letters from A to Z, in upper case. */
export const cleanPrefix = (typed: string): string => toLetters(typed).replaceAll(' ', '').slice(0, MAX_LENGTH)

/** Removes accents, and everything that is no letter between words. */
const toLetters = (text: string) =>
  text
    .normalize('NFD')
    .replaceAll(/\p{M}/gu, '')
    .toUpperCase()
    .replaceAll(/[^A-Z]+/g, ' ')
    .trim()
