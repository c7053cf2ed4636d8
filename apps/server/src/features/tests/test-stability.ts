import type { Stability, TestQuarantine } from '@caseward/contract/stability'
import { type RawBuilder, sql } from 'kysely'

/** Whether `tests t` is so reliable. A test without a row is stable. */
export function buildStability(stability: Stability): RawBuilder<boolean> {
  const rows = sql`select from unstable_tests u where u.project_id = t.project_id and u.test_id = t.id`
  return stability === 'stable'
    ? sql<boolean>`not exists (${rows} and u.stability <> 'stable')`
    : sql<boolean>`exists (${rows} and u.stability = ${stability}::stability)`
}

const toIso = (column: string) => `to_char(${column} at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`

/** Selects how reliable `tests t` is, as JSON; null if nothing is known against it. The first parameter is the project. */
export const STABILITY_OF_TEST = `(
  select json_build_object(
    'state', u.stability, 'since', ${toIso('u.since')}, 'flake_commits', u.flake_commits, 'commits', u.commits,
    'score', u.score, 'last_flake_at', ${toIso('u.last_event_at')}
  )
  from unstable_tests u where u.project_id = $1 and u.test_id = t.id
)`

/** Adds `stability` and `quarantine` to the JSON of a test. */
export const addStability = (test: string, stability: string | null, quarantine: TestQuarantine | null): string =>
  `${test.slice(0, -1)},"stability":${stability ?? 'null'},"quarantine":${JSON.stringify(quarantine)}}`
