import type { SuiteErrorRecord } from '@caseward/importers/records'
import { cutText } from '@caseward/matching/note'
import { sql } from 'kysely'

import type { Database } from '../../platform/database/connect.ts'
import { toStoredError } from '../uploads/suite-errors.queries.ts'
import { deriveKeyedId } from './derive-id.ts'
import type { HistoryContext } from './history-context.ts'
import type { PlannedRecord } from './import-records.queries.ts'
import type { ImportWork } from './import-work.ts'
import { planPages, toPlannedRecord } from './plan-pages.ts'
import { readPastTime } from './past-time.ts'
import type { RunTarget } from './plan-runs.ts'

/** An error outside of tests as it is stored. */
export interface PlannedSuiteError {
  id: string
  run_id: string
  location: string
  message: string
  shard: string
  /** The number of the source in its run; null for the first one. */
  source: number | null
  reported_at: string
}

type Context = Pick<HistoryContext, 'source' | 'isSelf' | 'importedAt'> & { runs: ReadonlyMap<string, RunTarget> }

const PAGE = 500
const MAX_SHARD = 255
const LOSS = 'not_imported:suite_error'

/** Plans errors outside of tests. Their ids follow from those in the source, so that they are found again. */
export async function planSuiteErrors(db: Database, work: ImportWork, context: Context): Promise<void> {
  const { claim } = work
  const seen = new Set<string>()
  await planPages<SuiteErrorRecord>(db, work, { kind: 'suite_error', limit: PAGE }, async (rows) => {
    const items = rows.map(({ seq, record }) => ({ seq, record, ...toPlannedError(record, claim.projectId, context) }))
    const existing = await selectExisting(
      db,
      claim.projectId,
      items.map(({ error }) => error.id),
    )
    return items.map(({ seq, record, error, losses }): PlannedRecord => {
      const decided = decide(context.runs.get(record.run), {
        isHere: existing.has(error.id),
        isPossible: error.location.trim() + error.message.trim() !== '' && !seen.has(error.id),
        isSelf: context.isSelf,
      })
      seen.add(error.id)
      return toPlannedRecord(seq, decided, {
        losses: decided === 'create' ? losses : decided === 'not_imported' ? [LOSS] : [],
        planned: error,
        id: error.id,
      })
    })
  })
}

function decide(
  run: RunTarget | undefined,
  { isHere, isPossible, isSelf }: { isHere: boolean; isPossible: boolean; isSelf: boolean },
): 'create' | 'unchanged' | 'deleted_here' | 'not_imported' {
  if (run?.action === 'deleted_here') return 'deleted_here'
  if (run === undefined || run.action === 'not_imported' || !isPossible) return 'not_imported'
  if (isHere) return 'unchanged'
  return isSelf ? 'deleted_here' : 'create'
}

/** Returns what is stored of an error, and what of it gets lost. */
export function toPlannedError(
  record: SuiteErrorRecord,
  projectId: string,
  { source, isSelf, importedAt, runs }: Context,
): { error: PlannedSuiteError; losses: string[] } {
  const { key, location, message, shard } = record
  const losses: string[] = []
  const at = readPastTime(record.at, importedAt, losses)
  if (at === null) losses.push('time_missing')
  const stored = toStoredError(location.replaceAll('\u0000', ''), message.replaceAll('\u0000', ''))
  if (stored.location !== location || stored.message !== message) losses.push('text_cut')
  return {
    error: {
      id: isSelf ? key : deriveKeyedId([projectId, source.system, source.source, 'suite_error'], key),
      run_id: runs.get(record.run)?.id ?? '',
      location: stored.location,
      message: stored.message,
      shard: cutText(shard, MAX_SHARD),
      source: record.source,
      reported_at: at ?? importedAt.toISOString(),
    },
    losses,
  }
}

async function selectExisting(db: Database, projectId: string, ids: readonly string[]): Promise<ReadonlySet<string>> {
  const { rows } = await sql<{ id: string }>`
    select id from suite_errors where project_id = ${projectId} and id::text = any(${[...ids]}::text[])`.execute(db)
  return new Set(rows.map(({ id }) => id))
}
