import type { Database } from '../../platform/database/connect.ts'
import { isUuid } from '../../platform/http/ids.ts'
import { notFoundProblem } from '../../platform/http/problems.ts'
import { type AuditActor, recordAudit } from '../audit/record-audit.ts'
import { hasShare, updateRevoked } from './shares.queries.ts'

/**
 * Revokes a shared report. One that was revoked already stays as it is.
 * @throws {Problem} 404 when the project has no such report
 */
export async function revokeShare(db: Database, actor: AuditActor, projectId: string, id: string): Promise<void> {
  await db.transaction().execute(async (tx) => {
    const share = isUuid(id) ? await updateRevoked(tx, projectId, id) : undefined
    if (share === undefined) {
      if (isUuid(id) && (await hasShare(tx, projectId, id))) return
      throw notFoundProblem('shared report')
    }
    const { name, run_id: runId, milestone_id: milestoneId } = share
    await recordAudit(tx, actor, {
      action: 'share.revoke',
      subject: { kind: 'share', id, name },
      projectId,
      detail: runId === null ? { milestone_id: milestoneId } : { run_id: runId },
    })
  })
}
