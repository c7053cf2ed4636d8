import { toStoredJson } from '@caseward/importers/stored-json'
import { sql } from 'kysely'

import type { Database } from '../../platform/database/connect.ts'
import { readFields } from '../fields/project-fields.ts'
import { selectCases } from './apply-results.queries.ts'
import { type DoneRecord, markDone, selectWaiting, type WaitingRecord } from './import-records.queries.ts'
import type { ClaimedImport } from './imports.queries.ts'
import { toStoredFields } from './own-field-values.ts'
import type { PlannedCaseVersion } from './plan-case-versions.ts'
import type { Source } from './source-links.queries.ts'

const BATCH = 200

type Waiting = WaitingRecord<PlannedCaseVersion>

/**
 * Gives test cases that the import has created the versions that they had, the oldest first. The caller holds the lock on the project.
 * @returns how many were done; 0 at the end
 */
export async function applyCaseVersions(
  tx: Database,
  claim: ClaimedImport,
  { source }: { source: Source },
): Promise<number> {
  const { projectId } = claim
  const waiting = await selectWaiting<PlannedCaseVersion>(tx, claim, 'case_version', BATCH)
  if (waiting.length === 0) return 0
  const digests = [...new Set(waiting.map(({ planned }) => planned.case_digest))]
  const cases = await selectCases(tx, projectId, source, digests)
  const versions = await lockVersions(
    tx,
    projectId,
    [...cases.values()].map(({ number }) => number),
  )
  const stored = await toStoredValues(tx, projectId, waiting)
  const rows: object[] = []
  const done = waiting.map(({ seq, planned, losses }, index): DoneRecord => {
    const number = cases.get(planned.case_digest)?.number
    const current = number === undefined ? undefined : versions.get(number)
    if (number === undefined || current === undefined) return { seq, action: 'deleted_here', target: null, losses: [] }
    // Someone has changed the test case meanwhile.
    if (planned.version < current) {
      return { seq, action: 'not_imported', target: null, losses: ['not_imported:case_version'] }
    }
    versions.set(number, planned.next_version)
    const { before, changed, isLost } = stored[index] ?? { before: {}, changed: [], isLost: false }
    rows.push({ ...planned, case_number: number, before, changed })
    const stated = isLost ? [...new Set([...losses, 'not_imported:values_of_versions'])] : losses
    return { seq, action: 'create', target: String(number), losses: stated }
  })
  await insertVersions(tx, projectId, rows)
  await updateVersions(tx, projectId, versions)
  await markDone(tx, claim, done)
  return waiting.length
}

/** Names custom fields by their numbers. */
async function toStoredValues(tx: Database, projectId: string, waiting: readonly Waiting[]) {
  const fields = await readFields(tx, projectId)
  const converted = await toStoredFields(
    tx,
    projectId,
    'case',
    waiting.map(({ planned }) => planned.fields),
  )
  return waiting.map(({ planned }, index) => {
    const { values = null, isLost = false } = converted[index] ?? {}
    const numberOf = (key: string) => fields.byKey.get(key)?.number
    const empty = planned.empty_fields.flatMap((key) => {
      const number = numberOf(key)
      return number === undefined ? [] : [[`fields.${number}`, null] as const]
    })
    const filled = Object.entries(values ?? {}).map(([number, value]) => [`fields.${number}`, value] as const)
    const before = { ...planned.before, ...Object.fromEntries([...filled, ...empty]) }
    const changed = planned.changed.map((name) => {
      if (!name.startsWith('fields.')) return name
      const number = `fields.${numberOf(name.slice('fields.'.length))}`
      return number in before ? number : 'fields'
    })
    return { before, changed: [...new Set(changed)], isLost }
  })
}

/** Locks test cases, and returns their versions by number. */
async function lockVersions(tx: Database, projectId: string, numbers: readonly number[]): Promise<Map<number, number>> {
  const { rows } = await sql<{ number: number; version: number }>`
    select number, version from test_cases where project_id = ${projectId} and number = any(${[...numbers]}::int[])
    order by number for no key update`.execute(tx)
  return new Map(rows.map(({ number, version }) => [number, version]))
}

async function insertVersions(tx: Database, projectId: string, rows: readonly object[]): Promise<void> {
  if (rows.length === 0) return
  await sql`
    insert into case_versions (project_id, case_number, version, next_version, before, changed, changed_by, via, summary,
      started_at, changed_at)
    select ${projectId}::uuid, case_number, version, next_version, before,
      array(select json_array_elements_text(item.changed)), changed_by, via::version_source, summary, started_at, changed_at
    from json_to_recordset(${toStoredJson(rows)}) as item (
      case_number int, version int, next_version int, before json, changed json, changed_by uuid, via text, summary text,
      started_at timestamptz, changed_at timestamptz
    )`.execute(tx)
}

async function updateVersions(tx: Database, projectId: string, versions: ReadonlyMap<number, number>): Promise<void> {
  const items = [...versions].map(([number, version]) => ({ number, version }))
  await sql`
    update test_cases c set version = item.version
    from json_to_recordset(${JSON.stringify(items)}) as item (number int, version int)
    where c.project_id = ${projectId} and c.number = item.number and c.version < item.version`.execute(tx)
}
