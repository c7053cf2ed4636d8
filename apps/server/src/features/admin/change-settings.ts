import type { InstanceSettings } from '@caseward/contract/admin'

import type { Database } from '../../platform/database/connect.ts'
import { type AuditActor, recordAudit } from '../audit/record-audit.ts'
import { lockInstanceSettings, updateInstanceSettings } from './instance-settings.queries.ts'

/** Changes the settings that are given. */
export async function changeSettings(
  db: Database,
  actor: AuditActor,
  { project_creation: newValue }: Partial<InstanceSettings>,
): Promise<InstanceSettings> {
  return await db.transaction().execute(async (tx) => {
    const before = await lockInstanceSettings(tx)
    if (newValue === undefined || newValue === before.project_creation) return before
    const settings = { project_creation: newValue }
    await updateInstanceSettings(tx, settings)
    await recordAudit(tx, actor, {
      action: 'instance.update_settings',
      subject: { kind: 'instance', id: null, name: 'Instance settings' },
      detail: { project_creation: { from: before.project_creation, to: newValue } },
    })
    return settings
  })
}
