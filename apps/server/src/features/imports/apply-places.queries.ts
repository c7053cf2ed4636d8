import { sql } from 'kysely'

import type { Database } from '../../platform/database/connect.ts'
import { lockRuns, selectCases, toPlaceKey } from './apply-results.queries.ts'
import type { PlannedPlace } from './plan-places.ts'
import type { Source } from './source-links.queries.ts'

/** A place of the project: a test case, or a run or one of its results. */
export interface FoundPlace {
  case_number: number | null
  run_id: string | null
  result_id: string | null
}

/** Finds places of a plan, and locks their runs. Returns null for one that is gone. */
export async function findPlaces(
  tx: Database,
  projectId: string,
  source: Source,
  places: readonly PlannedPlace[],
): Promise<(FoundPlace | null)[]> {
  const digests = [...new Set(places.flatMap(({ case_digest: digest }) => digest ?? []))]
  const cases = digests.length === 0 ? new Map() : await selectCases(tx, projectId, source, digests)
  const runIds = [...new Set(places.flatMap(({ run_id: id }) => id ?? []))]
  const runs = new Map(
    (runIds.length === 0 ? [] : await lockRuns(tx, projectId, runIds)).map((run) => [run.id, run] as const),
  )
  const found = places.map(({ case_digest: digest, run_id: runId }) => ({
    number: digest === null ? null : ((cases.get(digest)?.number as number | undefined) ?? null),
    run: runId === null ? null : (runs.get(runId) ?? null),
  }))
  const wanted = found.flatMap(({ number, run }) =>
    number === null || run === null ? [] : [{ run_id: run.id, run_group: run.run_group, number }],
  )
  const results = await selectResultIds(tx, projectId, wanted)
  return places.map(({ case_digest: digest, run_id: runId }, index): FoundPlace | null => {
    const { number = null, run = null } = found[index] ?? {}
    if (runId === null) return number === null ? null : { case_number: number, run_id: null, result_id: null }
    if (run === null) return null
    if (digest === null) return { case_number: null, run_id: run.id, result_id: null }
    const result = number === null ? undefined : results.get(toPlaceKey(run.id, number))
    return result === undefined ? null : { case_number: null, run_id: run.id, result_id: result }
  })
}

async function selectResultIds(
  tx: Database,
  projectId: string,
  wanted: readonly { run_id: string; run_group: number; number: number }[],
): Promise<Map<string, string>> {
  if (wanted.length === 0) return new Map()
  const { rows } = await sql<{ run_id: string; number: number; id: string }>`
    select item.run_id, item.number, t.id
    from json_to_recordset(${JSON.stringify(wanted)}) as item (run_id uuid, run_group int, number int)
    cross join lateral (
      select r.id from test_results r where r.project_id = ${projectId} and r.run_group = item.run_group
        and r.case_number = item.number and r.run_id = item.run_id limit 1
    ) t`.execute(tx)
  return new Map(rows.map(({ run_id: runId, number, id }) => [toPlaceKey(runId, number), id]))
}
