import type { ChangedTestCase, EarlierTestCase, moveTestCases as contract } from '@caseward/contract/test-case-batches'
import type { Static } from '@caseward/contract/static'

import type { ProjectRef } from '../../access/project-cache.ts'
import type { Database } from '../../platform/database/connect.ts'
import { transactionWithRowMutex } from '../../platform/database/row-mutex.ts'
import { invalidFieldProblem } from '../../platform/http/problems.ts'
import type { CaseAuthor } from '../case-versions/case-author.ts'
import { requireLockedProject } from '../projects/require-locked-project.ts'
import { requireFolders, requireLockedTestCases } from './batch-references.ts'
import { isChange, lockTestCases, type StoredTestCase, writeTestCaseChanges } from './change-test-cases.ts'
import { listChanged } from './list-changed.ts'
import type { Place } from './make-room.ts'
import { createPlan, planPlace } from './plan-changes.ts'
import { formatTestCaseId, parseTestCaseNumber } from './test-case-ids.ts'

/**
 * Moves test cases to a place in a folder, all or none. Locks the project: two moves to the same place happen one after
 * the other.
 * @throws {Problem} 400 with every unknown test case, for an unknown folder, or for an `after` that is not in it
 */
export async function moveTestCases(
  db: Database,
  project: ProjectRef,
  author: CaseAuthor,
  { test_case_ids: ids, folder_id: folderId, after }: Static<typeof contract.schema.body>,
): Promise<{ moved: number; before: EarlierTestCase[]; test_cases: ChangedTestCase[] }> {
  return await transactionWithRowMutex(db, project.id, async (tx) => {
    const { last_test_case_number: lastNumber } = await requireLockedProject(tx, project.id)
    await requireFolders(tx, project.id, [{ folder_id: folderId }], () => '')
    const testCases = await requireLockedTestCases(tx, project, ids, (index) => `/test_case_ids/${index}`)
    const plan = createPlan(testCases)
    const place = {
      projectId: project.id,
      lastNumber,
      folderId,
      after: await findPlace(tx, project, { folderId, after, testCases }),
    }
    const before = [...plan.values()].map(({ before: { number, folder_id, position } }) => ({
      id: formatTestCaseId(project.prefix, number),
      folder_id,
      position,
    }))
    const shifted = await planPlace(tx, plan, place, plan.keys())
    const written = await writeTestCaseChanges(tx, project, author, [...plan.values()].filter(isChange))
    return { moved: before.length, before, test_cases: listChanged(project, written, shifted) }
  })
}

interface Target {
  folderId: string | null
  after: string | null | undefined
  testCases: readonly StoredTestCase[]
}

async function findPlace(
  tx: Database,
  project: ProjectRef,
  { folderId, after, testCases }: Target,
): Promise<Place['after']> {
  if (after === undefined) return 'end'
  if (after === null) return 'start'
  const number = parseTestCaseNumber(after, project.prefix)
  if (testCases.some((testCase) => testCase.number === number)) {
    throw invalidFieldProblem('/after', 'is one of the test cases to move')
  }
  const found = number === null ? undefined : (await lockTestCases(tx, project.id, [number])).get(number)
  if (found?.folder_id !== folderId) throw invalidFieldProblem('/after', 'is not a test case of this folder')
  return found
}
