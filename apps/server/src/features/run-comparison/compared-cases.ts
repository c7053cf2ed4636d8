import type { ComparedItem } from '@caseward/contract/run-comparison'

import { type ColumnsOf, defineColumns } from '../../platform/database/columns.ts'
import { toJsonString, toPlainJsonString, toRawJson } from '../../platform/http/json-text.ts'
import { resultFields } from '../results/result-columns.ts'
import { buildFirstLine } from '../results/result-rows.ts'
import { buildChange, buildSide, type Comparison, type ComparisonContext } from './comparison.ts'

/** Deleted test cases have their title, and a number if several have the same. */
const CASES_OF_RUN = (run: string) => `(
  select case_number::text as key, id, status from test_results
  where project_id = $1 and run_id = ${run} and case_number is not null
  union all
  select '-' || title || '#' || row_number() over (partition by title order by id), id, status from test_results
  where project_id = $1 and run_id = ${run} and case_number is null
)`

const caseSide = (name: string, alias: string) =>
  buildSide(name, {
    result_id: `${alias}.id`,
    status: `${alias}.status`,
    note_line: buildFirstLine(`${alias}.note`),
    elapsed_ms: `${alias}.elapsed::bigint * 1000`,
  })

const joined = `
  select coalesce(h.id, b.id) as place, b.key as base_key, h.key as head_key, b.id as base_id, h.id as head_id,
    ${buildChange({
      isFailing: (side) => `${side}.status in ('failed', 'blocked', 'retest')`,
      isTested: (side) => `${side}.status <> 'not_tested'`,
    })} as change
  from ${CASES_OF_RUN('$2')} b full join ${CASES_OF_RUN('$3')} h on h.key = b.key`

export const comparedCases: Comparison = {
  joined,
  buildPage: (change) => `
    select * from (${joined}) as joined
    where place > $4 ${change === undefined ? '' : `and change = '${change}'`} order by place limit $5`,
  details: `
    from page
    left join lateral (
      select * from test_results where project_id = $1 and run_id = $2 and id = page.base_id offset 0
    ) b on true
    left join lateral (
      select * from test_results where project_id = $1 and run_id = $3 and id = page.head_id offset 0
    ) h on true`,
  statuses: 'null',
  columns: defineColumns<ComparedItem, ComparisonContext>({
    change: { sql: 'page.change', encode: toPlainJsonString },
    is_same_failure: {
      sql: `to_json(page.change = 'still_failing' and b.status = h.status and ${buildFirstLine('b.note')} is not distinct from ${buildFirstLine('h.note')})`,
      encode: toRawJson,
    },
    test_case_id: { ...resultFields.test_case_id, sql: 'coalesce(h.case_number, b.case_number)' },
    test_id: { sql: 'null', encode: toPlainJsonString },
    title: { sql: 'coalesce(h.title, b.title)', encode: toJsonString },
    suite: { sql: `''`, encode: toJsonString },
    variant: { sql: `''`, encode: toJsonString },
    base: { sql: caseSide('base', 'b'), encode: toRawJson },
    head: { sql: caseSide('head', 'h'), encode: toRawJson },
  } satisfies ColumnsOf<ComparedItem, ComparisonContext>),
}
