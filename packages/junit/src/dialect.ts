import type { Dialect } from './test-attempt.ts'

type Attributes = Readonly<Record<string, string>>

/** Attributes of every suite that Node's own reporter writes; few other tools count disabled tests. */
const NODE_TEST_ATTRIBUTES = ['name', 'time', 'disabled', 'errors', 'tests', 'failures', 'skipped', 'hostname']

/** All attributes of a suite of jest-junit, in their order. */
const JEST_JUNIT_ATTRIBUTES = 'name,errors,failures,skipped,timestamp,time,tests'

/** All attributes of a suite of Gradle, in their order. */
const GRADLE_ATTRIBUTES = 'name,tests,skipped,failures,errors,timestamp,hostname,time'

/** Detects the tool from the attributes of a `<testsuite>` or, with `isRoot`, of the outermost `<testsuites>`. */
export function detectDialect(
  outer: Dialect | null,
  attributes: Attributes,
  { isSuite, isRoot }: { isSuite: boolean; isRoot: boolean },
): Dialect | null {
  const names = Object.keys(attributes)
  // Node's root has no attributes, and contains the tests outside of blocks.
  if (!isSuite) return isRoot && names.length === 0 ? 'node-test' : outer
  if (names.join(',') === JEST_JUNIT_ATTRIBUTES) return 'jest-junit'
  if (outer === 'node-test') return NODE_TEST_ATTRIBUTES.every((name) => name in attributes) ? outer : null
  return outer === 'gradle' ? null : outer
}

/** Whether a suite that begins with an empty `<properties/>` is one of Gradle, which writes this into every report. */
export const hasGradleAttributes = (attributes: Attributes): boolean =>
  Object.keys(attributes).join(',') === GRADLE_ATTRIBUTES

/** Whether the outermost element has the attributes that gotestsum writes, in their order. Vitest writes the same. */
export const hasGotestsumAttributes = (attributes: Attributes): boolean =>
  /^(?:name,)?tests,failures,errors,time$/.test(Object.keys(attributes).join(','))

/** Node's own reporter escapes quotes in attributes twice. */
export const unescapeNodeText = (text: string): string => (text.includes('&') ? text.replaceAll('&quot;', '"') : text)
