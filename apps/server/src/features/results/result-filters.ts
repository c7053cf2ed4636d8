import { RESULT_STATUSES } from '@caseward/contract/results'
import type { resultFilters } from '@caseward/contract/results'
import type { Static } from '@caseward/contract/static'
import type { TObject } from 'typebox'

import { toArrayLiteral } from '../../platform/database/array-literal.ts'
import { isUuid } from '../../platform/http/ids.ts'
import { toLikePattern } from '../../platform/http/pagination.ts'
import { toFirstChange } from '../../platform/http/row-pages.ts'
import { RESULT_COUNT } from '../runs/run-counts.ts'

/** `assigned_to` is a user id or `nobody`, and `fieldPath` a predicate of jsonpath on the values of custom fields. */
export type ResultFilters = Static<TObject<typeof resultFilters>> & { fieldPath?: string | undefined }

/** @param userId the caller, in place of `me`; null for a CI token, to which nothing is assigned */
export const resolveAssignee = <F extends ResultFilters>(filters: F, userId: string | null): F =>
  filters.assigned_to === 'me' ? { ...filters, assigned_to: userId ?? '' } : filters

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

/** Whether any filter is set. */
export const isFiltered = (filters: ResultFilters): boolean => filters.status !== undefined || needsCount(filters)

/** Whether the counters of the run are not enough. */
const needsCount = (filters: Omit<ResultFilters, 'status'>): boolean =>
  (filters.search ?? '') !== '' ||
  filters.assigned_to !== undefined ||
  filters.changed_since !== undefined ||
  (filters.defect ?? '') !== '' ||
  filters.fieldPath !== undefined ||
  filters.configuration !== undefined ||
  filters.combination_status !== undefined

export function buildFilters(filters: ResultFilters): FilterSql {
  const { status, search = '', assigned_to, changed_since, defect = '' } = filters
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
  if (assigned_to !== undefined) where += ` and ${buildAssignedTo(assigned_to, addValue)}`
  if (changed_since !== undefined) where += ` and r.changed_at >= ${addValue(toFirstChange(changed_since))}`
  if (defect !== '') where += ` and ${buildHasDefect(defect, addValue)}`
  if (filters.fieldPath !== undefined)
    where += ` and coalesce(r.fields, '{}') @@ ${addValue(filters.fieldPath)}::jsonpath`
  where += buildHasCombination(filters, addValue)
  if (needsCount(filters)) total = `(select count(*) from test_results r where ${IN_RUN}${where})`
  return { where, total, values }
}

/** Nothing is assigned to what is no user id. */
function buildAssignedTo(assignedTo: string, addValue: (value: string) => string): string {
  if (assignedTo === 'nobody') return 'r.assigned_to is null'
  if (!isUuid(assignedTo)) return 'false'
  const user = addValue(assignedTo)
  return `(r.assigned_to = ${user} or (r.combination_state is not null and exists (${OF_RESULT} and k.assigned_to = ${user})))`
}

const OF_RESULT = 'select from result_combinations k where k.project_id = $2 and k.run_id = $1 and k.result_id = r.id'

function buildHasCombination(
  { configuration, combination_status: statuses }: ResultFilters,
  addValue: (value: string) => string,
): string {
  if (configuration === undefined && statuses === undefined) return ''
  const ofConfiguration = configuration === undefined ? '' : ` and k.configuration = ${addValue(String(configuration))}`
  const ofStatus =
    statuses === undefined ? '' : ` and k.status = any(${addValue(toArrayLiteral(statuses))}::result_status[])`
  return ` and r.combination_state is not null and exists (${OF_RESULT}${ofConfiguration}${ofStatus})`
}

function buildHasDefect(defect: string, addValue: (value: string) => string): string {
  // Citus finds the shard of a subquery that remains one by its own values only.
  const isDefect = `l.project_id = $2 and l.run_id = $1 and l.result_id = r.id and l.kind = 'defect'`
  const hasDefect = (condition = '') =>
    `(r.link_count > 0 and exists (select from links l where ${isDefect}${condition}))`
  if (defect === 'any') return hasDefect()
  // Results without links have a count of null.
  if (defect === 'none') return `${hasDefect()} is not true`
  const pattern = addValue(toLikePattern(defect))
  return hasDefect(` and (l.label ilike ${pattern} or l.url ilike ${pattern})`)
}
