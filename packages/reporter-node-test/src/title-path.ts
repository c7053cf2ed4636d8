import { getTestFile, type TestLocation } from './to-attempt.ts'
import type { TestData } from './node-test-events.ts'

/** Where in the suite the tests are that Node tells of. */
export interface TitlePathTracker {
  /** Node begins to tell of a test or suite. */
  enter(data: TestData): void
  /** It has told all of it. */
  leave(data: TestData): { readonly titlePath: readonly string[]; readonly hasTests: boolean }
  /** Counts those of a file that have the same titles, as those of a loop may. */
  locate(data: TestData, titlePath: readonly string[]): TestLocation
}

/**
 * Gathers the titles around each test. Node tells what became of tests in the order of their definition, whatever order
 * they ran in, and of one file after the other; so the titles around a test are those begun last.
 */
export function createTitlePathTracker(cwd: string): TitlePathTracker {
  const titles: string[] = []
  /** How many were told of, at each depth, within the block that was begun last. */
  const told: number[] = []
  const rows = new Map<string, number>()
  return {
    enter({ name = '', nesting = 0 }) {
      titles.length = Math.min(titles.length, nesting)
      titles[nesting] = name
      told.length = Math.min(told.length, nesting + 1)
    },
    leave({ name = '', nesting = 0 }) {
      const hasTests = (told[nesting + 1] ?? 0) > 0
      told.length = Math.min(told.length, nesting + 1)
      told[nesting] = (told[nesting] ?? 0) + 1
      return { titlePath: [...titles.slice(0, nesting), name].map((title) => title ?? ''), hasTests }
    },
    locate(data, titlePath) {
      const key = JSON.stringify([getTestFile(data, cwd), ...titlePath])
      const row = rows.get(key) ?? 0
      rows.set(key, row + 1)
      return { titlePath, occurrence: row, cwd }
    },
  }
}
