import { type FieldError, MAX_FIELD_ERRORS } from '@caseward/contract/problem'
import { type RawBuilder, sql } from 'kysely'

import type { Database } from '../../platform/database/connect.ts'
import { lookUpEach } from '../../platform/database/plans.ts'
import { NOT_ARCHIVED } from '../test-cases/test-case-filters.ts'
import { parseTestCaseNumber } from '../test-cases/test-case-ids.ts'
import type { ProjectRef } from '../../access/project-cache.ts'
import { createYielder } from '../../platform/yielder.ts'

/**
 * Chooses the test cases of a new run: those listed and those in the folders (with subfolders), or all of the project
 * when neither is sent. Archived ones are in no folder, and must not be listed.
 * @returns a condition on `test_cases c`, and an error for every unknown and archived test case, and every unknown folder
 */
export async function chooseTestCases(
  tx: Database,
  project: ProjectRef,
  { test_case_ids: testCaseIds, folder_ids: folderIds }: { test_case_ids?: string[]; folder_ids?: string[] },
): Promise<{ condition: RawBuilder<unknown>; errors: FieldError[] }> {
  if (testCaseIds === undefined && folderIds === undefined) return { condition: isNotArchived, errors: [] }
  const conditions: RawBuilder<unknown>[] = []
  const errors: FieldError[] = []
  if (testCaseIds !== undefined) {
    const testCases = await resolveTestCaseIds(tx, project, testCaseIds, { allowsArchived: false })
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
  return { condition: sql`((${sql.join(conditions, sql` or `)}) and ${isNotArchived})`, errors }
}

const isNotArchived = sql.raw(NOT_ARCHIVED)

/**
 * The numbers of test cases with these ids, as PostgreSQL writes an array, and an error for every id that no test case of
 * the project has. There may be 100,000 ids: other requests continue meanwhile.
 * @param options.allowsArchived whether archived test cases are no errors
 */
export async function resolveTestCaseIds(
  tx: Database,
  project: ProjectRef,
  ids: readonly string[],
  { allowsArchived }: { allowsArchived: boolean },
): Promise<{ numbers: string; errors: FieldError[] }> {
  const yielder = createYielder()
  const parsed: (number | null)[] = []
  for (const id of ids) {
    if (yielder.shouldYield()) await yielder.yield()
    parsed.push(parseTestCaseNumber(id, project.prefix))
  }
  const numbers = `{${parsed.filter((number) => number !== null).join(',')}}`
  const refused = await selectRefusedNumbers(tx, project.id, numbers, { allowsArchived })
  const errors: FieldError[] = []
  for (const [index, number] of parsed.entries()) {
    if (yielder.shouldYield()) await yielder.yield()
    const refusal = number === null ? 'unknown' : refused.get(number)
    if (refusal === undefined) continue
    const message =
      refusal === 'archived' ? 'is archived: restore it, or leave it out' : 'is not a test case of this project'
    errors.push({ path: `/test_case_ids/${index}`, message })
    // One more than the response lists, so that it reports that there are more.
    if (errors.length > MAX_FIELD_ERRORS) break
  }
  return { numbers, errors }
}

/** Numbers that no test case of the project has, or only an archived one, as many as the response lists and one more. */
async function selectRefusedNumbers(
  tx: Database,
  projectId: string,
  numbers: string,
  { allowsArchived }: { allowsArchived: boolean },
): Promise<Map<number, 'unknown' | 'archived'>> {
  const { rows } = await sql<{ number: number; is_archived: boolean }>`
    select requested.number, c.number is not null as is_archived
    from unnest(${numbers}::int[]) as requested (number)
    left join lateral (
      select number, archived_at from test_cases c
      where c.project_id = ${projectId} and c.number = requested.number ${lookUpEach}
    ) c on true
    where c.number is null or (c.archived_at is not null and not ${allowsArchived}::boolean)
    limit ${MAX_FIELD_ERRORS + 1}`.execute(tx)
  return new Map(rows.map((row) => [row.number, row.is_archived ? 'archived' : 'unknown']))
}

async function findUnknownFolders(tx: Database, projectId: string, ids: readonly string[]): Promise<FieldError[]> {
  const rows = await tx.selectFrom('folders').select('id').where('project_id', '=', projectId).execute()
  const existing = new Set(rows.map(({ id }) => id))
  return ids.flatMap((id, index) =>
    existing.has(id) ? [] : [{ path: `/folder_ids/${index}`, message: 'is not a folder of this project' }],
  )
}
