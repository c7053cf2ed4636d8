import type { FieldError } from '@caseward/contract/problem'

import type { ProjectRef } from '../../access/project-cache.ts'
import type { Database } from '../../platform/database/connect.ts'
import { invalidProblem } from '../../platform/http/problems.ts'
import { lockTestCases, type StoredTestCase } from './change-test-cases.ts'
import { parseTestCaseNumber } from './test-case-ids.ts'
import { findUnknownFolders } from './test-case-references.ts'

/**
 * Locks the test cases that a request names.
 * @param getPath the path of an id in the body, for the error
 * @returns one for each id, in the same order
 * @throws {Problem} 400 with every id that is not a test case of the project
 */
export async function requireLockedTestCases(
  tx: Database,
  project: ProjectRef,
  ids: readonly string[],
  getPath: (index: number) => string,
): Promise<StoredTestCase[]> {
  const numbers = ids.map((id) => parseTestCaseNumber(id, project.prefix))
  const existing = await lockTestCases(
    tx,
    project.id,
    numbers.filter((number) => number !== null),
  )
  const errors: FieldError[] = []
  const testCases: StoredTestCase[] = []
  for (const [index, number] of numbers.entries()) {
    const testCase = number === null ? undefined : existing.get(number)
    if (testCase === undefined) errors.push({ path: getPath(index), message: 'is not a test case of this project' })
    else testCases.push(testCase)
  }
  if (errors.length > 0) throw invalidProblem(errors)
  return testCases
}

/**
 * Checks that folders are in the project. The caller holds the lock on the project, so that they stay.
 * @param getItemPath the path of the object that contains the `folder_id`
 * @throws {Problem} 400 with every unknown folder
 */
export async function requireFolders(
  tx: Database,
  projectId: string,
  items: readonly { folder_id?: string | null }[],
  getItemPath: (index: number) => string,
): Promise<void> {
  if (items.every(({ folder_id: id }) => id === undefined || id === null)) return
  const errors = await findUnknownFolders(tx, projectId, items, getItemPath)
  if (errors.length > 0) throw invalidProblem(errors)
}
