import type { InstanceSettings } from '@caseward/contract/admin'

import type { Database } from '../../platform/database/connect.ts'
import { type AuditActor, recordAudit } from '../audit/record-audit.ts'
import { lockInstanceSettings, updateInstanceSettings } from './instance-settings.queries.ts'

/** Changes the settings that are given. */
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
    await updateInstanceSettings(tx, settings)
    await recordAudit(tx, actor, {
      action: 'instance.update_settings',
      subject: { kind: 'instance', id: null, name: 'Instance settings' },
      detail,
    })
    return settings
  })
}

/** The settings that differ, with both values. */
function describeChanges(before: InstanceSettings, after: InstanceSettings): Record<string, unknown> {
  const names = Object.keys(before) as (keyof InstanceSettings)[]
  const changed = names.filter((name) => before[name] !== after[name])
  return Object.fromEntries(changed.map((name) => [name, { from: before[name], to: after[name] }]))
}
