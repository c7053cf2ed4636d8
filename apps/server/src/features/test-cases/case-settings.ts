import type { CaseSettings } from '@caseward/contract/case-settings'

import type { Database } from '../../platform/database/connect.ts'
import { type AuditActor, recordAudit } from '../audit/record-audit.ts'
import { lockProjectRow } from '../projects/projects.queries.ts'

/** How the test cases of a project are written; undefined when the project is gone. */
export const selectCaseSettings = (db: Database, projectId: string): Promise<CaseSettings | undefined> =>
  db.selectFrom('projects').select('default_template').where('id', '=', projectId).executeTakeFirst()

/** Changes the settings that are given; returns undefined when the project is gone. */
export async function changeCaseSettings(
  db: Database,
  actor: AuditActor,
  projectId: string,
  { default_template: template }: Partial<CaseSettings>,
): Promise<CaseSettings | undefined> {
  return await db.transaction().execute(async (tx) => {
    const project = await lockProjectRow(tx, projectId)
    const before = await selectCaseSettings(tx, projectId)
    if (project === undefined || before === undefined) return undefined
    if (template === undefined || template === before.default_template) return before
    await tx.updateTable('projects').set({ default_template: template }).where('id', '=', projectId).execute()
    await recordAudit(tx, actor, {
      action: 'project.update',
      subject: { kind: 'project', id: projectId, name: project.name },
      projectId,
      detail: { default_template: { from: before.default_template, to: template } },
    })
    return { default_template: template }
  })
}
