import type { ProjectRef } from '../../access/project-cache.ts'
import type { Deps } from '../../deps.ts'
import { planForParameters } from '../../platform/database/plans.ts'
import { transactionWithRowMutex } from '../../platform/database/row-mutex.ts'
import { isUuid } from '../../platform/http/ids.ts'
import { invalidFieldProblem, notFoundProblem } from '../../platform/http/problems.ts'
import { requireLockedProject } from '../projects/require-locked-project.ts'
import { selectExistingCases } from '../test-cases/automation-keys.queries.ts'
import { parseTestCaseNumber } from '../test-cases/test-case-ids.ts'
import { announceAll, deriveInRuns } from './derive-in-runs.ts'
import { lockOpenRunsOf } from './open-runs.queries.ts'
import { markMatched, markUnmatched } from './outcomes.queries.ts'
import { selectTest } from './tests.queries.ts'
import { replaceLinks } from './write-tests.queries.ts'

/**
 * Links a test to a test case, or removes its links. In runs in progress, the result of the test case is derived again.
 * @param testCaseId null to remove the links
 * @returns the test as a JSON object
 * @throws {Problem} 404 for an unknown test; 400 for an unknown test case
 */
export async function linkTest(
  deps: Pick<Deps, 'db' | 'announcer'>,
  project: ProjectRef,
  testId: string,
  testCaseId: string | null,
): Promise<string> {
  if (!isUuid(testId)) throw notFoundProblem('test')
  const number = testCaseId === null ? null : parseTestCaseNumber(testCaseId, project.prefix)
  if (testCaseId !== null && number === null) throw unknownCaseProblem()
  const { test, changes } = await transactionWithRowMutex(deps.db, project.id, async (tx) => {
    await requireLockedProject(tx, project.id)
    if ((await selectTest(tx, project, testId)) === null) throw notFoundProblem('test')
    const caseNumbers = number === null ? [] : [...(await selectExistingCases(tx, project.id, [number])).values()]
    if (number !== null && caseNumbers.length === 0) throw unknownCaseProblem()
    await planForParameters(tx)
    const runs = number === null ? [] : await lockOpenRunsOf(tx, project, [testId])
    await replaceLinks(tx, project.id, [{ testId, caseNumbers, source: 'hand' }], { areNew: false })
    if (number === null) await markUnmatched(tx, project.id, testId)
    else await markMatched(tx, project.id, [testId])
    const derived = await deriveInRuns(tx, runs, caseNumbers)
    return { test: await selectTest(tx, project, testId), changes: derived }
  })
  announceAll(deps, changes)
  if (test === null) throw notFoundProblem('test')
  return test
}

const unknownCaseProblem = () => invalidFieldProblem('/test_case_id', 'is not a test case of this project')
