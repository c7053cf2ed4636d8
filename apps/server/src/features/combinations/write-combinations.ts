import type { ResultStatus } from '@caseward/contract/results'

import type { RunRef } from '../../access/project-cache.ts'
import type { Database } from '../../platform/database/connect.ts'
import { joinByHash } from '../../platform/database/join-by-hash.ts'
import { planForParameters } from '../../platform/database/plans.ts'
import { addResultChanges, type ResultChanges } from '../events/result-changes.ts'
import { protectPinnedVersions } from '../results/pin-results.queries.ts'
import { findUnknownPlaces } from './check-places.ts'
import { type CombinedResult, selectCombinationTimes, selectCombinedResults } from './combined-results.queries.ts'
import { tryOut } from './try-out.ts'
import {
  applyCombinationWrites,
  type CombinationWrite,
  type CombinationWriteOptions,
  toEventIds,
  type WrittenCombinations,
} from './write-combinations.queries.ts'

/** A write to the result of a test case. */
interface CaseWrite {
  caseNumber: number
  place?: number | undefined
  status: ResultStatus
  note: string | null | undefined
  elapsed: number | null | undefined
  replacesSteps?: boolean | undefined
  caseVersion?: number | undefined
}

interface Options extends CombinationWriteOptions {
  dryRun: boolean
  changes: ResultChanges
}

/** What was written of results with combinations, and the writes to other results, which have none. */
export interface SplitWrites<W> {
  others: W[]
  stats: WrittenCombinations['stats']
  /** Writes whose test case has no combination at the place. */
  missing: W[]
  /** By case number, the time of results none of whose combinations was written, because they are newer. */
  newer: Map<number, Date>
}

/** Up to this number of rows, the generic plan is faster than planning for the rows. */
const CUSTOM_PLAN_MIN_ROWS = 100

/**
 * Writes those results of a run that have combinations. The caller holds the lock on the run, and writes the others.
 */
export async function writeCombinedResults<W extends CaseWrite>(
  tx: Database,
  run: RunRef,
  writes: readonly W[],
  options: Options,
): Promise<SplitWrites<W>> {
  const numbers = [...new Set(writes.map(({ caseNumber }) => caseNumber))]
  const results = await selectCombinedResults(tx, run, { caseNumbers: numbers })
  const byCase = new Map(results.map((result) => [result.case_number, result]))
  const others = writes.filter(({ caseNumber, place }) => !byCase.has(caseNumber) && place === undefined)
  const combined: CombinationWrite[] = []
  for (const { caseNumber, place = null, status, note, elapsed, replacesSteps, caseVersion } of writes) {
    const result = byCase.get(caseNumber)
    if (result === undefined) continue
    combined.push({ resultId: result.id, place, status, note, elapsed, replacesSteps, caseVersion })
  }
  const placed = writes.filter(({ place }) => place !== undefined)
  if (combined.length === 0) return { others, stats: {}, missing: placed, newer: new Map() }
  const write = () => writeCombinations(tx, run, { results, writes: combined }, options)
  const written = options.dryRun ? await tryOut(tx, write) : await write()
  const isAllWritten = placed.length === writes.length && written.count === writes.length
  const missing = isAllWritten || placed.length === 0 ? [] : await findUnknownPlaces(tx, run, placed)
  const newer = options.finishedAt === null ? new Map() : await findNewer(tx, run, { results, combined, written })
  return { others, stats: written.stats, missing, newer }
}

/** Finds the time of results none of whose combinations was written, by case number. */
async function findNewer(
  tx: Database,
  run: RunRef,
  {
    results,
    combined,
    written,
  }: { results: readonly CombinedResult[]; combined: readonly CombinationWrite[]; written: WrittenCombinations },
): Promise<Map<number, Date>> {
  const newer = new Map<number, Date>()
  const writtenIds = new Set(written.ids)
  const unwritten = combined.filter(({ resultId }) => !writtenIds.has(resultId))
  if (unwritten.length === 0) return newer
  const times = await selectCombinationTimes(tx, run, unwritten)
  const numberById = new Map(results.map((result) => [result.id, result.case_number ?? 0]))
  for (const { resultId, place } of unwritten) {
    const time = times.get(`${resultId} ${place ?? 0}`)
    if (time instanceof Date) newer.set(numberById.get(resultId) ?? 0, time)
  }
  return newer
}

/** Writes combinations of results whose ids are known. */
export async function writeCombinations(
  tx: Database,
  run: RunRef,
  { results, writes }: { results: readonly CombinedResult[]; writes: readonly CombinationWrite[] },
  options: Options,
): Promise<WrittenCombinations> {
  const isLarge = writes.length > CUSTOM_PLAN_MIN_ROWS
  if (isLarge) await planForParameters(tx)
  await adoptStatuses(tx, run, results)
  const apply = () => applyCombinationWrites(tx, run, writes, options)
  const written = isLarge ? await joinByHash(tx, apply) : await apply()
  if (options.dryRun) return written
  await protectPinnedVersions(tx, run.project.id, written.recentCases)
  addResultChanges(options.changes, written.at, toEventIds(written.ids))
  return written
}

/**
 * Gives all combinations of a result the status that a server of an earlier version has set: it knows nothing of combinations,
 * and what follows from them must not hide what it wrote.
 */
async function adoptStatuses(tx: Database, run: RunRef, results: readonly CombinedResult[]): Promise<void> {
  for (const { id, status, tested_by: testedBy } of results.filter(({ is_set_apart: isSetApart }) => isSetApart)) {
    const write = { resultId: id, place: null, status, note: undefined, elapsed: undefined }
    await applyCombinationWrites(tx, run, [write], { testedBy, finishedAt: null })
  }
}
