import type { Database } from '../../platform/database/connect.ts'
import { type AuditActor, recordAudit } from '../audit/record-audit.ts'
import { lockProjectRow, type ProjectRow, selectProject, updateProject } from './projects.queries.ts'

/** Changes the fields that are given; returns undefined when there is no such project. */
export async function changeProject(
  db: Database,
  actor: AuditActor,
  id: string,
  { name, description }: { name: string | undefined; description: string | undefined },
): Promise<ProjectRow | undefined> {
  if (name === undefined && description === undefined) return await selectProject(db, id)
  return await db.transaction().execute(async (tx) => {
    const before = await lockProjectRow(tx, id)
    const project = await updateProject(tx, id, { name, description })
    if (before === undefined || project === undefined) return undefined
    await recordAudit(tx, actor, {
      action: 'project.update',
      subject: { kind: 'project', id, name: project.name },
      projectId: id,
      // A description may be long, and is not kept.
      detail: {
        ...(name === undefined ? {} : { name: { from: before.name, to: project.name } }),
        ...(description === undefined ? {} : { description: 'changed' }),
      },
    })
    return project
  })
}
