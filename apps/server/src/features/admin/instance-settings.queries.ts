import { type InstanceSettings, QUOTAS } from '@caseward/contract/admin'

import type { Database } from '../../platform/database/connect.ts'

const fields = ['project_creation', 'require_second_factor', ...QUOTAS] as const

export async function selectInstanceSettings(db: Database): Promise<InstanceSettings> {
  return await db.selectFrom('instance_settings').select(fields).executeTakeFirstOrThrow()
}

/** Locks the settings until the transaction ends, and returns them. */
export async function lockInstanceSettings(tx: Database): Promise<InstanceSettings> {
  return await tx.selectFrom('instance_settings').select(fields).forUpdate().executeTakeFirstOrThrow()
}

export async function updateInstanceSettings(tx: Database, settings: Partial<InstanceSettings>): Promise<void> {
  await tx.updateTable('instance_settings').set(settings).execute()
}
