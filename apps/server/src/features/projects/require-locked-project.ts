import type { Database } from '../../platform/database/connect.ts'
import { notFoundProblem } from '../../platform/http/problems.ts'
import { type LockedProject, lockProjectRow } from './projects.queries.ts'

/**
 * Locks a project until the transaction ends: what adds, moves or removes something in a project happens one at a time.
 * Call it before locking runs.
 * @throws {Problem} 404 when the project is gone
 */
export async function requireLockedProject(tx: Database, id: string): Promise<LockedProject> {
  const project = await lockProjectRow(tx, id)
  if (project === undefined) throw notFoundProblem('project')
  return project
}
