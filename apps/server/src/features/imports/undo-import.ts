import { sql } from 'kysely'

import type { ProjectRef } from '../../access/project-cache.ts'
import type { Database } from '../../platform/database/connect.ts'
import { plannedAnew } from '../../platform/database/plans.ts'
import { transactionWithRowMutex } from '../../platform/database/row-mutex.ts'
import { Problem } from '../../platform/http/problems.ts'
import { restoreVersion } from '../case-versions/restore-version.ts'
import { invalidateOpenEvaluations } from '../evaluation/evaluated-run.queries.ts'
import { notifyFoldersChanged } from '../events/notify-distributed-change.ts'
import { notifySharedStepsChanged } from '../events/notify-shared-steps-changed.ts'
import { requireLockedProject } from '../projects/require-locked-project.ts'
import { runGroups } from '../runs/run-groups.ts'
import { countUses } from '../shared-steps/shared-step-uses.queries.ts'
import { deleteTestCases } from '../test-cases/delete-test-cases.ts'
import { changeFolders, type FolderChange } from './change-folders.ts'
import { deleteUnnamedPeople } from './unnamed-people.queries.ts'
import { deleteCreatedConfigurations } from './apply-own-configurations.ts'
import { getImportAuthor } from './apply-import.ts'
import { selectCreated } from './created-objects.queries.ts'
import type { ImportWork } from './import-work.ts'
import { type ClaimedImport, type ImportRow, updateImport } from './imports.queries.ts'
import { listLosses } from './list-losses.ts'
import { markLeftByUndo } from './mark-left-by-undo.ts'
import { deleteLinks } from './source-links.queries.ts'
import { selectCommentedCases, undoComments } from './undo-comments.ts'
import { selectCasesWithFiles, undoAttachments } from './undo-attachments.ts'
import { deleteCreatedQuarantines } from './undo-quarantines.ts'
import { undoArchiving } from './undo-archiving.ts'
import { undoTests } from './undo-tests.ts'
import { undoHistory } from './undo-history.ts'

/**
 * Takes back what an import has written, as far as nobody has touched it since. Begun again, it finds what is left.
 */
export async function undoImport(db: Database, work: ImportWork, project: ProjectRef, row: ImportRow): Promise<void> {
  const { claim } = work
  const { actor } = getImportAuthor(row)
  // Test cases with results stay: the runs go first.
  await undoHistory(db, work, project, actor)
  // Tests that are quarantined stay.
  const hasQuarantines = await transactionWithRowMutex(db, project.id, async (tx) => {
    await requireLockedProject(tx, project.id)
    return await deleteCreatedQuarantines(tx, claim)
  })
  if (hasQuarantines) await invalidateOpenEvaluations(db, project.id)
  await undoTests(db, work)
  let deleted = 0
  for (let after = 0; ;) {
    const batch = await selectCreated(db, work, 'case', after)
    const last = batch.at(-1)
    if (last === undefined) break
    after = last.seq
    await work.keep(db, { stage: 'undoing', done: deleted, total: 0 })
    const numbers = batch.map(({ target }) => Number(target))
    const { untouched, gone } = await selectUntouched(db, claim, numbers)
    if (untouched.length > 0) deleted += await deleteTestCases(db, actor, project, untouched)
    await deleteLinks(db, project.id, 'case', [...untouched, ...gone].map(String))
  }
  await restoreChanged(db, work, project, row)
  await undoArchiving(db, work, project, row)
  await undoComments(db, work)
  await undoAttachments(db, work)
  await deleteSharedSteps(db, work, project.id)
  await transactionWithRowMutex(db, project.id, async (tx) => {
    await requireLockedProject(tx, project.id)
    await deleteCreatedConfigurations(tx, claim)
    await deleteUnnamedPeople(tx, claim)
  })
  await undoFolders(db, work, project.id)
  await markLeftByUndo(db, claim, row)
  const losses = row.reading === null ? [] : await listLosses(db, claim, row.reading)
  const planning = row.planning === null ? null : { ...row.planning, losses }
  await db.transaction().execute(async (tx) => {
    await work.keep(tx, null)
    await updateImport(tx, project.id, claim.id, { state: 'undone', planning, progress: null, undone_at: new Date() })
  })
}

/** Which test cases are as they were created, and which are gone. */
async function selectUntouched(
  db: Database,
  claim: ClaimedImport,
  numbers: readonly number[],
): Promise<{ untouched: number[]; gone: number[] }> {
  const { projectId } = claim
  const used = new Set([
    ...(await selectCommentedCases(db, claim, numbers)),
    ...(await selectCasesWithFiles(db, claim, numbers)),
  ])
  const { rows } = await sql<{ number: number; version: number }>`
    select number, version from test_cases where project_id = ${projectId} and number = any(${numbers}::int[])`.execute(
    db,
  )
  const versions = await selectImportedVersions(db, claim, numbers)
  const { rows: results } = await sql<{ number: number }>`
    select distinct case_number as number from test_results
    where project_id = ${projectId} and case_number = any(${numbers}::int[])
      and run_group = any(array(select ${runGroups} from projects where id = ${projectId}))`.execute(db)
  const tested = new Set(results.map(({ number }) => number))
  const existing = new Set(rows.map(({ number }) => number))
  return {
    untouched: rows
      .filter(
        ({ number, version }) => version === (versions.get(number) ?? 1) && !used.has(number) && !tested.has(number),
      )
      .map(({ number }) => number),
    gone: numbers.filter((number) => !existing.has(number)),
  }
}

/** Selects the versions that test cases have had at the end of an import which brought earlier ones. */
async function selectImportedVersions(
  db: Database,
  { projectId, id }: ClaimedImport,
  numbers: readonly number[],
): Promise<Map<number, number>> {
  const { rows } = await sql<{ number: number; version: number }>`${plannedAnew}
    select target::int as number, max((planned ->> 'next_version')::int) as version from import_records
    where project_id = ${projectId} and import_id = ${id} and kind = 'case_version' and action = 'create' and is_done
      and target = any(${numbers.map(String)}::text[])
    group by target`.execute(db)
  return new Map(rows.map(({ number, version }) => [number, version]))
}

/** Gives test cases back what they were before, where the import made the last change. */
async function restoreChanged(db: Database, work: ImportWork, project: ProjectRef, row: ImportRow): Promise<void> {
  const { claim } = work
  const { author } = getImportAuthor(row)
  const { rows } = await sql<{ number: number; version: number; earlier: number }>`${plannedAnew}
    select c.number, c.version, v.version as earlier
    from import_records r
    join test_cases c on c.project_id = ${project.id} and c.number = case when r.kind = 'case' then r.target::int end
    join case_versions v on v.project_id = ${project.id} and v.case_number = c.number and v.next_version = c.version
    where r.project_id = ${project.id} and r.import_id = ${claim.id} and r.kind = 'case' and r.is_done
      and r.action in ('update', 'conflict', 'absent_in_source') and v.via = 'import' and v.changed_at >= ${row.planned_at}::timestamptz
    order by c.number`.execute(db)
  let count = 0
  for (const { number, version, earlier } of rows) {
    await work.keep(db, { stage: 'undoing', done: count, total: rows.length })
    try {
      const restoring = { ...author, via: 'restore' as const, summary: `Undo of the import ${row.name}` }
      await restoreVersion(db, project, number, String(earlier), { author: restoring, ifMatch: version })
      count += 1
    } catch (error) {
      // Someone has changed it meanwhile, or deleted it: it stays.
      if (!(error instanceof Problem && [404, 412, 422].includes(error.statusCode))) throw error
    }
  }
}

/** Deletes shared steps that are as they were created, and that no test case uses. */
async function deleteSharedSteps(db: Database, { claim }: ImportWork, projectId: string): Promise<void> {
  await transactionWithRowMutex(db, projectId, async (tx) => {
    await requireLockedProject(tx, projectId)
    const { rows } = await sql<{ id: string }>`${plannedAnew}
      select s.id from import_records r
      join shared_steps s on s.project_id = ${projectId} and s.id = case when r.kind = 'shared_steps' then r.target::uuid end
      where r.project_id = ${projectId} and r.import_id = ${claim.id} and r.kind = 'shared_steps' and r.is_done
        and r.action = 'create' and s.version = (r.planned ->> 'version')::int`.execute(tx)
    const uses = await countUses(
      tx,
      projectId,
      rows.map(({ id }) => id),
    )
    const ids = rows.map(({ id }) => id).filter((id) => !uses.has(id))
    if (ids.length === 0) return
    await sql`delete from shared_steps where project_id = ${projectId} and id = any(${ids}::uuid[])`.execute(tx)
    await notifySharedStepsChanged(tx, projectId, ids)
    await deleteLinks(tx, projectId, 'shared_steps', ids)
  })
}

/** Gives folders back the names and places that they had, and deletes those that the import has created and that are empty, the deepest first. */
async function undoFolders(db: Database, { claim }: ImportWork, projectId: string): Promise<void> {
  await transactionWithRowMutex(db, projectId, async (tx) => {
    await requireLockedProject(tx, projectId)
    const { rows: changes } = await sql<FolderChange>`${plannedAnew}
      select planned ->> 'id' as id, planned -> 'before' as "to",
        json_build_object('name', planned -> 'name', 'parent_id', planned -> 'parent_id') as "from"
      from import_records where project_id = ${projectId} and import_id = ${claim.id}
        and kind = 'folder' and action = 'update' and is_done
      order by place desc`.execute(tx)
    await changeFolders(tx, projectId, changes)
    const { rows: created } = await sql<{ target: string }>`${plannedAnew}
      select target from import_records where project_id = ${projectId} and import_id = ${claim.id}
        and kind = 'folder' and action = 'create' and is_done`.execute(tx)
    const ids = created.map(({ target }) => target)
    let hasDeleted = false
    for (;;) {
      const { rows } = await sql<{ id: string }>`
        delete from folders f where f.project_id = ${projectId} and f.id = any(${ids}::uuid[])
          and not exists (select from folders child where child.project_id = ${projectId} and child.parent_id = f.id)
          and not exists (select from test_cases c where c.project_id = ${projectId} and c.folder_id = f.id)
        returning f.id`.execute(tx)
      if (rows.length === 0) break
      hasDeleted = true
      await deleteLinks(
        tx,
        projectId,
        'folder',
        rows.map(({ id }) => id),
      )
    }
    if (hasDeleted) await notifyFoldersChanged(tx, projectId)
  })
}
