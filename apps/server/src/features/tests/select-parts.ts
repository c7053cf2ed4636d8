import type { OutcomePart } from '@caseward/contract/run-tests'

import type { RunRef } from '../../access/project-cache.ts'
import type { Database } from '../../platform/database/connect.ts'
import { presentTime } from '../../platform/http/timestamps.ts'
import type { Source } from './combine-parts.ts'
import { selectStoredParts, type StoredPart } from './outcome-parts.queries.ts'
import { selectSources, UNKNOWN_SOURCE } from './run-uploads.queries.ts'

/** Selects what each source of a run reported of tests, by test, in the order of the jobs and their build attempts. */
export async function selectParts(
  db: Database,
  run: RunRef,
  testIds: readonly string[],
): Promise<Map<string, OutcomePart[]>> {
  if (testIds.length === 0) return new Map()
  const stored = await selectStoredParts(db, run, testIds)
  const numbers = new Set([...stored.values()].flatMap((parts) => parts.map(({ source }) => source)))
  const sources = await selectSources(db, run, [...numbers])
  const present = (part: StoredPart) => presentPart(part, sources.get(part.source) ?? UNKNOWN_SOURCE)
  return new Map([...stored].map(([testId, parts]) => [testId, parts.map(present).toSorted(compareParts)]))
}

function presentPart(part: StoredPart, source: Source): OutcomePart {
  const { jobUrl, buildAttempt, isRerun, ...texts } = source
  return {
    source: part.source,
    ...texts,
    job_url: jobUrl,
    build_attempt: buildAttempt,
    rerun: isRerun,
    outcome: part.status,
    is_flaky: part.is_flaky,
    elapsed_ms: part.elapsed_ms,
    tested_at: presentTime(part.tested_at),
    attempts: part.attempts ?? [
      { status: part.status, elapsed_ms: part.elapsed_ms, message: '', details: '', started_at: null },
    ],
  }
}

const compareParts = (a: OutcomePart, b: OutcomePart): number =>
  compareTexts(a.job, b.job) ||
  compareTexts(a.instance, b.instance) ||
  compareTexts(a.shard, b.shard) ||
  compareTexts(a.variant, b.variant) ||
  compareTexts(a.report, b.report) ||
  Number(a.rerun) - Number(b.rerun) ||
  (a.build_attempt ?? 0) - (b.build_attempt ?? 0)

const compareTexts = (a: string, b: string): number => (a < b ? -1 : Number(a > b))
