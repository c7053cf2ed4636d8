import { createOccurrenceCounter } from '@caseward/reporter-core'

import { getTestFile, type TestLocation } from './to-attempt.ts'
import type { TestData } from './framework-types.ts'

/** Tracks the title paths of tests, which are not part of Node's events. */
export interface TitlePathTracker {
  /** A test or suite starts. */
  enter(data: TestData): void
  /** A test or suite ends. */
  leave(data: TestData): { readonly titlePath: readonly string[]; readonly hasTests: boolean }
  /** Returns the location of a test, and counts the tests of a file with the same titles. */
  locate(data: TestData, titlePath: readonly string[]): TestLocation
}

/**
 * Creates a tracker. Node reports the files one after the other, and their tests in the order of definition, so that
 * the blocks of a test are those that were entered last.
 */
export function createTitlePathTracker(cwd: string): TitlePathTracker {
  const titles: string[] = []
  /** Number of tests in the current block at each depth. */
  const testCounts: number[] = []
  const occurrences = createOccurrenceCounter()
  return {
    enter({ name = '', nesting = 0 }) {
      titles.length = Math.min(titles.length, nesting)
      titles[nesting] = name
      testCounts.length = Math.min(testCounts.length, nesting + 1)
    },
    leave({ name = '', nesting = 0 }) {
      const hasTests = (testCounts[nesting + 1] ?? 0) > 0
      testCounts.length = Math.min(testCounts.length, nesting + 1)
      testCounts[nesting] = (testCounts[nesting] ?? 0) + 1
      return { titlePath: [...titles.slice(0, nesting), name].map((title) => title ?? ''), hasTests }
    },
    locate: (data, titlePath) => ({
      titlePath,
      occurrence: occurrences.count(getTestFile(data, cwd), titlePath),
      cwd,
    }),
  }
}
