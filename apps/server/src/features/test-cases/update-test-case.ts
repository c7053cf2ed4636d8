import type { UpdatedTestCase, UpdateTestCaseBody } from '@caseward/contract/test-case-schemas'
import { sql } from 'kysely'

import { type Database, violates } from '../../platform/database/connect.ts'
import { isUuid, testCaseId } from '../../platform/http/ids.ts'
import type { ProjectRef } from '../../access/project-cache.ts'
import { presentTime } from '../../platform/http/timestamps.ts'
import { invalid, notFound } from '../../platform/http/problems.ts'
import { requireLockedProject } from '../projects/require-locked-project.ts'
import { numberSteps } from './number-steps.ts'
import { automationKeyTakenProblem, unknownFolderError, usedAutomationKeyError } from './test-case-references.ts'

/**
 * Changes the fields that are sent, and returns them.
 * @throws {Problem} 404 for an unknown test case; 400 for an unknown folder; 409 for an automation key in use
 */
export async function updateTestCase(
  db: Database,
  project: ProjectRef,
  number: number,
  change: UpdateTestCaseBody,
): Promise<UpdatedTestCase> {
  const { folder_id: folderId } = change
  if (typeof folderId === 'string' && !isUuid(folderId)) throw invalid([unknownFolderError('')])
  try {
    return await db.transaction().execute(async (tx) => {
      if (folderId !== undefined) await moveFolderCounts(tx, project.id, number, folderId)
      return await updateRow(tx, project, number, change)
    })
  } catch (error) {
    if (violates(error, 'test_cases_project_id_folder_id_fkey')) throw invalid([unknownFolderError('')])
    if (violates(error, 'test_cases_automation_key')) {
      throw automationKeyTakenProblem([usedAutomationKeyError('')])
    }
    throw error
  }
}

/** Locks the project, as every request that adds, removes or moves test cases does, so that the counts stay correct. */
async function moveFolderCounts(
  tx: Database,
  projectId: string,
  number: number,
  folderId: string | null,
): Promise<void> {
  await requireLockedProject(tx, projectId)
  await sql`
    update folders f set test_case_count = f.test_case_count + case when f.id = ${folderId}::uuid then 1 else -1 end
    from test_cases c
    where c.project_id = ${projectId} and c.number = ${number} and c.folder_id is distinct from ${folderId}::uuid
      and f.project_id = c.project_id and (f.id = c.folder_id or f.id = ${folderId}::uuid)`.execute(tx)
}

async function updateRow(
  tx: Database,
  project: ProjectRef,
  number: number,
  change: UpdateTestCaseBody,
): Promise<UpdatedTestCase> {
  const { title, folder_id, priority, type, precondition, expected_result, automation_key } = change
  const columns = { title, folder_id, priority, type, precondition, expected_result, automation_key }
  const steps = change.steps === undefined ? undefined : numberSteps(change.steps)
  const tags = change.tags === undefined ? undefined : [...new Set(change.tags)]
  const isEmpty =
    steps === undefined && tags === undefined && Object.values(columns).every((value) => value === undefined)
  const row = await tx
    .updateTable('test_cases')
    .set({
      ...columns,
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
  if (row === undefined) throw notFound('test case')
  return {
    id: testCaseId(project.prefix, number),
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
