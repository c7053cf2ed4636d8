const MAX_NUMBER = 2_147_483_647

/** Finds the test case ids of one project in text and in properties. */
export interface CaseIdFinder {
  /** The numbers of the ids in a text, each once, in their order. */
  findAll(text: string): number[]
  /** The number of a text that is an id and nothing else; null for anything else. */
  parse(text: string): number | null
}

/**
 * An id in text is the project's own prefix, written as it is or all lower, `-` or `_`, digits, with no letter or
 * digit on either side: `[WEB-12] logs in`, `test_web_12_logs_in`. A number that no case can have is no id.
 */
export function createCaseIdFinder(prefix: string): CaseIdFinder {
  const lower = prefix.toLowerCase()
  const either = `(?:${prefix}|${lower})`
  const anywhere = new RegExp(String.raw`${either}[-_](\d+)`, 'g')
  const whole = new RegExp(String.raw`^${either}[-_](\d+)$`)
  return {
    findAll(text) {
      // Asked twice for every test, and most texts hold no id: a plain search rules them out at once.
      if (!text.includes(prefix) && !text.includes(lower)) return []
      const numbers: number[] = []
      // `matchAll` would make a pattern of its own for each text.
      anywhere.lastIndex = 0
      for (let match = anywhere.exec(text); match !== null; match = anywhere.exec(text)) {
        const number = validNumber(match[1])
        const standsAlone = !isWordBefore(text, match.index) && !isWordAt(text, match.index + match[0].length)
        if (number !== null && standsAlone && !numbers.includes(number)) numbers.push(number)
      }
      return numbers
    },
    parse: (text) => validNumber(whole.exec(text)?.[1]),
  }
}

function validNumber(digits: string | undefined): number | null {
  const number = Number(digits ?? 0)
  return number > 0 && number <= MAX_NUMBER ? number : null
}

const letterOrDigit = /^[\p{L}\p{N}]/u

/** Whether a letter or digit, of whatever script, begins at an index. Look-arounds in the pattern would cost five times as much. */
const isWordAt = (text: string, index: number): boolean =>
  index < text.length && letterOrDigit.test(String.fromCodePoint(text.codePointAt(index) ?? 0))

function isWordBefore(text: string, index: number): boolean {
  if (index === 0) return false
  const isLowSurrogate = (text.charCodeAt(index - 1) & 0xfc00) === 0xdc00
  return isWordAt(text, isLowSurrogate && index > 1 ? index - 2 : index - 1)
}
