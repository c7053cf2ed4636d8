const MAX_NUMBER = 2_147_483_647

/**
 * A test has at most this many test cases. Its result goes to each of them, so that a name full of ids would multiply
 * it.
 */
export const MAX_CASE_IDS = 200

/** Finds the test case ids of one project. */
export interface CaseIdFinder {
  /**
   * Returns the numbers of the ids in a text, in order, without duplicates. Stops at one more than {@link MAX_CASE_IDS},
   * so that the caller can report that there are too many.
   */
  findAll(text: string): number[]
  /** Returns the number of a text that consists of one id, otherwise null. */
  parse(text: string): number | null
}

/**
 * Creates a finder for a project's prefix. An id is the prefix, as it is or in lower case, followed by `-` or `_` and
 * digits, without a letter or digit on either side: `[WEB-12] logs in`, `test_web_12_logs_in`. A number outside of the
 * range of test case numbers is not an id.
 */
export function createCaseIdFinder(prefix: string): CaseIdFinder {
  const lowerPrefix = prefix.toLowerCase()
  const anyPrefix = `(?:${prefix}|${lowerPrefix})`
  const idInText = new RegExp(String.raw`${anyPrefix}[-_](\d+)`, 'g')
  const wholeId = new RegExp(String.raw`^${anyPrefix}[-_](\d+)$`)
  return {
    findAll(text) {
      // Most texts contain no id, and a plain search is faster than a pattern.
      if (!text.includes(prefix) && !text.includes(lowerPrefix)) return []
      const numbers = new Set<number>()
      // `matchAll` would copy the pattern for each text.
      idInText.lastIndex = 0
      for (let match = idInText.exec(text); match !== null; match = idInText.exec(text)) {
        const number = parseCaseNumber(match[1])
        const isWholeWord = !isWordBefore(text, match.index) && !isWordAt(text, match.index + match[0].length)
        if (number !== null && isWholeWord) numbers.add(number)
        if (numbers.size > MAX_CASE_IDS) break
      }
      return [...numbers]
    },
    parse: (text) => parseCaseNumber(wholeId.exec(text)?.[1]),
  }
}

function parseCaseNumber(digits: string | undefined): number | null {
  const number = Number(digits ?? 0)
  return number > 0 && number <= MAX_NUMBER ? number : null
}

const letterOrDigit = /^[\p{L}\p{N}]/u

/**
 * Returns whether a letter or digit of any script starts at an index. Lookarounds in the pattern are five times slower.
 */
const isWordAt = (text: string, index: number): boolean =>
  index < text.length && letterOrDigit.test(String.fromCodePoint(text.codePointAt(index) ?? 0))

function isWordBefore(text: string, index: number): boolean {
  if (index === 0) return false
  const isLowSurrogate = (text.charCodeAt(index - 1) & 0xfc00) === 0xdc00
  return isWordAt(text, isLowSurrogate && index > 1 ? index - 2 : index - 1)
}
