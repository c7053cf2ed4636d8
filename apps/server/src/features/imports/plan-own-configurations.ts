import {
  MAX_CONFIGURATION_GROUPS,
  MAX_CONFIGURATIONS,
  MAX_GROUP_CONFIGURATIONS,
} from '@caseward/contract/configurations'
import { FIELD_KEY_PATTERN } from '@caseward/contract/fields'
import type { ConfigurationRecord } from '@caseward/importers/records'
import { readTime } from '@caseward/importers/steps/read-time'
import { v7 as uuidv7 } from 'uuid'

import type { Database } from '../../platform/database/connect.ts'
import { type ConfigurationRow, selectConfigurations } from '../configurations/configurations.queries.ts'
import { type PlannedRecord, selectRecords, updatePlannedRecords } from './import-records.queries.ts'
import type { ImportWork } from './import-work.ts'
import { toStoredName } from './stored-name.ts'
import { selectLinks, type Source, toKeyDigest, toShortDigest } from './source-links.queries.ts'

/** A configuration of a bundle, as it is created. */
export type PlannedConfiguration = Omit<ConfigurationRow, 'retired_at' | 'scope'> & {
  retired_at: string | null
  raw_digest: string
}

/** Ids here of configurations of the file, by their keys. */
export type ConfigurationTargets = ReadonlyMap<string, string>

const KEY = new RegExp(FIELD_KEY_PATTERN)
const MAX_VARIANTS = 20

/** Plans the configurations of a bundle: those whose group and key are here stay as they are. */
export async function planOwnConfigurations(
  db: Database,
  { claim }: ImportWork,
  { source, isSelf, importedAt, canCreate }: { source: Source; isSelf: boolean; importedAt: Date; canCreate: boolean },
): Promise<{ targets: ConfigurationTargets; needsSettings: boolean }> {
  // Those of the instance are in no bundle: runs have copies, which stay theirs in the same instance.
  const ofInstance = await selectConfigurations(db, null)
  const targets = new Map(ofInstance.map(({ id }) => [id, id]))
  const rows = await selectRecords<ConfigurationRecord>(db, claim, {
    kind: 'configuration',
    after: 0,
    limit: 2 * MAX_CONFIGURATIONS,
  })
  if (rows.length === 0) return { targets, needsSettings: false }
  const all: Pick<ConfigurationRow, 'id' | 'group_key' | 'group_name' | 'key' | 'name' | 'retired_at'>[] =
    await selectConfigurations(db, claim.projectId)
  const links = await selectLinks(
    db,
    claim.projectId,
    source,
    'configuration',
    rows.map(({ record }) => toKeyDigest(record.key)),
  )
  const planned = rows.map(({ seq, record }, index): PlannedRecord => {
    const { action, configuration } = decide(record, index)
    if (configuration !== null && !targets.has(record.key)) targets.set(record.key, configuration.id)
    return {
      seq,
      action,
      losses: action === 'not_imported' ? ['not_imported:configuration'] : [],
      changed: [],
      planned: configuration,
      place: index,
      target: configuration?.id ?? null,
      is_done: action !== 'create' && action !== 'unchanged',
    }
  })
  await updatePlannedRecords(db, claim, planned)
  return { targets, needsSettings: planned.some(({ action }) => action === 'create') }

  function decide(
    record: ConfigurationRecord,
    index: number,
  ): { action: PlannedRecord['action']; configuration: PlannedConfiguration | null } {
    const refused = { action: 'not_imported', configuration: null } as const
    const { own } = record
    if (own === undefined || !KEY.test(own.group_key) || !KEY.test(own.value_key) || targets.has(record.key)) {
      return refused
    }
    const { group_key: groupKey, value_key: key, variants, position, retired_at: retiredAt } = own
    const group = all.filter((row) => row.group_key === groupKey)
    const existing = group.find((row) => row.key === key)
    const configuration: PlannedConfiguration = {
      id: existing?.id ?? uuidv7({ seq: index }),
      group_key: groupKey,
      group_name: group[0]?.group_name ?? toStoredName(record.group, groupKey),
      key,
      name: toStoredName(record.value, key),
      variants: variants
        .map((variant) => variant.trim())
        .filter((variant) => variant !== '')
        .slice(0, MAX_VARIANTS),
      position: Math.min(Math.max(0, Math.round(position)), MAX_CONFIGURATIONS),
      retired_at: retiredAt === null ? null : (readTime(retiredAt) ?? importedAt).toISOString(),
      raw_digest: toShortDigest(JSON.stringify(record)),
    }
    if (existing !== undefined) return { action: 'unchanged', configuration }
    if (isSelf || links.has(toKeyDigest(record.key))) return { action: 'deleted_here', configuration: null }
    if (!canCreate || !hasRoom(configuration)) return refused
    all.push({ ...configuration, retired_at: configuration.retired_at === null ? null : new Date() })
    return { action: 'create', configuration }
  }

  /** Whether the project can have it: it is no more than it may have, and no other one in use has its name. */
  function hasRoom({ group_key: groupKey, group_name: groupName, name, retired_at: retiredAt }: PlannedConfiguration) {
    if (all.length >= MAX_CONFIGURATIONS) return false
    if (retiredAt !== null) return true
    const active = all.filter((row) => row.retired_at === null)
    const isTaken = active.some((row) =>
      row.group_key === groupKey
        ? row.name.toLowerCase() === name.toLowerCase()
        : row.group_name.toLowerCase() === groupName.toLowerCase(),
    )
    const groups = new Set([...active.map((row) => row.group_key), groupKey])
    const count = active.filter((row) => row.group_key === groupKey).length
    return !isTaken && groups.size <= MAX_CONFIGURATION_GROUPS && count < MAX_GROUP_CONFIGURATIONS
  }
}
