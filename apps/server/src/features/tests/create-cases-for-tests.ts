import type { createTestCasesForTests } from '@caseward/contract/tests'
import type { Static } from '@caseward/contract/static'

import type { ProjectRef } from '../../access/project-cache.ts'
import type { Deps } from '../../deps.ts'
import { planForParameters, planGenerically } from '../../platform/database/plans.ts'
import { transactionWithRowMutex } from '../../platform/database/row-mutex.ts'
import { isUuid } from '../../platform/http/ids.ts'
import { invalidFieldProblem } from '../../platform/http/problems.ts'
import { requireLockedProject } from '../projects/require-locked-project.ts'
import { formatTestCaseId } from '../test-cases/test-case-ids.ts'
import { createCasesForTests } from './create-cases.ts'
import { announceAll, deriveInRuns } from './derive-in-runs.ts'
import { lockOpenRunsOf } from './open-runs.queries.ts'
import { markMatched } from './outcomes.queries.ts'
import { checkChoice, requireRuns, selectUnlinkedTests } from './unlinked-tests.queries.ts'
import { replaceLinks } from './write-tests.queries.ts'

type Body = Static<typeof createTestCasesForTests.schema.body>

export interface CreatedForTests {
  created: number
  linked: number
  remaining: number
  test_cases: { id: string; title: string }[]
}

/** The most tests that one request covers. */
const MAX_TESTS = 10_000
const MAX_LISTED = 100

/**
 * Creates test cases for those of the chosen tests that have none, and adds them to the runs in progress that take what is
 * reported, and to the run that is named.
 * @throws {Problem} 400 for an unknown folder or run, or if nothing is chosen; 404 when the project is gone
 */
export async function createCasesForChosenTests(
  deps: Pick<Deps, 'db' | 'announcer'>,
  project: ProjectRef,
  authorId: string,
  body: Body,
): Promise<CreatedForTests> {
  checkChoice(body)
  const { run_id: runId, folder_id: folderId = null } = body
  if (folderId !== null && !isUuid(folderId)) throw invalidFieldProblem('/folder_id', 'is not a folder of this project')
  const { changes, ...created } = await transactionWithRowMutex(deps.db, project.id, async (tx) => {
    await requireLockedProject(tx, project.id)
    await planForParameters(tx)
    await requireRuns(tx, project, body)
    const { tests, remaining } = await selectUnlinkedTests(tx, project.id, body, { limit: MAX_TESTS })
    const testIds = tests.map(({ id }) => id)
    const open = await lockOpenRunsOf(tx, project, testIds)
    const runs = open.map((run) => ({ ...run, addsTestCases: run.addsTestCases || run.id === runId }))
    await planGenerically(tx)
    const cases = await createCasesForTests(tx, project, tests, { folderId, authorId })
    const links = testIds.map((testId, index) => ({
      testId,
      caseNumbers: [cases.caseNumbers[index] ?? 0],
      source: 'key' as const,
    }))
    await replaceLinks(tx, project.id, links, { areNew: true })
    await planForParameters(tx)
    await markMatched(tx, project.id, testIds)
    return {
      changes: await deriveInRuns(
        tx,
        runs,
        cases.created.map(({ number }) => number),
      ),
      created: cases.created.length,
      linked: tests.length,
      remaining,
      test_cases: cases.created
        .slice(0, MAX_LISTED)
        .map(({ number, title }) => ({ id: formatTestCaseId(project.prefix, number), title })),
    }
  })
  announceAll(deps, changes)
  return created
}
