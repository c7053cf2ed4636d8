import { MAX_COMPARED_TESTS, type SimilarForTests, type SimilarForTestsBody } from '@caseward/contract/duplicates'
import { getCaseIdentity, splitIntoTitles } from '@caseward/matching/cases-for-tests'

import type { ProjectRef } from '../../access/project-cache.ts'
import type { Database } from '../../platform/database/connect.ts'
import { planForParameters } from '../../platform/database/plans.ts'
import { findSimilarToMany } from '../duplicates/find-similar-to-many.ts'
import { checkChoice, requireRuns, selectUnlinkedTests, type UnlinkedTest } from './unlinked-tests.queries.ts'

interface Page {
  data: SimilarForTests[]
  meta: { compared: number; remaining: number; next_after: string | null; is_complete: boolean }
}

/**
 * Finds the test cases that are like those that would be created for the chosen tests.
 * @throws {Problem} 400 for an unknown run, or if nothing is chosen
 */
export async function findSimilarForTests(
  db: Database,
  project: ProjectRef,
  { after, ...choice }: SimilarForTestsBody,
): Promise<Page> {
  checkChoice(choice)
  const { tests, remaining } = await db.transaction().execute(async (tx) => {
    await planForParameters(tx)
    await requireRuns(tx, project, choice)
    return await selectUnlinkedTests(tx, project.id, choice, { limit: MAX_COMPARED_TESTS, after: after ?? null })
  })
  const wanted = groupByCase(tests)
  const { found, isComplete } = await findSimilarToMany(db, project, wanted)
  return {
    data: wanted.flatMap(({ title, tests: covered }, index) => {
      const similar = found[index] ?? []
      return similar.length === 0 ? [] : [{ title, tests: covered, similar }]
    }),
    meta: {
      compared: tests.length,
      remaining,
      next_after: remaining > 0 ? (tests.at(-1)?.id ?? null) : null,
      is_complete: isComplete,
    },
  }
}

/** The test cases that would be created, with the tests that would share each. */
function groupByCase(tests: readonly UnlinkedTest[]) {
  const cases = new Map<string, { title: string; steps: null; tests: SimilarForTests['tests'] }>()
  for (const test of tests) {
    const identity = getCaseIdentity(test)
    const known = cases.get(identity) ?? { title: splitIntoTitles(test).title, steps: null, tests: [] }
    known.tests.push({ id: test.id, name: test.name })
    cases.set(identity, known)
  }
  return [...cases.values()]
}
