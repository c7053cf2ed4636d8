/** Splits what a user types into words that all must occur. */
export const toSearchWords = (query: string): readonly string[] =>
  fold(query)
    .split(/\s+/)
    .filter((word) => word !== '')

/** Lower case, and one form of characters that have several, such as é. */
export const fold = (text: string): string => {
  const lower = text.toLowerCase()
  // Most titles are ASCII, and `normalize` takes longer than the search.
  return /[^\x20-\x7e\n]/.test(lower) ? lower.normalize('NFC') : lower
}

/**
 * Creates a test for rows whose text contains all words. The folded text of each row is kept as long as the row, because
 * folding 10,000 titles for each key takes longer than searching them.
 */
export function createTextSearch<Row extends object>(
  getText: (row: Row) => string,
): (row: Row, words: readonly string[]) => boolean {
  const texts = new WeakMap<Row, string>()
  return (row, words) => {
    if (words.length === 0) return true
    let text = texts.get(row)
    if (text === undefined) {
      text = fold(getText(row))
      texts.set(row, text)
    }
    for (const word of words) if (!text.includes(word)) return false
    return true
  }
}
