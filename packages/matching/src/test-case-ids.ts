import type { ReportedTest } from './attempt.ts'
import { type CaseIdFinder, MAX_CASE_IDS } from './case-ids.ts'

export interface FoundCaseIds {
  readonly numbers: readonly number[]
  /** Explicit ids that cannot belong to the project. */
  readonly unknownIds: readonly string[]
  /** Whether there are more than {@link MAX_CASE_IDS}, of which only the first are returned. */
  readonly hasTooMany: boolean
}

const NONE: FoundCaseIds = { numbers: [], unknownIds: [], hasTooMany: false }

/** Finds the test case ids of a test in the first place that has any: explicit ids, tags, the name, the suite. */
export function findTestCaseNumbers(
  { testCaseIds, tags, name, suite }: Pick<ReportedTest, 'testCaseIds' | 'tags' | 'name' | 'suite'>,
  finder: CaseIdFinder,
): FoundCaseIds {
  if (testCaseIds.length > 0) {
    const explicit = findExplicit(testCaseIds, finder)
    if (explicit !== null) return explicit
  }
  if (tags.length > 0) {
    const found = findInText(tags.join(' '), finder)
    if (found !== null) return found
  }
  return findInText(name, finder) ?? findInText(suite, finder) ?? NONE
}

function findExplicit(testCaseIds: readonly string[], finder: CaseIdFinder): FoundCaseIds | null {
  const ids = new Set(testCaseIds.flatMap((text) => text.split(/[\s,]+/)).filter((id) => id !== ''))
  if (ids.size === 0) return null
  const numbers = new Set<number>()
  const unknownIds: string[] = []
  for (const id of [...ids].slice(0, MAX_CASE_IDS)) {
    const number = finder.parse(id)
    if (number === null) unknownIds.push(id)
    else numbers.add(number)
  }
  return { numbers: [...numbers], unknownIds, hasTooMany: ids.size > MAX_CASE_IDS }
}

function findInText(text: string, finder: CaseIdFinder): FoundCaseIds | null {
  const numbers = finder.findAll(text)
  if (numbers.length === 0) return null
  return { numbers: numbers.slice(0, MAX_CASE_IDS), unknownIds: [], hasTooMany: numbers.length > MAX_CASE_IDS }
}
