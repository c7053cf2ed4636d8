import type { UpdatedTestCase, UpdateTestCaseBody } from '@caseward/contract/test-case-schemas'
import { sql } from 'kysely'

import { type Database, violatesConstraint } from '../../platform/database/connect.ts'
import { isUuid } from '../../platform/http/ids.ts'
import { formatTestCaseId } from './test-case-ids.ts'
import type { ProjectRef } from '../../access/project-cache.ts'
import { presentTime } from '../../platform/http/timestamps.ts'
import { invalidProblem, notFoundProblem } from '../../platform/http/problems.ts'
import { requireLockedProject } from '../projects/require-locked-project.ts'
import { automationKeyTakenProblem, unknownFolderError, usedAutomationKeyError } from './test-case-references.ts'
import { toStoredFields } from './test-case-fields.ts'

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
  if (typeof folderId === 'string' && !isUuid(folderId)) throw invalidProblem([unknownFolderError('')])
  try {
    return await db.transaction().execute(async (tx) => {
      if (folderId !== undefined) await moveFolderCounts(tx, project.id, number, folderId)
      return await updateRow(tx, project, number, change)
    })
  } catch (error) {
    if (violatesConstraint(error, 'test_cases_project_id_folder_id_fkey'))
      throw invalidProblem([unknownFolderError('')])
    if (violatesConstraint(error, 'test_cases_automation_key')) {
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
  const fields = toStoredFields(change)
  const { steps, ...columns } = fields
  const row = await tx
    .updateTable('test_cases')
    .set({
      ...columns,
      ...(steps === undefined ? {} : { steps: JSON.stringify(steps) }),
      updated_at: Object.keys(fields).length === 0 ? sql`updated_at` : sql`now()`,
    })
    .where('project_id', '=', project.id)
    .where('number', '=', number)
    .returning(['title', 'priority', 'updated_at'])
    .executeTakeFirst()
  if (row === undefined) throw notFoundProblem('test case')
  const { title, priority, updated_at } = row
  return {
    id: formatTestCaseId(project.prefix, number),
    title,
    priority,
    updated_at: presentTime(updated_at),
    ...fields,
  }
}
