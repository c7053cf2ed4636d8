import { fileOf, type Place } from './to-attempt.ts'
import type { TestData } from './node-test-events.ts'

/** Where in the suite the tests are that Node tells of. */
export interface Places {
  /** Node begins to tell of a test or suite. */
  begin(data: TestData): void
  /** It has told all of it. */
  end(data: TestData): { readonly titlePath: readonly string[]; readonly hasTests: boolean }
  /** Counts those of a file that have the same titles, as those of a loop may. */
  number(data: TestData, titlePath: readonly string[]): Place
}

/**
 * Gathers the titles around each test. Node tells what became of tests in the order of their definition, whatever order
 * they ran in, and of one file after the other; so the titles around a test are those begun last.
 */
export function createPlaces(cwd: string): Places {
  const titles: string[] = []
  /** How many were told of, at each depth, within the block that was begun last. */
  const told: number[] = []
  const rows = new Map<string, number>()
  return {
    begin({ name = '', nesting = 0 }) {
      titles.length = Math.min(titles.length, nesting)
      titles[nesting] = name
      told.length = Math.min(told.length, nesting + 1)
    },
    end({ name = '', nesting = 0 }) {
      const hasTests = (told[nesting + 1] ?? 0) > 0
      told.length = Math.min(told.length, nesting + 1)
      told[nesting] = (told[nesting] ?? 0) + 1
      return { titlePath: [...titles.slice(0, nesting), name].map((title) => title ?? ''), hasTests }
    },
    number(data, titlePath) {
      const key = JSON.stringify([fileOf(data, cwd), ...titlePath])
      const row = rows.get(key) ?? 0
      rows.set(key, row + 1)
      return { titlePath, row, cwd }
    },
  }
}
