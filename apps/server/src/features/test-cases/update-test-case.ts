import type { UpdatedTestCase, UpdateTestCaseBody } from '@caseward/contract/test-case-schemas'
import { sql } from 'kysely'

import { type Database, violatesConstraint } from '../../platform/database/connect.ts'
import { isUuid } from '../../platform/http/ids.ts'
import { formatTestCaseId } from './test-case-ids.ts'
import type { ProjectRef } from '../../access/project-cache.ts'
import { presentTime } from '../../platform/http/timestamps.ts'
import { conflictProblem, invalidFieldProblem, notFoundProblem } from '../../platform/http/problems.ts'
import { lockProject } from '../projects/projects.queries.ts'
import { numberSteps } from './steps.ts'

const noSuchFolder = () => invalidFieldProblem('/folder_id', 'is no folder of this project')

/**
 * Changes the fields that are sent and answers with them. A move to another folder moves both folders' counts.
 * @throws {Problem} 404; 400 for an unknown folder; 409 for an automation key that is taken
 */
export async function updateTestCase(
  db: Database,
  project: ProjectRef,
  number: number,
  change: UpdateTestCaseBody,
): Promise<UpdatedTestCase> {
  const { folder_id: folderId } = change
  if (typeof folderId === 'string' && !isUuid(folderId)) throw noSuchFolder()
  try {
    return await db.transaction().execute(async (tx) => {
      if (folderId !== undefined) await moveFolderCounts(tx, project.id, number, folderId)
      return await update(tx, project, number, change)
    })
  } catch (error) {
    if (violatesConstraint(error, 'test_cases_project_id_folder_id_fkey')) throw noSuchFolder()
    if (violatesConstraint(error, 'test_cases_automation_key')) {
      throw conflictProblem('automation_key_taken', 'Another test case of this project has this automation key.', [
        { path: '/automation_key', message: 'is taken by another test case' },
      ])
    }
    throw error
  }
}

/** Holds the project's row, as everything that adds, removes or moves test cases does, so that no two can cross. */
async function moveFolderCounts(
  tx: Database,
  projectId: string,
  number: number,
  folderId: string | null,
): Promise<void> {
  await lockProject(tx, projectId)
  await sql`
    update folders f set test_case_count = f.test_case_count + case when f.id = ${folderId}::uuid then 1 else -1 end
    from test_cases c
    where c.project_id = ${projectId} and c.number = ${number} and c.folder_id is distinct from ${folderId}::uuid
      and f.project_id = c.project_id and (f.id = c.folder_id or f.id = ${folderId}::uuid)`.execute(tx)
}

async function update(
  tx: Database,
  project: ProjectRef,
  number: number,
  change: UpdateTestCaseBody,
): Promise<UpdatedTestCase> {
  const { title, folder_id, priority, type, precondition, expected_result, automation_key } = change
  const plain = { title, folder_id, priority, type, precondition, expected_result, automation_key }
  const steps = change.steps === undefined ? undefined : numberSteps(change.steps)
  const tags = change.tags === undefined ? undefined : [...new Set(change.tags)]
  const isEmpty =
    steps === undefined && tags === undefined && Object.values(plain).every((value) => value === undefined)
  const row = await tx
    .updateTable('test_cases')
    .set({
      ...plain,
      ...(steps === undefined ? {} : { steps: JSON.stringify(steps) }),
      ...(tags === undefined ? {} : { tags }),
      updated_at: isEmpty ? sql`updated_at` : sql`now()`,
    })
    .where('project_id', '=', project.id)
    .where('number', '=', number)
    .returning([
      'title',
      'priority',
      'updated_at',
      'folder_id',
      'type',
      'precondition',
      'expected_result',
      'automation_key',
    ])
    .executeTakeFirst()
  if (row === undefined) throw notFoundProblem('test case')
  return {
    id: formatTestCaseId(project.prefix, number),
    title: row.title,
    priority: row.priority,
    updated_at: presentTime(row.updated_at),
    ...(folder_id === undefined ? {} : { folder_id: row.folder_id }),
    ...(type === undefined ? {} : { type: row.type }),
    ...(precondition === undefined ? {} : { precondition: row.precondition }),
    ...(steps === undefined ? {} : { steps }),
    ...(expected_result === undefined ? {} : { expected_result: row.expected_result }),
    ...(tags === undefined ? {} : { tags }),
    ...(automation_key === undefined ? {} : { automation_key: row.automation_key }),
  }
}
