const SEPARATORS = /[\s.>›»:/\\]+/g
/** Most keys need nothing but their separators replaced. */
const ASCII = /^[ -~]*$/

/**
 * Normalizes an automation key, or the titles of a test: two keys are the same when they differ only in separators. Unicode
 * NFC; each run of white space and of the characters `. > › » : / \` becomes one space; trimmed.
 */
export function normalizeKey(text: string): string {
  const composed = ASCII.test(text) ? text : text.normalize('NFC')
  return composed.replace(SEPARATORS, ' ').trim()
}
