import type { InstanceSettings } from '@caseward/contract/admin'

import type { Database } from '../../platform/database/connect.ts'

export async function selectInstanceSettings(db: Database): Promise<InstanceSettings> {
  return await db.selectFrom('instance_settings').select('project_creation').executeTakeFirstOrThrow()
}

/** Locks the settings until the transaction ends, and returns them. */
export async function lockInstanceSettings(tx: Database): Promise<InstanceSettings> {
  return await tx.selectFrom('instance_settings').select('project_creation').forUpdate().executeTakeFirstOrThrow()
}

export async function updateInstanceSettings(tx: Database, settings: InstanceSettings): Promise<void> {
  await tx.updateTable('instance_settings').set(settings).execute()
}
