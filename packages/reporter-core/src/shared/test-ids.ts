/** What tells a test from the others of its suite, if the framework has no id for it. */
export interface TestPosition {
  readonly titlePath: readonly string[]
  readonly file?: string | undefined
  /** Index among the tests of the file with the same titles, such as the rows of a table. */
  readonly occurrence: number
}

/** Creates the id of a test, which is the same for all of its attempts, also in other processes. */
export const createTestId = ({ titlePath, file = '', occurrence }: TestPosition): string =>
  JSON.stringify([file, ...titlePath, occurrence])

/** Counts the tests with the same titles in the same file. */
export interface OccurrenceCounter {
  /** Returns the index of a test that starts, or of the test before it if this is another attempt at that one. */
  count(file: string | undefined, titlePath: readonly string[], options?: { readonly isRetry: boolean }): number
}

export function createOccurrenceCounter(): OccurrenceCounter {
  const latest = new Map<string, number>()
  return {
    count(file = '', titlePath, { isRetry } = { isRetry: false }) {
      const key = JSON.stringify([file, ...titlePath])
      const previous = latest.get(key) ?? -1
      const occurrence = isRetry ? Math.max(previous, 0) : previous + 1
      latest.set(key, occurrence)
      return occurrence
    },
  }
}
