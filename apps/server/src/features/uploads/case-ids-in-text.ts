const MAX_NUMBER = 2_147_483_647

/** Finds the test case ids of one project in text and in properties. */
export interface CaseIdFinder {
  /** The numbers of the ids in a text, each once. */
  inText(text: string): number[]
  /** The number of a text that is an id and nothing else; null for anything else. */
  exactly(text: string): number | null
}

/**
 * An id in text is the project's own prefix, written as it is or all lower, `-` or `_`, digits, with no letter or
 * digit on either side: `[WEB-12] logs in`, `test_web_12_logs_in`. A number that no case can have is no id.
 */
export function createCaseIdFinder(prefix: string): CaseIdFinder {
  const either = `(?:${prefix}|${prefix.toLowerCase()})`
  const anywhere = new RegExp(String.raw`(?<![\p{L}\p{N}])${either}[-_](\d+)(?![\p{L}\p{N}])`, 'gu')
  const whole = new RegExp(String.raw`^${either}[-_](\d+)$`)
  // Most names hold no id, and this is asked twice for every test: a plain search rules them out at once.
  const lower = prefix.toLowerCase()
  const mayHold = (text: string) => text.includes(prefix) || text.includes(lower)
  return {
    inText(text) {
      if (!mayHold(text)) return []
      const numbers = new Set<number>()
      for (const [, digits = ''] of text.matchAll(anywhere)) {
        const number = Number(digits)
        if (number > 0 && number <= MAX_NUMBER) numbers.add(number)
      }
      return [...numbers]
    },
    exactly(text) {
      const number = Number(whole.exec(text)?.[1] ?? 0)
      return number > 0 && number <= MAX_NUMBER ? number : null
    },
  }
}
