/** The most lines of one kind that a command prints. */
export const MAX_LINES = 20

/**
 * Returns the first lines, and one with the number of the others.
 * @param hint how to get the others, in parentheses after the number
 */
export function limitLines(lines: readonly string[], hint?: string): string[] {
  if (lines.length <= MAX_LINES) return [...lines]
  return [...lines.slice(0, MAX_LINES), formatRest(lines.length - MAX_LINES, hint)]
}

/** Returns `and 30 more (use …)`. */
export const formatRest = (count: number, hint?: string): string =>
  `and ${count} more${hint === undefined ? '' : ` (${hint})`}`

/** Counts the lines of one kind that are printed one after another, and those that are left out. */
export interface LineBudget {
  /** Returns those lines that may still be printed. */
  take(lines: readonly string[]): readonly string[]
  /** The number of lines that were left out. */
  getRest(): number
}

export function createLineBudget(): LineBudget {
  let [printed, rest] = [0, 0]
  return {
    take(lines) {
      const taken = lines.slice(0, MAX_LINES - printed)
      printed += taken.length
      rest += lines.length - taken.length
      return taken
    },
    getRest: () => rest,
  }
}
