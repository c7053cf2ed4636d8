import type { CaseSettings } from '@caseward/contract/case-settings'

import type { Database } from '../../platform/database/connect.ts'
import { type AuditActor, recordAudit } from '../audit/record-audit.ts'
import { lockProjectRow } from '../projects/projects.queries.ts'

/** How the test cases of a project are written; undefined when the project is gone. */
export const selectCaseSettings = (db: Database, projectId: string): Promise<CaseSettings | undefined> =>
  db.selectFrom('projects').select(['default_template', 'aliases_first']).where('id', '=', projectId).executeTakeFirst()

/** Changes the settings that are given; returns undefined when the project is gone. */
export async function changeCaseSettings(
  db: Database,
  actor: AuditActor,
  projectId: string,
  { default_template, aliases_first }: Partial<CaseSettings>,
): Promise<CaseSettings | undefined> {
  return await db.transaction().execute(async (tx) => {
    const project = await lockProjectRow(tx, projectId)
    const before = await selectCaseSettings(tx, projectId)
    if (project === undefined || before === undefined) return undefined
    const after = {
      default_template: default_template ?? before.default_template,
      aliases_first: aliases_first ?? before.aliases_first,
    }
    const changed = (['default_template', 'aliases_first'] as const).filter((name) => before[name] !== after[name])
    if (changed.length === 0) return before
    await tx.updateTable('projects').set(after).where('id', '=', projectId).execute()
    await recordAudit(tx, actor, {
      action: 'project.update',
      subject: { kind: 'project', id: projectId, name: project.name },
      projectId,
      detail: Object.fromEntries(changed.map((name) => [name, { from: before[name], to: after[name] }])),
    })
    return after
  })
}
