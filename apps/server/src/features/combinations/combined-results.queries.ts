import type { ResultStatus } from '@caseward/contract/results'
import { sql } from 'kysely'

import type { RunRef } from '../../access/project-cache.ts'
import type { Database } from '../../platform/database/connect.ts'
import { STATUSES } from './roll-up.queries.ts'
import type { CombinationWrite } from './write-combinations.queries.ts'

/** A result with combinations. */
export interface CombinedResult {
  id: string
  case_number: number | null
  tested_by: string | null
  status: ResultStatus
  /** Whether a server that knows nothing of combinations has set its status since they were written. */
  is_set_apart: boolean
}

/** {@link CombinedResult.is_set_apart} of a result `r`. */
export const IS_SET_APART = sql.raw(`r.status <> (${STATUSES})[r.combination_state + 1]`)

/** Those of these test cases, or results, of a run whose result has combinations. */
export async function selectCombinedResults(
  tx: Database,
  { id, group, project }: RunRef,
  keys: { caseNumbers: readonly number[] } | { resultId: string },
): Promise<CombinedResult[]> {
  const isOne =
    'resultId' in keys
      ? sql`r.id = ${keys.resultId}`
      : sql`r.run_group = ${group} and r.case_number = any(${`{${keys.caseNumbers.join(',')}}`}::int[])`
  const { rows } = await sql<CombinedResult>`
    select r.id, r.case_number, r.tested_by, r.status,
      ${IS_SET_APART} as is_set_apart
    from test_results r
    where r.project_id = ${project.id} and r.run_id = ${id} and ${isOne} and r.combination_state is not null`.execute(
    tx,
  )
  return rows
}

/** When the newest combination of each result, or the one at a place, was tested; null if none was, and missing if there is none. */
export async function selectCombinationTimes(
  tx: Database,
  { id, project }: RunRef,
  writes: readonly Pick<CombinationWrite, 'resultId' | 'place'>[],
): Promise<Map<string, Date | null>> {
  const { rows } = await sql<{ result_id: string; place: number; tested_at: Date | null }>`
    select input.result_id, coalesce(input.place, 0) as place, max(c.tested_at) as tested_at
    from unnest(${writes.map(({ resultId }) => resultId)}::uuid[], ${writes.map(({ place }) => place)}::smallint[])
      as input (result_id, place)
    join result_combinations c on c.project_id = ${project.id} and c.run_id = ${id} and c.result_id = input.result_id
      and (input.place is null or c.place = input.place)
    group by 1, 2`.execute(tx)
  return new Map(rows.map((row) => [`${row.result_id} ${row.place}`, row.tested_at]))
}
