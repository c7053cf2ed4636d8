import type { CreateTestCaseBody } from '@caseward/contract/test-case-schemas'

import type { Database } from '../../platform/database/connect.ts'
import type { ProjectRef } from '../../access/project-cache.ts'
import { notFoundProblem } from '../../platform/http/problems.ts'
import { createTestCases } from './create-test-cases.ts'
import { getBodyPath } from './test-case-references.ts'
import { selectTestCaseListItem } from './test-cases.queries.ts'

/**
 * Creates one test case.
 * @returns the test case as a JSON object
 * @throws {Problem} 400 for an unknown folder; 409 for an automation key in use; 404 when the project is gone
 */
export async function createTestCase(
  db: Database,
  project: ProjectRef,
  authorId: string,
  body: CreateTestCaseBody,
): Promise<string> {
  const [number] = await createTestCases(db, project, authorId, [body], getBodyPath)
  const testCase = number === undefined ? null : await selectTestCaseListItem(db, project, number)
  if (testCase === null) throw notFoundProblem('project')
  return testCase
}
