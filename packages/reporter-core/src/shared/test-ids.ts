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
  /** Returns the index of a new test. */
  count(file: string | undefined, titlePath: readonly string[]): number
  /** Returns the index of the latest test, to which another attempt belongs; 0 if there is none. */
  getLatest(file: string | undefined, titlePath: readonly string[]): number
}

export function createOccurrenceCounter(): OccurrenceCounter {
  const counts = new Map<string, number>()
  const toKey = (file: string | undefined, titlePath: readonly string[]) => JSON.stringify([file ?? '', ...titlePath])
  return {
    count(file, titlePath) {
      const key = toKey(file, titlePath)
      const occurrence = counts.get(key) ?? 0
      counts.set(key, occurrence + 1)
      return occurrence
    },
    getLatest: (file, titlePath) => Math.max((counts.get(toKey(file, titlePath)) ?? 0) - 1, 0),
  }
}
