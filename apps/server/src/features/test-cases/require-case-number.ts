import type { ProjectRef } from '../../access/project-cache.ts'
import { notFoundProblem } from '../../platform/http/problems.ts'
import { parseTestCaseNumber } from './test-case-ids.ts'

/**
 * Returns the number of a test case id in the path of a request.
 * @throws {Problem} 404 for anything that is no id of this project
 */
export function requireCaseNumber(id: string, { prefix }: ProjectRef): number {
  const number = parseTestCaseNumber(id, prefix)
  if (number === null) throw notFoundProblem('test case')
  return number
}
