import type { InstanceSettings } from '@caseward/contract/admin'

import type { Database } from '../../platform/database/connect.ts'
import { unprocessableProblem } from '../../platform/http/problems.ts'
import { type AuditActor, recordAudit } from '../audit/record-audit.ts'
import { findUser } from '../auth/users/users.queries.ts'
import { lockInstanceSettings, updateInstanceSettings } from './instance-settings.queries.ts'

/**
 * Changes the settings that are given.
 * @throws {Problem} 422 `own_second_factor_required`
 */
export async function changeSettings(
  db: Database,
  actor: AuditActor,
  changes: Partial<InstanceSettings>,
): Promise<InstanceSettings> {
  return await db.transaction().execute(async (tx) => {
    const before = await lockInstanceSettings(tx)
    const settings = { ...before, ...changes }
    const detail = describeChanges(before, settings)
    if (Object.keys(detail).length === 0) return before
    // An administrator without a second factor would be the first one to be locked out.
    const isNewlyRequired = settings.require_second_factor && !before.require_second_factor
    if (isNewlyRequired && !(await hasSecondFactor(tx, actor))) throw ownSecondFactorRequiredProblem()
    await updateInstanceSettings(tx, settings)
    await recordAudit(tx, actor, {
      action: 'instance.update_settings',
      subject: { kind: 'instance', id: null, name: 'Instance settings' },
      detail,
    })
    return settings
  })
}

const hasSecondFactor = async (tx: Database, { userId }: AuditActor): Promise<boolean> =>
  userId !== null && (await findUser(tx, userId))?.has_second_factor === true

const ownSecondFactorRequiredProblem = () =>
  unprocessableProblem(
    'own_second_factor_required',
    'You have no second factor yourself. Set one up on your account page first, then require it of everyone.',
  )

/** The settings that differ, with both values. */
function describeChanges(before: InstanceSettings, after: InstanceSettings): Record<string, unknown> {
  const names = Object.keys(before) as (keyof InstanceSettings)[]
  const changed = names.filter((name) => before[name] !== after[name])
  return Object.fromEntries(changed.map((name) => [name, { from: before[name], to: after[name] }]))
}
