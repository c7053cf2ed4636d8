import { RESULT_STATUSES } from '@caseward/contract/results'
import type { resultFilters } from '@caseward/contract/results'
import type { Static, TObject } from 'typebox'

import { toArrayLiteral } from '../../platform/database/array-literal.ts'
import { toLikePattern } from '../../platform/http/pagination.ts'
import { toFirstChange } from '../../platform/http/row-pages.ts'
import { RESULT_COUNT } from '../runs/run-counts.ts'

export type ResultFilters = Static<TObject<typeof resultFilters>>

/** Filters of the results of a run `run`. */
export interface FilterSql {
  /** Conditions on a result `r`, each after `and`; empty without a filter. */
  where: string
  /** The number of results on all pages, from the run's counters where they are enough. */
  total: string
  /** The parameters, from `$3` on. `$1` is the run and `$2` its project. */
  values: string[]
}

/** Results of the run; see {@link FilterSql}. */
export const IN_RUN = 'r.project_id = $2 and r.run_id = $1'

export function buildFilters({ status, search = '', changed_since }: ResultFilters): FilterSql {
  const values: string[] = []
  const addValue = (value: string) => `$${values.push(value) + 2}`
  let where = ''
  let total = RESULT_COUNT
  if (status !== undefined) {
    const statuses = `${addValue(toArrayLiteral(status))}::result_status[]`
    where += ` and r.status = any(${statuses})`
    total = `(${RESULT_STATUSES.map((name) => `case when '${name}' = any(${statuses}) then run.${name}_count else 0 end`).join(' + ')})`
  }
  if (search !== '') where += ` and r.title ilike ${addValue(toLikePattern(search))}`
  if (changed_since !== undefined) where += ` and r.changed_at >= ${addValue(toFirstChange(changed_since))}`
  if (search !== '' || changed_since !== undefined)
    total = `(select count(*) from test_results r where ${IN_RUN}${where})`
  return { where, total, values }
}
