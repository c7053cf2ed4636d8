import type { FieldError } from '@caseward/contract/problem'
import type { CreateRunBody } from '@caseward/contract/runs'
import { type RawBuilder, sql } from 'kysely'
import type { Static } from 'typebox'
import { v7 as uuidv7 } from 'uuid'

import { type Database, violatesConstraint } from '../../platform/database/connect.ts'
import { transactionWithRowMutex } from '../../platform/database/row-mutex.ts'
import { isUuid } from '../../platform/http/ids.ts'
import type { ProjectRef } from '../../access/project-cache.ts'
import { invalidProblem, notFoundProblem } from '../../platform/http/problems.ts'
import { resolveTestCaseIds, insertRunResults } from './insert-run-results.ts'
import { lockProject } from '../projects/projects.queries.ts'
import { selectRun, UNKNOWN_MILESTONE } from './runs.queries.ts'

type NewRun = Static<typeof CreateRunBody>

/**
 * Creates a run over the cases named, those in folders, or all of the project; or finds the one that has its key. The
 * project's row is held from the start, so that no case can be deleted between being chosen and joining, and nobody
 * else make a run of the same key.
 * @param creator user id, or null for a CI token
 * @returns the run as a JSON object, and whether it was made
 * @throws {Problem} 400 that names every unknown case, folder and milestone; 404 when the project is gone
 */
export async function createRun(
  db: Database,
  project: ProjectRef,
  creator: string | null,
  body: NewRun,
): Promise<{ run: string; isNew: boolean }> {
  const milestoneId = body.milestone_id ?? null
  try {
    return await transactionWithRowMutex(db, project.id, async (tx) => {
      const found = body.run_key === undefined ? null : await findByKey(tx, project, body.run_key, body)
      if (found !== null) return { run: found, isNew: false }
      const counted = await sql`update projects set run_count = run_count + 1 where id = ${project.id}`.execute(tx)
      if (counted.numAffectedRows === 0n) throw notFoundProblem('project')
      const { condition, unknown } = await buildCaseCondition(tx, project, body)
      if (!(await milestoneExists(tx, project.id, milestoneId))) unknown.push(UNKNOWN_MILESTONE)
      if (unknown.length > 0) throw invalidProblem(unknown)
      const run = { id: uuidv7(), project }
      await tx
        .insertInto('runs')
        .values({
          id: run.id,
          project_id: project.id,
          name: body.name,
          description: body.description ?? '',
          milestone_id: milestoneId,
          created_by: creator,
          run_key: body.run_key ?? null,
          metadata: JSON.stringify(body.metadata ?? {}),
          expected_shards: body.expected_shards ?? null,
        })
        .execute()
      await insertRunResults(tx, run, condition)
      const created = await selectRun(tx, run.id)
      if (created === null) throw notFoundProblem('run')
      return { run: created, isNew: true }
    })
  } catch (error) {
    // It was deleted a moment after it was found.
    throw violatesConstraint(error, 'runs_project_id_milestone_id_fkey') ? invalidProblem([UNKNOWN_MILESTONE]) : error
  }
}

/**
 * The run of this key, which now expects as many shards as asked for where it expected none; null when there is no such
 * run, nor will be until the transaction ends.
 */
async function findByKey(
  tx: Database,
  project: ProjectRef,
  runKey: string,
  { expected_shards: expectedShards }: NewRun,
): Promise<string | null> {
  await lockProject(tx, project.id)
  const { rows } = await sql<{ id: string; expected_shards: number | null }>`
    select id, expected_shards from runs where project_id = ${project.id} and run_key = ${runKey}`.execute(tx)
  const [found] = rows
  if (found === undefined) return null
  if (found.expected_shards === null && expectedShards !== undefined) {
    await sql`
      update runs set expected_shards = ${expectedShards}, updated_at = now()
      where id = ${found.id} and expected_shards is null`.execute(tx)
  }
  return await selectRun(tx, found.id)
}

/** Which cases, as a condition on `test_cases c`, and what is unknown. Cases named one by one and folders add up. */
async function buildCaseCondition(
  tx: Database,
  project: ProjectRef,
  { test_case_ids: caseIds, folder_ids: folderIds }: NewRun,
): Promise<{ condition: RawBuilder<unknown>; unknown: FieldError[] }> {
  if (caseIds === undefined && folderIds === undefined) return { condition: sql`true`, unknown: [] }
  const chosen: RawBuilder<unknown>[] = []
  const unknown: FieldError[] = []
  if (caseIds !== undefined) {
    const found = await resolveTestCaseIds(tx, project, caseIds)
    chosen.push(sql`c.number = any(${found.numbers}::int[])`)
    unknown.push(...found.unknown)
  }
  if (folderIds !== undefined) {
    unknown.push(...(await unknownFolders(tx, project.id, folderIds)))
    chosen.push(sql`c.folder_id in (
      with recursive below as (
        select id from folders where project_id = ${project.id} and id = any(${folderIds}::uuid[])
        union
        select f.id from folders f join below on f.parent_id = below.id where f.project_id = ${project.id}
      ) select id from below
    )`)
  }
  return { condition: sql`(${sql.join(chosen, sql` or `)})`, unknown }
}

async function unknownFolders(tx: Database, projectId: string, ids: readonly string[]): Promise<FieldError[]> {
  const rows = await tx.selectFrom('folders').select('id').where('project_id', '=', projectId).execute()
  const known = new Set(rows.map(({ id }) => id))
  return ids.flatMap((id, index) =>
    known.has(id) ? [] : [{ path: `/folder_ids/${index}`, message: 'is no folder of this project' }],
  )
}

async function milestoneExists(tx: Database, projectId: string, id: string | null): Promise<boolean> {
  if (id === null) return true
  if (!isUuid(id)) return false
  const found = await tx
    .selectFrom('milestones')
    .select('id')
    .where('project_id', '=', projectId)
    .where('id', '=', id)
    .executeTakeFirst()
  return found !== undefined
}
