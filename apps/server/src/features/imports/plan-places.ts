import type { RecordAction, RecordKind } from '@caseward/contract/import-kinds'
import { sql } from 'kysely'

import type { Database } from '../../platform/database/connect.ts'
import { plannedAnew } from '../../platform/database/plans.ts'
import type { ClaimedImport } from './imports.queries.ts'
import type { RunTarget } from './plan-runs.ts'
import { toKeyDigest } from './source-links.queries.ts'
import { withWholeJoins } from './whole-joins.ts'

/*
 * Where comments and files of an export are: at a test case, or at a run or one of its results.
 */

/** A place as a plan names it: a result by its run and the digest of the key of its test case. */
export interface PlannedPlace {
  case_digest: string | null
  run_id: string | null
}

/** A place as records of an export name it. */
interface NamedPlace {
  readonly case: string | null
  readonly run: string | null
  readonly result: string | null
}

/** What becomes of an object at a place. */
export type PlaceDecision =
  | { place: PlannedPlace; action: 'create' }
  | { place: null; action: 'deleted_here' | 'not_imported' }

/** What {@link locateResults} stores as the plan of a record. */
export type LocatedResult = { run_id: string; case_digest: string; result_action: RecordAction } | null

/** Finds the results that records of these kinds name, whose plans are made. */
export async function locateResults(
  db: Database,
  { projectId, id }: ClaimedImport,
  kinds: readonly RecordKind[],
): Promise<void> {
  const ofKinds = sql`c.project_id = ${projectId} and c.import_id = ${id} and c.kind in (${sql.join(kinds.map((kind) => sql.lit(kind)))})`
  await withWholeJoins(db, async (tx) => {
    await sql`${plannedAnew} update import_records c set planned = null where ${ofKinds}`.execute(tx)
    // Citus builds no JSON of columns in the update itself.
    await sql`${plannedAnew}
      with located as materialized (
        select c.seq, json_build_object('run_id', r.planned ->> 'run_id', 'case_digest', r.planned ->> 'case_digest',
          'result_action', r.action) as planned
        from import_records c
        join import_records r on r.project_id = ${projectId} and r.import_id = ${id} and r.kind = 'result'
          and r.prepared ->> 'id' = c.record ->> 'result'
        where ${ofKinds}
      )
      update import_records c set planned = located.planned from located
      where c.project_id = ${projectId} and c.import_id = ${id} and c.seq = located.seq`.execute(tx)
  })
}

/** What {@link locateAttachments} adds. */
export type LocatedAttachment = {
  run_id: string | null
  case_digest: string | null
  result_action: RecordAction | null
  comment_id: string | null
} | null

/** Finds the results that attachments are at, and the comments that they were attached for, whose plans are made. */
export async function locateAttachments(db: Database, claim: ClaimedImport): Promise<void> {
  const { projectId, id } = claim
  const ofImport = (name: string) =>
    sql`${sql.ref(name)}.project_id = ${projectId} and ${sql.ref(name)}.import_id = ${id}`
  await locateResults(db, claim, ['attachment'])
  await withWholeJoins(db, async (tx) => {
    await sql`${plannedAnew}
      with located as materialized (
        select c.seq, json_build_object('run_id', c.planned ->> 'run_id', 'case_digest', c.planned ->> 'case_digest',
          'result_action', c.planned ->> 'result_action', 'comment_id', k.target) as planned
        from import_records c
        join import_records k on ${ofImport('k')} and k.kind = 'comment' and k.key = c.record ->> 'comment'
        where ${ofImport('c')} and c.kind = 'attachment' and k.target is not null
      )
      update import_records c set planned = located.planned from located
      where ${ofImport('c')} and c.seq = located.seq`.execute(tx)
  })
}

/** Decides where objects of an export are. */
export type PlaceFinder = (
  named: NamedPlace,
  located: { run_id: string | null; case_digest: string | null; result_action: RecordAction | null } | null,
) => PlaceDecision

const HERE: ReadonlySet<string> = new Set(['create', 'update', 'unchanged', 'conflict'])

/** Reads what becomes of the test cases of the file. Those whose key several have are not found by it. */
export async function createPlaceFinder(
  db: Database,
  { projectId, id }: ClaimedImport,
  { runs, duplicateKeys }: { runs: ReadonlyMap<string, RunTarget>; duplicateKeys: readonly string[] },
): Promise<PlaceFinder> {
  const { rows } = await sql<{ key: string; action: RecordAction }>`${plannedAnew}
    select key, action from import_records
    where project_id = ${projectId} and import_id = ${id} and kind = 'case' and key is not null`.execute(db)
  const cases = new Map(rows.map(({ key, action }) => [key, action]))
  for (const key of duplicateKeys) cases.delete(key)
  return (named, located) => {
    if (named.result !== null) {
      return decide(located?.result_action ?? undefined, () => ({
        run_id: located?.run_id ?? null,
        case_digest: located?.case_digest ?? null,
      }))
    }
    const run = named.run === null ? undefined : runs.get(named.run)
    if (named.run !== null) return decide(run?.action, () => ({ run_id: run?.id ?? null, case_digest: null }))
    const key = named.case ?? ''
    return decide(cases.get(key), () => ({ run_id: null, case_digest: toKeyDigest(key) }))
  }
}

function decide(action: RecordAction | undefined, toPlace: () => PlannedPlace): PlaceDecision {
  if (action !== undefined && HERE.has(action)) return { place: toPlace(), action: 'create' }
  return { place: null, action: action === 'deleted_here' ? action : 'not_imported' }
}
