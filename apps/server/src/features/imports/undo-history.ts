import { sql } from 'kysely'

import type { ProjectRef } from '../../access/project-cache.ts'
import type { Database } from '../../platform/database/connect.ts'
import { plannedAnew } from '../../platform/database/plans.ts'
import { transactionWithRowMutex } from '../../platform/database/row-mutex.ts'
import type { AuditActor } from '../audit/record-audit.ts'
import { deleteMilestone } from '../milestones/milestones.queries.ts'
import { requireLockedProject } from '../projects/require-locked-project.ts'
import { deleteRun } from '../runs/delete-run.ts'
import { changeMilestones } from './change-milestones.ts'
import { selectCreated } from './created-objects.queries.ts'
import type { ImportWork } from './import-work.ts'
import { pickValues, type PlannedMilestone } from './plan-milestones.ts'
import { deleteLinks } from './source-links.queries.ts'
import { isUntouchedAttachment } from './undo-attachments.ts'
import { isUntouchedComment } from './undo-comments.ts'
import { withWholeJoins } from './whole-joins.ts'

/** Deletes runs that an import has created and that nobody has touched, and what is left without them. */
export async function undoHistory(
  db: Database,
  work: ImportWork,
  project: ProjectRef,
  actor: AuditActor,
): Promise<void> {
  let deleted = 0
  for (let after = 0; ;) {
    const batch = await selectCreated(db, work, 'run', after)
    const last = batch.at(-1)
    if (last === undefined) break
    after = last.seq
    const ids = batch.map(({ target }) => target)
    const { untouched, gone } = await withWholeJoins(db, (tx) => selectUntouchedRuns(tx, work, ids))
    for (const { id, run_group: group } of untouched) {
      await work.keep(db, { stage: 'undoing', done: deleted, total: 0 })
      if ((await deleteRun(db, actor, { id, group, project })) !== null) deleted += 1
    }
    await deleteLinks(db, project.id, 'run', [...untouched.map(({ id }) => id), ...gone])
  }
  await restoreMilestones(db, work, project.id)
  await deleteMilestones(db, work, project.id)
}

/** Gives milestones back what they were before, where it was not edited since. */
async function restoreMilestones(db: Database, { claim }: ImportWork, projectId: string): Promise<void> {
  await transactionWithRowMutex(db, projectId, async (tx) => {
    await requireLockedProject(tx, projectId)
    const { rows } = await sql<{ planned: PlannedMilestone }>`${plannedAnew}
      select planned from import_records
      where project_id = ${projectId} and import_id = ${claim.id} and kind = 'milestone' and is_done
        and action = 'update'`.execute(tx)
    await changeMilestones(
      tx,
      projectId,
      rows.flatMap(({ planned }) =>
        planned.before === null ? [] : [{ id: planned.id, from: pickValues(planned), to: planned.before }],
      ),
    )
  })
}

/** Runs that are as they were created: nobody has renamed them, set a result, or added a comment or a file. */
async function selectUntouchedRuns(
  db: Database,
  { claim }: ImportWork,
  ids: readonly string[],
): Promise<{ untouched: { id: string; run_group: number }[]; gone: string[] }> {
  const { projectId, id } = claim
  const { rows } = await sql<{ id: string; run_group: number; is_touched: boolean }>`${plannedAnew}
    with written as materialized (
      select target, planned ->> 'status' as status, (planned ->> 'at')::timestamptz as at,
        (planned -> 'steps' -> 'steps')::text as steps, planned -> 'combinations' as combinations, (planned ->> 'stored_fields')::jsonb as fields
      from import_records
      where project_id = ${projectId} and import_id = ${id} and kind = 'result' and action = 'create'
        and planned ->> 'run_id' = any(${[...ids]}::text[])
    ), touched as materialized (
      select distinct t.run_id from test_results t
      left join written w on w.target = t.id::text and w.status = t.status::text
        and (w.at = t.tested_at or t.tested_at is null)
      where t.project_id = ${projectId} and t.run_id = any(${[...ids]}::uuid[]) and (
        w.target is null or t.fields is distinct from w.fields or (t.step_state is not null and w.steps is distinct from (
          select s.steps::text from step_results s
          where s.project_id = ${projectId} and s.run_id = t.run_id and s.result_id = t.id and s.place = 0
        )) or (t.combination_state is not null and exists (
          select from step_results s
          where s.project_id = ${projectId} and s.run_id = t.run_id and s.result_id = t.id and s.place > 0
            and s.steps::text is distinct from (
              select (k -> 'steps' -> 'steps')::text from json_array_elements(
                case when json_typeof(w.combinations) = 'array' then w.combinations else '[]' end
              ) k where (k ->> 'place')::int = s.place
            )
        ))
      )
    ), made as materialized (
      select target, planned from import_records
      where project_id = ${projectId} and import_id = ${id} and kind = 'run' and action = 'create' and target is not null
    ), added as materialized (
      select k.run_id from comments k where k.project_id = ${projectId} and k.run_id = any(${[...ids]}::uuid[])
        and not ${isUntouchedComment(claim)}
      union all
      select a.run_id from run_attachments a where a.project_id = ${projectId} and a.run_id = any(${[...ids]}::uuid[])
        and not ${isUntouchedAttachment(claim)}
    )
    select r.id, r.run_group,
      r.name <> (p.planned ->> 'name') or r.description <> (p.planned ->> 'description')
      or (r.status::text <> coalesce(p.planned ->> 'status', 'completed') and r.completed_itself is not true)
      -- CI has reported to it since.
      or r.upload_count > coalesce((
        select max((u ->> 'number')::int) from json_array_elements(coalesce(p.planned -> 'ci' -> 'uploads', '[]')) u
      ), 0)
      or r.fields is distinct from (p.planned ->> 'stored_fields')::jsonb
      or exists (
        select from runs rerun where rerun.project_id = ${projectId} and rerun.root_run_id = r.id
          and rerun.id::text not in (select made.target from made)
      )
      or r.id in (select run_id from touched)
      or r.id in (select run_id from added) as is_touched
    from runs r join made p on p.target = r.id::text
    where r.project_id = ${projectId} and r.id = any(${[...ids]}::uuid[])`.execute(db)
  const existing = new Set(rows.map((row) => row.id))
  return {
    untouched: rows.filter((row) => !row.is_touched),
    gone: ids.filter((runId) => !existing.has(runId)),
  }
}

/** Deletes milestones that are as they were created, and that nothing belongs to; those below others first. */
async function deleteMilestones(db: Database, { claim }: ImportWork, projectId: string): Promise<void> {
  await transactionWithRowMutex(db, projectId, async (tx) => {
    await requireLockedProject(tx, projectId)
    for (;;) {
      const { rows } = await sql<{ id: string }>`${plannedAnew}
        with made as materialized (
          select target from import_records
          where project_id = ${projectId} and import_id = ${claim.id} and kind = 'milestone' and is_done and action = 'create'
        )
        select m.id from made join milestones m on m.project_id = ${projectId} and m.id = made.target::uuid
        where m.updated_at = m.created_at
          and not exists (select from milestones s where s.project_id = ${projectId} and s.parent_id = m.id)
          and not exists (select from runs x where x.project_id = ${projectId} and x.milestone_id = m.id)`.execute(tx)
      const ids = rows.map(({ id }) => id)
      for (const id of ids) await deleteMilestone(tx, projectId, id)
      await deleteLinks(tx, projectId, 'milestone', ids)
      if (ids.length === 0) return
    }
  })
}
