import { createSuiteCounts, type SuiteCounts } from './declared-counts.ts'
import { detectDialect, hasGotestsumAttributes, hasGradleAttributes } from './dialect.ts'
import { type Mutable, NO_CONTEXT } from './open-testcase.ts'
import type { SuiteContext } from './test-attempt.ts'
import type { Attributes } from './xml-parser.ts'

/** How many names of nested suites are kept. */
const MAX_NAMES = 20

/** A `<testsuite>` or `<testsuites>` element that is being read. */
export interface OpenSuite {
  /** Its own, or that of the suite around it. */
  readonly name: string
  readonly number: number
  readonly depth: number
  readonly line: number
  readonly context: Mutable<SuiteContext>
  readonly counts: SuiteCounts
  /** Whether it is a suite of Gradle if its first element is an empty `<properties/>`. */
  readonly mayBeGradle: boolean
  /** Whether it is the root of a report of gotestsum if one of its suites names the version of Go. */
  readonly mayBeGotestsum: boolean
}

interface SuitePosition {
  isSuite: boolean
  number: number
  depth: number
  line: number
  cleanName(value: string | undefined): string
}

export function createSuite(
  parent: OpenSuite | undefined,
  attributes: Attributes,
  { isSuite, number, depth, line, cleanName }: SuitePosition,
): OpenSuite {
  const name = cleanName(attributes['name'] ?? attributes['file'])
  const outer = parent?.context ?? NO_CONTEXT
  const context = {
    names: isSuite && name !== '' && outer.names.length < MAX_NAMES ? [...outer.names, name] : [...outer.names],
    file: cleanName(attributes['file'] ?? attributes['filepath']) || outer.file,
    hostname: cleanName(attributes['hostname']) || outer.hostname,
    variant: outer.variant,
    files: outer.files,
    dialect: detectDialect(outer.dialect, attributes, { isSuite, isRoot: parent === undefined }),
  }
  return {
    name: name === '' ? (parent?.name ?? '') : name,
    number,
    depth,
    line,
    context,
    counts: createSuiteCounts(attributes),
    mayBeGradle: isSuite && hasGradleAttributes(attributes),
    mayBeGotestsum: parent === undefined && !isSuite && hasGotestsumAttributes(attributes),
  }
}
