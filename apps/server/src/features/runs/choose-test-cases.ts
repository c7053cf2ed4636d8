import type { FieldError } from '@caseward/contract/problem'
import { type RawBuilder, sql } from 'kysely'

import type { Database } from '../../platform/database/connect.ts'
import { parseTestCaseNumber } from '../test-cases/test-case-ids.ts'
import type { ProjectRef } from '../../access/project-cache.ts'

/**
 * Chooses the test cases of a new run: those listed and those in the folders (with subfolders), or all of the project
 * when neither is sent.
 * @returns a condition on `test_cases c`, and an error for every unknown test case and folder
 */
export async function chooseTestCases(
  tx: Database,
  project: ProjectRef,
  { test_case_ids: testCaseIds, folder_ids: folderIds }: { test_case_ids?: string[]; folder_ids?: string[] },
): Promise<{ condition: RawBuilder<unknown>; errors: FieldError[] }> {
  if (testCaseIds === undefined && folderIds === undefined) return { condition: sql`true`, errors: [] }
  const conditions: RawBuilder<unknown>[] = []
  const errors: FieldError[] = []
  if (testCaseIds !== undefined) {
    const testCases = await resolveTestCaseIds(tx, project, testCaseIds)
    conditions.push(sql`c.number = any(${testCases.numbers}::int[])`)
    errors.push(...testCases.errors)
  }
  if (folderIds !== undefined) {
    errors.push(...(await findUnknownFolders(tx, project.id, folderIds)))
    conditions.push(sql`c.folder_id in (
      with recursive below as (
        select id from folders where project_id = ${project.id} and id = any(${folderIds}::uuid[])
        union
        select f.id from folders f join below on f.parent_id = below.id where f.project_id = ${project.id}
      ) select id from below
    )`)
  }
  return { condition: sql`(${sql.join(conditions, sql` or `)})`, errors }
}

/** The numbers of the project's test cases among these ids, and an error for every other id. */
export async function resolveTestCaseIds(
  tx: Database,
  project: ProjectRef,
  ids: readonly string[],
): Promise<{ numbers: number[]; errors: FieldError[] }> {
  const numbers = ids.map((id) => parseTestCaseNumber(id, project.prefix))
  const { rows } = await sql<{ number: number }>`
    select number from test_cases where project_id = ${project.id} and number = any(${numbers}::int[])`.execute(tx)
  const existing = new Set<number | null>(rows.map(({ number }) => number))
  const errors = numbers.flatMap((number, index) =>
    existing.has(number) ? [] : [{ path: `/test_case_ids/${index}`, message: 'is not a test case of this project' }],
  )
  return { numbers: rows.map(({ number }) => number), errors }
}

async function findUnknownFolders(tx: Database, projectId: string, ids: readonly string[]): Promise<FieldError[]> {
  const rows = await tx.selectFrom('folders').select('id').where('project_id', '=', projectId).execute()
  const existing = new Set(rows.map(({ id }) => id))
  return ids.flatMap((id, index) =>
    existing.has(id) ? [] : [{ path: `/folder_ids/${index}`, message: 'is not a folder of this project' }],
  )
}
