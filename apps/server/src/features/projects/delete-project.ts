import type { Database } from '../../platform/database/connect.ts'
import { type AuditActor, recordAudit } from '../audit/record-audit.ts'
import { deleteFilesOfProject } from '../attachments/delete-attachments.queries.ts'

/**
 * Deletes a project with everything in it. Locks the project's row first: a request that would still write into the
 * project waits for that lock and then finds no project.
 * @returns the project's name, or null when it does not exist
 */
export async function deleteProject(db: Database, actor: AuditActor, id: string): Promise<string | null> {
  return await db.transaction().execute(async (tx) => {
    const project = await tx.selectFrom('projects').select('name').where('id', '=', id).forUpdate().executeTakeFirst()
    if (project === undefined) return null
    const subject = { kind: 'project', id, name: project.name } as const
    await recordAudit(tx, actor, { action: 'project.delete', subject, projectId: id })
    await tx.selectFrom('runs').select('id').where('project_id', '=', id).orderBy('id').forUpdate().execute()
    await tx.deleteFrom('test_results').where('project_id', '=', id).execute()
    await tx.deleteFrom('result_changes').where('project_id', '=', id).execute()
    await tx.deleteFrom('test_outcomes').where('project_id', '=', id).execute()
    await tx.deleteFrom('outcome_parts').where('project_id', '=', id).execute()
    await tx.deleteFrom('failure_signatures').where('project_id', '=', id).execute()
    await tx.deleteFrom('test_failures').where('project_id', '=', id).execute()
    await tx.deleteFrom('test_verdicts').where('project_id', '=', id).execute()
    await tx.deleteFrom('step_results').where('project_id', '=', id).execute()
    await tx.deleteFrom('result_combinations').where('project_id', '=', id).execute()
    await tx.deleteFrom('case_field_values').where('project_id', '=', id).execute()
    await tx.deleteFrom('links').where('project_id', '=', id).execute()
    await tx.deleteFrom('comments').where('project_id', '=', id).execute()
    // Whoever reads a file locks its import, and then finds none.
    await tx.deleteFrom('imports').where('project_id', '=', id).execute()
    await tx.deleteFrom('import_records').where('project_id', '=', id).execute()
    await tx.deleteFrom('source_links').where('project_id', '=', id).execute()
    await tx.deleteFrom('import_files').where('project_id', '=', id).execute()
    await deleteFilesOfProject(tx, id)
    await tx.deleteFrom('projects').where('id', '=', id).execute()
    return project.name
  })
}
