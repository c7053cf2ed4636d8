import type { AliasSource } from '@caseward/matching/aliases'

import type { StoredAlias } from '../case-aliases/case-aliases.queries.ts'
import type { FindCaseNumbersByKey } from '../results/match-items.ts'
import type { LinkedTest } from '../tests/known-tests.queries.ts'

/** What matching looks up in the database. */
export interface MatchLookups {
  /** Whether any test case of the project has an automation key. */
  hasAutomationKeys: () => Promise<boolean>
  findCaseNumbersByKey: FindCaseNumbersByKey
  /** Returns those of the numbers that are test cases of the project, and where each of them leads. */
  findExistingCases: (numbers: readonly number[]) => Promise<ReadonlyMap<number, number>>
  /** The tools of which the project has ids; empty for none, then nothing is looked up. */
  aliasSources: readonly AliasSource[]
  /** Returns the ids of other tools that test cases have. */
  findAliases: (lookups: readonly string[]) => Promise<readonly StoredAlias[]>
  /** Returns the tests that are linked to test cases. */
  findLinkedTests: (numbers: readonly number[]) => Promise<readonly LinkedTest[]>
}
