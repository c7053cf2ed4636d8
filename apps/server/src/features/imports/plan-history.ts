import { sql } from 'kysely'

import type { Database } from '../../platform/database/connect.ts'
import { getRetentionStart } from '../retention/retention-batches.ts'
import type { PeopleOfSource } from './resolve-people.ts'
import type { DateReader } from './date-reader.ts'
import type { ImportReading } from './import-summary.ts'
import type { ImportWork } from './import-work.ts'
import { planMilestones } from './plan-milestones.ts'
import type { Mapping } from './plan-mapping.ts'
import type { OwnFields } from './plan-own-fields.ts'
import type { ConfigurationTargets } from './plan-own-configurations.ts'
import { planResults } from './plan-results.ts'
import { planRuns, type RunTarget } from './plan-runs.ts'
import { ImportFailure } from './read-in-worker.ts'
import type { Source } from './source-links.queries.ts'

/** What the service keeps of runs. */
export interface HistoryLimits {
  /** Null keeps all. */
  runRetentionDays: number | null
}

interface HistoryOptions extends HistoryLimits {
  source: Source
  mapping: Mapping
  dates: DateReader
  format: string
  reading: ImportReading
  importedAt: Date
  people: PeopleOfSource
  /** Whether the file is an export of this project. */
  isSelf: boolean
  configurations: ConfigurationTargets
  ownFields: OwnFields
}

/**
 * Plans milestones, runs and results.
 * @returns what becomes of runs, by their keys
 * @throws {ImportFailure} if the project cannot have so many runs
 */
export async function planHistory(
  db: Database,
  work: ImportWork,
  { reading, runRetentionDays, ...options }: HistoryOptions,
): Promise<ReadonlyMap<string, RunTarget>> {
  const keptSince = runRetentionDays === null ? null : getRetentionStart(runRetentionDays)
  const context = { ...options, keptSince }
  const milestones = await planMilestones(db, work, context)
  const runs = await planRuns(db, work, context, milestones)
  await planResults(db, work, context, { reading, runs })
  await requireRoom(db, work, [...runs.values()].filter(({ action }) => action === 'create').length)
  return runs
}

/** Better now than in the middle of the import. */
async function requireRoom(db: Database, { claim }: ImportWork, added: number): Promise<void> {
  if (added === 0) return
  const { rows } = await sql<{ count: number; quota: number | null }>`
    select p.run_count as count, s.max_runs_per_project as quota from projects p cross join instance_settings s
    where p.id = ${claim.projectId}`.execute(db)
  const { count = 0, quota = null } = rows[0] ?? {}
  if (quota === null || count + added <= quota) return
  throw new ImportFailure(
    'quota_reached',
    `The project can have ${quota.toLocaleString('en')} runs, and has ${count.toLocaleString('en')}. The file has ${added.toLocaleString('en')} more. Ask an admin of the service for a higher limit, and resume the import.`,
  )
}
