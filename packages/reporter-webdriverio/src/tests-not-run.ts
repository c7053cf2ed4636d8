import type { MochaHook, MochaOptions, MochaSuite, MochaTest } from './webdriverio-types.ts'

/** A test that did not run, with the suite whose hook is to blame. */
export interface TestNotRun {
  readonly test: MochaTest
  /** Which of the tests of this title path it is. */
  readonly row: number
  readonly blockedBy: MochaSuite
}

/**
 * The tests that did not run because a hook failed, of which Mocha itself says nothing.
 * @param hasEnded whether an attempt at a test has come to its end
 */
export function testsNotRun(
  root: MochaSuite,
  { grep, invert = false }: MochaOptions,
  hasEnded: (test: MochaTest, row: number) => boolean,
): TestNotRun[] {
  const rows = new Map<string, number>()
  const found: TestNotRun[] = []
  const pattern = parsePattern(grep)
  const visit = (suite: MochaSuite, outer: MochaSuite | null) => {
    const blockedBy = outer ?? (getHooks(suite).some(({ state }) => state === 'failed') ? suite : null)
    for (const test of suite.tests) {
      const titlePath = test.titlePath()
      const key = JSON.stringify(titlePath)
      const row = rows.get(key) ?? 0
      if (pattern !== null && pattern.test(titlePath.join(' ')) === invert) continue
      rows.set(key, row + 1)
      if (blockedBy !== null && !test.isPending() && !hasEnded(test, row)) found.push({ test, row, blockedBy })
    }
    for (const inner of suite.suites) visit(inner, blockedBy)
  }
  visit(root, null)
  return found
}

const getHooks = ({ _beforeAll = [], _beforeEach = [], _afterEach = [] }: MochaSuite): MochaHook[] => [
  ..._beforeAll,
  ..._beforeEach,
  ..._afterEach,
]

/** As Mocha reads it. */
function parsePattern(grep: string | RegExp | undefined): RegExp | null {
  if (grep === undefined || grep === '') return null
  if (grep instanceof RegExp) return new RegExp(grep.source, grep.flags.replace(/[gy]/g, ''))
  const [, source, flags = ''] = /^\/(.*)\/([gimy]{0,4})$/s.exec(grep) ?? []
  return new RegExp(source ?? grep, flags.replace(/[gy]/g, ''))
}

/** The root of the tree that something of Mocha's is in; null when it is nothing of Mocha's. */
export function findRootSuite(context: unknown): MochaSuite | null {
  if (typeof context !== 'object' || context === null || !('test' in context)) return null
  let suite = (context as { test?: { parent?: MochaSuite } | null }).test?.parent
  while (suite?.parent !== undefined) suite = suite.parent
  return suite !== undefined && Array.isArray(suite.suites) && Array.isArray(suite.tests) ? suite : null
}
