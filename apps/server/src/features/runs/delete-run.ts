import { sql } from 'kysely'

import type { Database } from '../../platform/database/connect.ts'
import type { RunRef } from '../../access/project-cache.ts'
import { deleteAttachmentsOfRun } from '../attachments/delete-attachments.queries.ts'
import { type AuditActor, recordAudit } from '../audit/record-audit.ts'
import { deleteCommentsOfRun } from '../comments/delete-comments.queries.ts'
import { lockProjectRow } from '../projects/projects.queries.ts'

/**
 * Deletes a run with its results, outcomes, attachments and comments.
 * @returns the run's name, or null when the run or its project is gone
 */
export async function deleteRun(db: Database, actor: AuditActor, { id, project }: RunRef): Promise<string | null> {
  return await db.transaction().execute(async (tx) => {
    await lockProjectRow(tx, project.id)
    const run = await tx
      .deleteFrom('runs')
      .where('id', '=', id)
      .returning(['name', 'attachment_count'])
      .executeTakeFirst()
    if (run === undefined) return null
    for (const table of [
      'test_results',
      'result_changes',
      'test_outcomes',
      'outcome_parts',
      'test_failures',
      'test_verdicts',
      'links',
      'step_results',
      'result_combinations',
    ] as const) {
      await tx.deleteFrom(table).where('project_id', '=', project.id).where('run_id', '=', id).execute()
    }
    await deleteCommentsOfRun(tx, project.id, id)
    if (run.attachment_count !== null) await deleteAttachmentsOfRun(tx, project.id, id)
    await sql`update projects set run_count = run_count - 1 where id = ${project.id}`.execute(tx)
    const subject = { kind: 'run', id, name: run.name } as const
    await recordAudit(tx, actor, { action: 'run.delete', subject, projectId: project.id })
    return run.name
  })
}
