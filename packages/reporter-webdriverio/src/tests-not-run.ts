import { createOccurrenceCounter } from '@caseward/reporter-core'

import type { MochaHook, MochaOptions, MochaSuite, MochaTest } from './framework-types.ts'

export interface TestNotRun {
  readonly test: MochaTest
  /** Index among the tests with the same title path. */
  readonly occurrence: number
  /** The suite whose hook failed. */
  readonly blockedBy: MochaSuite
}

/**
 * Finds the tests that did not run because a hook failed. Mocha reports no events for them.
 * @param hasEnded whether an attempt at a test has ended
 */
export function findTestsNotRun(
  root: MochaSuite,
  { grep, invert = false }: MochaOptions,
  hasEnded: (test: MochaTest, occurrence: number) => boolean,
): TestNotRun[] {
  const occurrences = createOccurrenceCounter()
  const testsNotRun: TestNotRun[] = []
  const pattern = parsePattern(grep)
  const visit = (suite: MochaSuite, parentBlockedBy: MochaSuite | null) => {
    const blockedBy = parentBlockedBy ?? (getHooks(suite).some(({ state }) => state === 'failed') ? suite : null)
    for (const test of suite.tests) {
      const titlePath = test.titlePath()
      if (pattern !== null && pattern.test(titlePath.join(' ')) === invert) continue
      const occurrence = occurrences.count(undefined, titlePath)
      if (blockedBy !== null && !test.isPending() && !hasEnded(test, occurrence))
        testsNotRun.push({ test, occurrence, blockedBy })
    }
    for (const child of suite.suites) visit(child, blockedBy)
  }
  visit(root, null)
  return testsNotRun
}

const getHooks = ({ _beforeAll = [], _beforeEach = [], _afterEach = [] }: MochaSuite): MochaHook[] => [
  ..._beforeAll,
  ..._beforeEach,
  ..._afterEach,
]

/** Parses `grep` as Mocha does. */
function parsePattern(grep: string | RegExp | undefined): RegExp | null {
  if (grep === undefined || grep === '') return null
  if (grep instanceof RegExp) return new RegExp(grep.source, grep.flags.replace(/[gy]/g, ''))
  const [, source, flags = ''] = /^\/(.*)\/([gimy]{0,4})$/s.exec(grep) ?? []
  return new RegExp(source ?? grep, flags.replace(/[gy]/g, ''))
}

/** Finds the root suite from the `this` of a hook or test; null if the framework is not Mocha. */
export function findRootSuite(context: unknown): MochaSuite | null {
  if (typeof context !== 'object' || context === null || !('test' in context)) return null
  let suite = (context as { test?: { parent?: MochaSuite } | null }).test?.parent
  while (suite?.parent !== undefined) suite = suite.parent
  return suite !== undefined && Array.isArray(suite.suites) && Array.isArray(suite.tests) ? suite : null
}
