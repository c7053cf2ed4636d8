import type { ResultItemError } from '@caseward/contract/results'
import type { AliasSystem } from '@caseward/matching/aliases'
import { type CaseIdFinder, createCaseIdFinder, MAX_CASE_IDS } from '@caseward/matching/case-ids'
import { getFullKey } from '@caseward/matching/cases-for-tests'
import { findTestCaseNumbers, type IdPlace } from '@caseward/matching/test-case-ids'

import type { Yielder } from '../../platform/yielder.ts'
import { notInRunError } from '../results/match-items.ts'
import { formatTestCaseId } from '../test-cases/test-case-ids.ts'
import { type AliasMatch, matchByAlias } from './match-by-alias.ts'
import { matchByAutomationKey } from './match-by-automation-key.ts'
import type { MatchLookups } from './match-lookups.ts'
import type { UploadTest } from './upload-test.ts'

/**
 * Matches tests to test cases. For each test the first of these that yields anything wins: ids in its properties, its tags,
 * its name or its suite; ids of other tools that test cases have, in the same places; its link; its automation keys. Ids that name no test case are errors, and leave the link alone; ids
 * of other tools are kept. With `createsTestCases`, a test without a file that may be one of several known tests is an error:
 * a test case for it would be a second one.
 * @returns the errors: ids that name no test case, ambiguous ids and keys, and tests with too many ids
 */
export async function matchTests(
  prefix: string,
  tests: readonly UploadTest[],
  lookups: MatchLookups,
  yielder: Yielder,
  { createsTestCases = false, aliasesFirst = false }: { createsTestCases?: boolean; aliasesFirst?: boolean } = {},
): Promise<ResultItemError[]> {
  const ids = await collectIds(tests, createCaseIdFinder(prefix), yielder)
  const aliases = await matchByAlias(tests, lookups, yielder)
  const named = new Set([...ids.numbers, ...[...aliases.values()].flat().flatMap(({ numbers }) => numbers)])
  const existing = named.size === 0 ? new Map<number, number>() : await lookups.findExistingCases([...named])
  const unlinked: UploadTest[] = []
  const unknown = new Set<number>()
  const doubts: ResultItemError[] = []
  for (const test of tests) {
    if (yielder.shouldYield()) await yielder.yield()
    const found = ids.byTest.get(test)
    const own = found === undefined ? undefined : { ...found, numbers: followIds(found.numbers, existing) }
    const ofTools = aliases.get(test)?.map((match) => ({ ...match, numbers: followIds(match.numbers, existing) }))
    const chosen = chooseNamed(own, ofTools, aliasesFirst)
    test.needsTestCase = false
    test.aliasSystem = chosen?.system ?? null
    if (chosen === null || chosen.numbers.length === 0) {
      test.caseNumbers = test.known?.caseNumbers ?? NONE
      test.source = test.known?.source ?? null
      if (chosen === null) doubts.push(ambiguousIdError(getFullKey(test.test)))
      else if (test.caseNumbers.length === 0 && found === undefined) unlinked.push(test)
    } else {
      test.caseNumbers = chosen.numbers
      test.source = chosen.system === null ? 'id' : 'alias'
    }
    if (found === undefined || test.aliasSystem !== null) continue
    for (const number of found.numbers) if (!existing.has(number)) unknown.add(number)
  }
  const byKey = await matchByAutomationKey(unlinked, lookups, yielder)
  for (const [index, test] of unlinked.entries()) {
    if (yielder.shouldYield()) await yielder.yield()
    const caseNumber = byKey.caseNumbers[index] ?? null
    if (caseNumber === 'ambiguous') continue
    if (caseNumber === null || (createsTestCases && isCaseOfOtherTitles(test, caseNumber))) {
      test.needsTestCase = !test.isInDoubt
      if (createsTestCases && test.isInDoubt) doubts.push(ambiguousTestError(getFullKey(test.test)))
    } else {
      test.caseNumbers = [caseNumber]
      test.source = 'key'
    }
  }
  const unknownIds = [...unknown].map((number) => formatTestCaseId(prefix, number))
  return [...byKey.errors, ...doubts, ...ids.errors, ...unknownIds.map(notInRunError)]
}

/** Whether a test case is that of a known test whose titles differ from those of this test only in separators. */
const isCaseOfOtherTitles = ({ titlesByCase, titles }: UploadTest, caseNumber: number): boolean => {
  const others = titlesByCase?.get(caseNumber)
  return others !== undefined && others !== '' && others !== titles
}

/** The test cases that ids name, each once: those of merged ones lead on. */
const followIds = (numbers: readonly number[], existing: ReadonlyMap<number, number>): readonly number[] => [
  ...new Set(numbers.flatMap((number) => existing.get(number) ?? [])),
]

const NONE: readonly number[] = []

interface NamedCases {
  numbers: readonly number[]
  /** The tool whose ids they are; null for ids of the project. */
  system: AliasSystem | null
}

/**
 * Chooses between the ids of the project in a test and those of other tools; null if they name different test cases in one place.
 * @param own those that exist; undefined without any id
 */
function chooseNamed(
  own: NamedIds | undefined,
  aliases: readonly AliasMatch[] = [],
  aliasesFirst: boolean,
): NamedCases | null {
  const [first] = aliases
  const numbers = own?.numbers ?? NONE
  if (first !== undefined && (aliasesFirst || numbers.length === 0)) return first
  const others = aliases.find(({ place }) => place === own?.place)?.numbers ?? NONE
  return others.every((number) => numbers.includes(number)) ? { numbers, system: null } : null
}

interface NamedIds {
  numbers: readonly number[]
  place: IdPlace | null
}

interface CollectedIds {
  /** The ids of each test that has any. */
  byTest: Map<UploadTest, NamedIds>
  numbers: Set<number>
  errors: ResultItemError[]
}

async function collectIds(tests: readonly UploadTest[], finder: CaseIdFinder, yielder: Yielder): Promise<CollectedIds> {
  const ids: CollectedIds = { byTest: new Map(), numbers: new Set(), errors: [] }
  for (const uploadTest of tests) {
    if (yielder.shouldYield()) await yielder.yield()
    const { test } = uploadTest
    const { numbers, place, foreignIds, hasTooMany } = findTestCaseNumbers(test, finder)
    uploadTest.foreignIds = foreignIds
    if (numbers.length > 0) ids.byTest.set(uploadTest, { numbers, place })
    for (const number of numbers) ids.numbers.add(number)
    if (hasTooMany) ids.errors.push(tooManyIdsError(getFullKey(test)))
  }
  return ids
}

const ambiguousTestError = (fullName: string): ResultItemError => ({
  test_case_id: fullName,
  error:
    'Several known tests in different files have these titles, and the report does not name the file. No test case was created. Configure the reporter to write files, or add test case ids to the test names.',
  code: 'ambiguous',
})

const ambiguousIdError = (fullName: string): ResultItemError => ({
  test_case_id: fullName,
  error:
    'This test names one test case by its id and another one by an id of another tool, in the same place. Remove one of them, or let the ids of other tools come first in the settings of the project.',
  code: 'ambiguous',
})

const tooManyIdsError = (fullName: string): ResultItemError => ({
  test_case_id: fullName,
  error: `This test has more than ${MAX_CASE_IDS} test case ids. Only the first ${MAX_CASE_IDS} were used: divide the others among several tests.`,
  code: 'too_many_ids',
})
