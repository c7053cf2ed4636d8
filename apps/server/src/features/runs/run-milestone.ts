import type { FieldError } from '@caseward/contract/problem'

import { type Database, violatesConstraint } from '../../platform/database/connect.ts'
import { isUuid } from '../../platform/http/ids.ts'

export const UNKNOWN_MILESTONE: FieldError = { path: '/milestone_id', message: 'is not a milestone of this project' }

/** Whether a write failed because the run's milestone is not in the project, or no longer. */
export const isMilestoneViolation = (error: unknown): boolean =>
  violatesConstraint(error, 'runs_project_id_milestone_id_fkey')

export async function milestoneExists(tx: Database, projectId: string, id: string): Promise<boolean> {
  if (!isUuid(id)) return false
  const milestone = await tx
    .selectFrom('milestones')
    .select('id')
    .where('project_id', '=', projectId)
    .where('id', '=', id)
    .executeTakeFirst()
  return milestone !== undefined
}
