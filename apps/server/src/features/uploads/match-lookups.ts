import type { FindCaseNumbersByKey } from '../results/match-items.ts'
import type { LinkedTest } from '../tests/known-tests.queries.ts'

/** What matching looks up in the database. */
export interface MatchLookups {
  findCaseNumbersByKey: FindCaseNumbersByKey
  /** Returns those of the numbers that are test cases of the project. */
  findExistingCases: (numbers: readonly number[]) => Promise<ReadonlySet<number>>
  /** Returns the tests that are linked to test cases. */
  findLinkedTests: (numbers: readonly number[]) => Promise<readonly LinkedTest[]>
}
