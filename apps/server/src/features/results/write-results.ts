import type { ResultStatus } from '@caseward/contract/results'
import type { StatusCounts } from '@caseward/contract/run-schemas'
import type { Database } from '../../platform/database/connect.ts'
import { joinByHash } from '../../platform/database/join-by-hash.ts'
import { planForParameters } from '../../platform/database/plans.ts'
import type { RunRef } from '../../access/project-cache.ts'
import { selectCombinedResults } from '../combinations/combined-results.queries.ts'
import { writeCombinations, writeCombinedResults } from '../combinations/write-combinations.ts'
import { addResultChanges, type ResultChanges } from '../events/result-changes.ts'
import { encodeResultWrites } from './encode-result-writes.ts'
import { protectPinnedVersions } from './pin-results.queries.ts'
import type { PartialResult, ResultWrite, WriteOptions } from './result-write.ts'
import {
  applyWrite,
  buildBatchSelect,
  buildBatchUpdate,
  buildSingleUpdate,
  selectUnwritten,
} from './result-writes.queries.ts'

export interface WrittenResults {
  /** The number of results written, by status. */
  stats: StatusCounts
  /** Numbers of the test cases that are not in the run. */
  missing: Set<number>
  /** Writes that name a combination that does not exist; missing without any. */
  unknownPlaces?: readonly ResultWrite[]
  /** By case number, the time of results that were kept because they are newer. */
  newer: Map<number, Date>
}

/** Rows per statement. A statement over a large part of a run scans all of it, so that few large statements are the fastest. */
const BATCH_SIZE = 50_000
/** A statement that writes a smaller part of a run looks its results up, and does not scan the run. */
const LARGE_PART = 1 / 4
/** Up to this number of rows, the generic plan is faster than planning for the rows. */
const CUSTOM_PLAN_MIN_ROWS = 100

/**
 * Writes results into a run and adjusts the run's counters. The caller holds the lock on the run. Each test case, or place of
 * its combinations, appears at most once.
 */
export async function writeResults(
  tx: Database,
  run: RunRef,
  writes: readonly ResultWrite[],
  options: WriteOptions,
): Promise<WrittenResults> {
  if (!options.changes.hasCombinations) return await writePlainResults(tx, run, writes, options)
  const { others, stats, missing, newer } = await writeCombinedResults(tx, run, writes, options)
  const written = await writePlainResults(tx, run, others, options)
  for (const [status, count] of Object.entries(stats) as [ResultStatus, number][]) written.stats[status] += count
  for (const [number, testedAt] of newer) written.newer.set(number, testedAt)
  return missing.length === 0 ? written : { ...written, unknownPlaces: missing }
}

/** Writes results without combinations. */
async function writePlainResults(
  tx: Database,
  run: RunRef,
  writes: readonly ResultWrite[],
  options: WriteOptions,
): Promise<WrittenResults> {
  // The generic plan expects a handful of rows.
  if (writes.length > CUSTOM_PLAN_MIN_ROWS) await planForParameters(tx)
  const stats: StatusCounts = { passed: 0, failed: 0, blocked: 0, retest: 0, not_tested: 0 }
  const missing = new Set<number>()
  const newer = new Map<number, Date>()
  for (let start = 0; start < writes.length; start += BATCH_SIZE) {
    const batch = writes.slice(start, start + BATCH_SIZE)
    const counts = await writeBatch(tx, run, batch, options)
    let written = 0
    for (const [status, count] of Object.entries(counts) as [ResultStatus, number][]) {
      stats[status] += count
      written += count
    }
    if (written === batch.length) continue
    for (const { number, tested_at } of await selectUnwritten(tx, run, batch, options)) {
      if (tested_at === null) missing.add(number)
      else newer.set(number, tested_at)
    }
  }
  return { stats, missing, newer }
}

async function writeBatch(tx: Database, run: RunRef, batch: readonly ResultWrite[], options: WriteOptions) {
  const encoded = await encodeResultWrites(batch)
  const looksUp = batch.length < options.changes.resultCount * LARGE_PART
  const write = options.dryRun
    ? buildBatchSelect(run, encoded, options)
    : buildBatchUpdate(run, encoded, { ...options, looksUp })
  const apply = () => applyWrite(tx, run, write, options.dryRun)
  const isJoined = looksUp && batch.length > CUSTOM_PLAN_MIN_ROWS
  const { stats, at, ids, recentCases } = isJoined ? await joinByHash(tx, apply) : await apply()
  await protectPinnedVersions(tx, run.project.id, recentCases)
  if (!options.dryRun) addResultChanges(options.changes, at, ids)
  return stats
}

/**
 * Writes one result by its own id, since its test case may have been deleted. Without a status, it keeps its own. The caller
 * holds the lock on the run.
 */
export async function writeResult(
  tx: Database,
  run: RunRef,
  id: string,
  result: PartialResult,
  { testedBy, changes }: { testedBy: string; changes: ResultChanges },
): Promise<void> {
  const { status } = result
  if (changes.hasCombinations && status !== undefined) {
    const results = await selectCombinedResults(tx, run, { resultId: id })
    if (results.length > 0) {
      const writes = [{ ...result, resultId: id, place: null, status }]
      await writeCombinations(tx, run, { results, writes }, { testedBy, finishedAt: null, dryRun: false, changes })
      return
    }
  }
  const { at, ids, recentCases } = await applyWrite(tx, run, buildSingleUpdate(run, id, result, testedBy), false)
  await protectPinnedVersions(tx, run.project.id, recentCases)
  addResultChanges(changes, at, ids)
}
