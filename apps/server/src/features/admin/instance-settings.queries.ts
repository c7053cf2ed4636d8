import { type InstanceSettings, QUOTAS } from '@caseward/contract/admin'

import type { Database } from '../../platform/database/connect.ts'

const fields = ['project_creation', 'require_second_factor', ...QUOTAS] as const

export async function selectInstanceSettings(db: Database): Promise<InstanceSettings> {
  return toSettings(await db.selectFrom('instance_settings').select(fields).executeTakeFirstOrThrow())
}

/** Locks the settings until the transaction ends, and returns them. */
export async function lockInstanceSettings(tx: Database): Promise<InstanceSettings> {
  return toSettings(await tx.selectFrom('instance_settings').select(fields).forUpdate().executeTakeFirstOrThrow())
}

type SettingsRow = Omit<InstanceSettings, 'max_file_bytes_per_project'> & {
  max_file_bytes_per_project: string | number | null
}

const toSettings = ({ max_file_bytes_per_project: bytes, ...settings }: SettingsRow): InstanceSettings => ({
  ...settings,
  max_file_bytes_per_project: bytes === null ? null : Number(bytes),
})

/** Saves the settings. Other fields, which a body may have, are ignored. */
export async function updateInstanceSettings(tx: Database, values: InstanceSettings): Promise<void> {
  const settings = Object.fromEntries(fields.map((field) => [field, values[field]]))
  await tx.updateTable('instance_settings').set(settings).execute()
}
