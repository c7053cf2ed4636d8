import type { Database } from '../../platform/database/connect.ts'
import { type AuditActor, recordAudit } from '../audit/record-audit.ts'
import { insertProject, type ProjectRow } from './projects.queries.ts'

/** Creates a project with its first admin. */
export async function createProject(
  db: Database,
  actor: AuditActor,
  fields: { name: string; prefix: string; description: string; adminId: string },
): Promise<ProjectRow> {
  return await db.transaction().execute(async (tx) => {
    const project = await insertProject(tx, fields)
    const { id, name, prefix } = project
    const subject = { kind: 'project', id, name } as const
    await recordAudit(tx, actor, { action: 'project.create', subject, projectId: id, detail: { prefix } })
    return project
  })
}
