import { sql } from 'kysely'

import type { Database } from '../../platform/database/connect.ts'
import { recordAudit, SYSTEM_ACTOR } from '../audit/record-audit.ts'

/** Records what is deleted of a project today, once: later runs of the job only continue. */
export async function recordRetention(
  tx: Database,
  action: 'project.delete_old_runs' | 'project.delete_old_tests' | 'project.remove_old_files',
  project: { id: string; name: string },
  { before, detail }: { before: Date; detail: Record<string, number> },
): Promise<void> {
  const { rows } = await sql`
    select from audit_log
    where project_id = ${project.id} and action = ${action} and detail->>'before' = ${before.toISOString()}
    limit 1`.execute(tx)
  if (rows.length > 0) return
  await recordAudit(tx, SYSTEM_ACTOR, {
    action,
    subject: { kind: 'project', id: project.id, name: project.name },
    projectId: project.id,
    detail: { before: before.toISOString(), ...detail },
  })
}
