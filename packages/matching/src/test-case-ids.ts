import type { ReportedTest } from './attempt.ts'
import { type CaseIdFinder, MAX_CASE_IDS } from './case-ids.ts'

/** Where a test can name ids, in the order of their weight. */
export const ID_PLACES = ['property', 'tags', 'name', 'suite'] as const
export type IdPlace = (typeof ID_PLACES)[number]

export interface FoundCaseIds {
  readonly numbers: readonly number[]
  /** Where they are; null for none. */
  readonly place: IdPlace | null
  /** Explicit ids that cannot belong to the project, such as those of another tool. They do not decide. */
  readonly foreignIds: readonly string[]
  /** Whether there are more than {@link MAX_CASE_IDS}, of which only the first are returned. */
  readonly hasTooMany: boolean
}

const NO_IDS: readonly string[] = []
const NONE: FoundCaseIds = { numbers: [], place: null, foreignIds: NO_IDS, hasTooMany: false }

/**
 * Finds the test case ids of a test in the first place that has any: explicit ids, tags, the name, the suite. Explicit ids of
 * another tool are kept, and the test is read as if they were not there.
 */
export function findTestCaseNumbers(
  { testCaseIds, tags, name, suite }: Pick<ReportedTest, 'testCaseIds' | 'tags' | 'name' | 'suite'>,
  finder: CaseIdFinder,
): FoundCaseIds {
  const explicit = testCaseIds.length > 0 ? findExplicit(testCaseIds, finder) : NONE
  if (explicit.numbers.length > 0) return explicit
  const found =
    (tags.length > 0 ? findInText(tags.join(' '), 'tags', finder) : null) ??
    findInText(name, 'name', finder) ??
    findInText(suite, 'suite', finder) ??
    NONE
  return explicit.foreignIds.length === 0 ? found : { ...found, foreignIds: explicit.foreignIds }
}

function findExplicit(testCaseIds: readonly string[], finder: CaseIdFinder): FoundCaseIds {
  const ids = new Set(testCaseIds.flatMap((text) => text.split(/[\s,]+/)).filter((id) => id !== ''))
  const numbers = new Set<number>()
  const foreignIds: string[] = []
  for (const id of [...ids].slice(0, MAX_CASE_IDS)) {
    const number = finder.parse(id)
    if (number === null) foreignIds.push(id)
    else numbers.add(number)
  }
  return { numbers: [...numbers], place: 'property', foreignIds, hasTooMany: ids.size > MAX_CASE_IDS }
}

function findInText(text: string, place: IdPlace, finder: CaseIdFinder): FoundCaseIds | null {
  const numbers = finder.findAll(text)
  if (numbers.length === 0) return null
  const hasTooMany = numbers.length > MAX_CASE_IDS
  return { numbers: numbers.slice(0, MAX_CASE_IDS), place, foreignIds: NO_IDS, hasTooMany }
}
