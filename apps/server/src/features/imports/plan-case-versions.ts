import { MAX_CASE_VERSIONS, VERSION_SOURCES, type VersionSource } from '@caseward/contract/case-versions'
import type { RecordAction } from '@caseward/contract/import-kinds'
import type { CaseVersionRecord } from '@caseward/importers/records'
import { readTime } from '@caseward/importers/steps/read-time'
import { cutText } from '@caseward/matching/note'
import { sql } from 'kysely'

import type { Database } from '../../platform/database/connect.ts'
import { plannedAnew } from '../../platform/database/plans.ts'
import type { HistoryContext } from './history-context.ts'
import type { PlannedRecord } from './import-records.queries.ts'
import type { ImportWork } from './import-work.ts'
import { type CreateAction, planPages, toPlannedRecord } from './plan-pages.ts'
import { readPastTime } from './past-time.ts'
import { type EarlierValues, planEarlierValues, type VersionContext } from './plan-earlier-values.ts'
import { toKeyDigest } from './source-links.queries.ts'

/** What a test case was in a version that has ended, as it is stored. */
export interface PlannedCaseVersion extends EarlierValues {
  case_digest: string
  version: number
  next_version: number
  changed_at: string
  started_at: string | null
  changed_by: string | null
  via: VersionSource
  summary: string | null
}

type Context = Pick<HistoryContext, 'importedAt' | 'isSelf'> & VersionContext & { duplicateKeys: readonly string[] }

interface CaseTarget {
  action: RecordAction
  target: string | null
}

/** As it was staged. Imports that an earlier version has read have only the key. */
type StagedVersion = Pick<CaseVersionRecord, 'key'> & Partial<CaseVersionRecord>

const PAGE = 200
const MAX_VERSION = 2_147_483_647
const MAX_SUMMARY = 500

/** Plans earlier versions of test cases: they come with those that are created. */
export async function planCaseVersions(db: Database, work: ImportWork, context: Context): Promise<void> {
  const { claim } = work
  let cases: Map<string, CaseTarget> | null = null
  const counts = new Map<string, number>()
  await planPages<StagedVersion>(db, work, { kind: 'case_version', limit: PAGE }, async (rows) => {
    cases ??= await selectCaseTargets(db, work, context.duplicateKeys)
    const known = cases
    const existing = await selectExisting(
      db,
      claim.projectId,
      rows.flatMap(({ record }) => {
        const number = known.get(record.case ?? '')?.target ?? null
        return number === null || !isVersion(record.version)
          ? []
          : [{ number: Number(number), version: record.version }]
      }),
    )
    return rows.map(({ seq, record }): PlannedRecord => {
      const found = known.get(record.case ?? '')
      const count = (counts.get(record.case ?? '') ?? 0) + 1
      counts.set(record.case ?? '', count)
      const { version, losses } = toPlanned(record, context)
      const decided = decide(record, found, { isFull: count > MAX_CASE_VERSIONS, existing })
      return toPlannedRecord(seq, decided.action, {
        losses: decided.action === 'create' ? losses : decided.losses,
        planned: version,
        id: null,
        // A test case gets its versions in their order.
        place: version.version,
      })
    })
  })
}

const isVersion = (version: number | undefined): version is number =>
  version !== undefined && Number.isInteger(version) && version >= 1 && version <= MAX_VERSION

function decide(
  { version, next_version: next }: StagedVersion,
  found: CaseTarget | undefined,
  { isFull, existing }: { isFull: boolean; existing: ReadonlySet<string> },
): { action: CreateAction; losses: string[] } {
  const refused = { action: 'not_imported', losses: ['not_imported:case_version'] } as const
  if (found === undefined || found.action === 'not_imported') return { ...refused, losses: [...refused.losses] }
  if (found.action === 'deleted_here') return { action: 'deleted_here', losses: [] }
  const isPossible = isVersion(version) && isVersion(next) && next > version && !isFull
  if (!isPossible) return { ...refused, losses: [...refused.losses] }
  if (found.action === 'create') return { action: 'create', losses: [] }
  const isHere = existing.has(`${found.target} ${version}`)
  return isHere
    ? { action: 'unchanged', losses: [] }
    : { action: 'not_imported', losses: ['case_versions_of_existing'] }
}

function toPlanned(record: StagedVersion, context: Context): { version: PlannedCaseVersion; losses: string[] } {
  const { people, importedAt } = context
  const { before = {}, changed = [], changed_by: changedBy = '', summary = '' } = record
  const { values, isLost } = planEarlierValues(before, changed, context)
  const losses = isLost ? ['not_imported:values_of_versions'] : []
  const changedAt = readPastTime(record.changed_at, importedAt, losses)
  if (changedAt === null) losses.push('time_missing')
  return {
    version: {
      case_digest: toKeyDigest(record.case ?? ''),
      version: isVersion(record.version) ? record.version : 0,
      next_version: isVersion(record.next_version) ? record.next_version : 0,
      ...values,
      changed_at: changedAt ?? importedAt.toISOString(),
      started_at: readTime(record.started_at ?? '')?.toISOString() ?? null,
      changed_by: people.find(changedBy),
      via: VERSION_SOURCES.find((known) => known === record.via) ?? 'import',
      summary: summary === '' ? null : cutText(summary, MAX_SUMMARY),
    },
    losses,
  }
}

/** What becomes of the test cases of the file, by key. Those whose key several have are not found by it. */
async function selectCaseTargets(
  db: Database,
  { claim }: ImportWork,
  duplicateKeys: readonly string[],
): Promise<Map<string, CaseTarget>> {
  const { rows } = await sql<CaseTarget & { key: string }>`${plannedAnew}
    select key, action, target from import_records
    where project_id = ${claim.projectId} and import_id = ${claim.id} and kind = 'case' and key is not null`.execute(db)
  const cases = new Map(rows.map(({ key, ...target }) => [key, target]))
  for (const key of duplicateKeys) cases.delete(key)
  return cases
}

/** Selects which versions test cases have here. */
async function selectExisting(
  db: Database,
  projectId: string,
  wanted: readonly { number: number; version: number }[],
): Promise<ReadonlySet<string>> {
  if (wanted.length === 0) return new Set()
  const { rows } = await sql<{ number: number; version: number }>`
    select v.case_number as number, v.version
    from json_to_recordset(${JSON.stringify(wanted)}) as item (number int, version int)
    join case_versions v on v.project_id = ${projectId} and v.case_number = item.number and v.version = item.version`.execute(
    db,
  )
  return new Set(rows.map(({ number, version }) => `${number} ${version}`))
}
