import type { ComparedItem, RunChange } from '@caseward/contract/run-comparison'

import { type ColumnsOf, defineColumns } from '../../platform/database/columns.ts'
import { toJsonString, toPlainJsonString, toRawJson } from '../../platform/http/json-text.ts'
import { buildFirstLine } from '../results/result-rows.ts'
import { buildChange, buildSide, type Comparison, type ComparisonContext } from './comparison.ts'

/** How much longer a test must take to be slower, and how much more that is in milliseconds. */
const SLOWER = { ratio: 1.5, ms: 500 }

const OUTCOMES_OF_RUN = (run: string, rest = '') => `(
  select test_id as key, status, elapsed_ms from test_outcomes where project_id = $1 and run_id = ${run} ${rest}
)`

const isFailing = (side: string) => `${side}.status in ('failed', 'blocked', 'interrupted')`
const isTested = (side: string) => `${side}.status <> 'skipped'`
const testChange = buildChange({
  isFailing,
  isTested,
  // Only tests that ran in both: a skipped one can have a time, too. Numbers with a point are `numeric` unless they are
  // cast, and would take half of the time of the whole comparison.
  isSlower: `${isTested('b')} and h.elapsed_ms - b.elapsed_ms >= ${SLOWER.ms} and h.elapsed_ms >= ${SLOWER.ratio}::float8 * b.elapsed_ms`,
})

const joinTests = (place: string, base: string, head: string) => `
  select ${place} as place, b.key as base_key, h.key as head_key, ${testChange} as change
  from ${base} b full join ${head} h on h.key = b.key`

/**
 * What follows from each change for the outcomes in the older run (`b`) and the newer one (`h`). PostgreSQL does not conclude it
 * from the expression of the change. With it, PostgreSQL reads both runs in the order of the page, and stops when that is full.
 */
const IN_BOTH = 'b.key is not null and h.key is not null'
const conditions: Readonly<Record<RunChange, string>> = {
  new: 'b.key is null and h.key is not null',
  missing: 'b.key is not null and h.key is null',
  newly_failing: `b.key is not null and ${isFailing('h')}`,
  fixed: `h.key is not null and ${isFailing('b')}`,
  still_failing: `${isFailing('b')} and ${isFailing('h')}`,
  newly_tested: `h.key is not null and not ${isTested('b')}`,
  no_longer_tested: `b.key is not null and not ${isTested('h')}`,
  slower: `${IN_BOTH} and h.elapsed_ms >= ${SLOWER.ms}`,
  same: IN_BOTH,
}

function buildPageOfTests(change: RunChange | undefined): string {
  if (change === undefined) {
    // The first tests of both runs together are among the first of each.
    const first = 'and test_id > $4 order by test_id limit $5'
    const joined = joinTests('coalesce(h.key, b.key)', OUTCOMES_OF_RUN('$2', first), OUTCOMES_OF_RUN('$3', first))
    return `${joined} order by place limit $5`
  }
  const place = change === 'missing' ? 'b.key' : 'h.key'
  return `
    ${joinTests(place, OUTCOMES_OF_RUN('$2'), OUTCOMES_OF_RUN('$3'))}
    where ${conditions[change]} and ${testChange} = '${change}' and ${place} > $4 order by ${place} limit $5`
}

/** Of the last attempt that has a message. */
const messageOf = (alias: string) => `(
  select attempt ->> 'message' from json_array_elements(${alias}.attempts) with ordinality as listed (attempt, place)
  where attempt ->> 'message' <> '' order by place desc limit 1
)`

const testSide = (name: string, alias: string) =>
  buildSide(name, {
    result_id: 'null',
    status: `${alias}.status`,
    note_line: buildFirstLine(messageOf(alias)),
    elapsed_ms: `${alias}.elapsed_ms`,
  })

export const comparedTests: Comparison = {
  joined: joinTests('h.key', OUTCOMES_OF_RUN('$2'), OUTCOMES_OF_RUN('$3')),
  buildPage: buildPageOfTests,
  details: `
    from page
    cross join lateral (select * from tests where project_id = $1 and id = page.place offset 0) t
    left join lateral (
      select * from test_outcomes where project_id = $1 and run_id = $2 and test_id = page.base_key offset 0
    ) b on true
    left join lateral (
      select * from test_outcomes where project_id = $1 and run_id = $3 and test_id = page.head_key offset 0
    ) h on true`,
  statuses: `case when page.change = 'still_failing' then b.status || ' ' || h.status end`,
  columns: defineColumns<ComparedItem, ComparisonContext>({
    change: { sql: 'page.change', encode: toPlainJsonString },
    is_same_failure: { sql: 'page.place', encode: (id, { sameFailures }) => JSON.stringify(sameFailures.has(id)) },
    test_case_id: { sql: 'null', encode: toPlainJsonString },
    test_id: { sql: 't.id', encode: toPlainJsonString },
    title: { sql: 't.name', encode: toJsonString },
    suite: { sql: 't.suite', encode: toJsonString },
    variant: { sql: 't.variant', encode: toJsonString },
    base: { sql: testSide('base', 'b'), encode: toRawJson },
    head: { sql: testSide('head', 'h'), encode: toRawJson },
  } satisfies ColumnsOf<ComparedItem, ComparisonContext>),
}
