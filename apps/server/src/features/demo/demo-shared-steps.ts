import { sql } from 'kysely'

import type { Database } from '../../platform/database/connect.ts'
import type { ProjectRef } from '../../access/project-cache.ts'
import type { AuditActor } from '../audit/record-audit.ts'
import { createSharedStep, updateSharedStep } from '../shared-steps/change-shared-steps.ts'

/** What several test cases begin with. */
export const SIGN_IN = [
  ['Open "Sign in"', 'The cursor is in the email field'],
  ['Enter email address and password of a customer', 'The password is hidden'],
  ['Press "Sign in"', 'The name of the customer is in the header'],
] as const

const toSteps = (steps: readonly (readonly [string, string])[]) =>
  steps.map(([action, expected], index) => ({ position: index + 1, action, expected }))

/** Adds the shared step {@link SIGN_IN}, which has been changed once, and returns its id. */
export async function addSharedStep(
  db: Database,
  actor: AuditActor,
  project: ProjectRef,
  adminId: string,
): Promise<string> {
  const changer = { actor, author: { userId: adminId, tokenId: null, via: 'web' as const, summary: null } }
  const [open, , press] = SIGN_IN
  const earlier = [open, ['Enter user name and password', 'The password is hidden'], press] as const
  const { id } = await createSharedStep(db, project, changer, { title: 'Sign in', steps: toSteps(earlier) })
  await updateSharedStep(db, project, changer, id, { steps: toSteps(SIGN_IN), apply_to: 'all' }, null)
  return id
}

/** Lets the shared steps be older than the test cases. */
export async function ageSharedSteps(tx: Database, projectId: string, createdAt: Date): Promise<void> {
  await sql`
    update shared_steps set created_at = ${createdAt}, updated_at = ${createdAt} where project_id = ${projectId}`.execute(
    tx,
  )
  await sql`update shared_step_versions set changed_at = ${createdAt} where project_id = ${projectId}`.execute(tx)
}
