import type { BulkResultItem } from '@caseward/contract/bulk-results'
import type { ResultItemError } from '@caseward/contract/results'
import { truncateNote } from '@caseward/matching/note'

import { parseTestCaseNumber } from '../test-cases/test-case-ids.ts'
import type { ProjectRef } from '../../access/project-cache.ts'
import { parseTimestamp, presentTime } from '../../platform/http/timestamps.ts'
import { hasDuplicates } from '../../platform/has-duplicates.ts'
import { createYielder } from '../../platform/yielder.ts'
import type { ResultWrite } from './result-write.ts'

/** Returns the case numbers of those automation keys that exist in the project, by key. */
export type FindCaseNumbersByKey = (keys: readonly string[]) => Promise<ReadonlyMap<string, number>>

export interface MatchOptions {
  /** Clears a note or an elapsed time that an item does not contain. By default the stored value is kept. */
  clearMissing?: boolean
  /** Reads `base_tested_at`, `steps` and `fields` of items. Other endpoints do not validate them. */
  isSetByHand?: boolean
  /** Looks up ids that are not test case ids of the project. By default they match nothing. */
  findCaseNumbersByKey?: FindCaseNumbersByKey
  /** Returns the test cases where the ids of merged ones lead. By default they lead nowhere. */
  findMergeTargets?: (numbers: readonly number[]) => Promise<ReadonlyMap<number, number>>
}

export interface MatchedItems {
  writes: ResultWrite[]
  /** The ids of the items, and the case number of each; null when it matches no test case. */
  ids: readonly string[]
  caseNumbers: readonly (number | null)[]
}

/** Matches items to test cases by id, or by automation key. Of several items for one test case, or
 * one combination of it, the last one counts. */
export async function matchItems(
  project: ProjectRef,
  items: readonly BulkResultItem[],
  { clearMissing = false, isSetByHand = false, findCaseNumbersByKey, findMergeTargets }: MatchOptions = {},
): Promise<MatchedItems> {
  const yielder = createYielder()
  const ids: string[] = []
  const caseNumbers: (number | null)[] = []
  for (const { test_case_id: id } of items) {
    if (yielder.shouldYield()) await yielder.yield()
    ids.push(id)
    caseNumbers.push(parseTestCaseNumber(id, project.prefix))
  }
  if (findMergeTargets !== undefined) await followMerged(caseNumbers, findMergeTargets)
  if (findCaseNumbersByKey !== undefined) await resolveAutomationKeys(ids, caseNumbers, findCaseNumbersByKey)

  const writes: ResultWrite[] = []
  for (const [index, item] of items.entries()) {
    if (yielder.shouldYield()) await yielder.yield()
    const { status, note: fullNote, elapsed } = item
    const caseNumber = caseNumbers[index] ?? null
    if (caseNumber === null) continue
    const note = typeof fullNote === 'string' ? truncateNote(fullNote) : fullNote
    const base = isSetByHand ? item.base_tested_at : undefined
    const place = isSetByHand ? item.place : undefined
    writes.push({
      caseNumber,
      place,
      status,
      note: clearMissing ? (note ?? null) : note,
      elapsed: clearMissing ? (elapsed ?? null) : elapsed,
      base: base === undefined ? undefined : parseBase(base),
      steps: isSetByHand ? item.steps : undefined,
      caseVersion: isSetByHand ? item.case_version : undefined,
      fields:
        isSetByHand && item.fields !== undefined
          ? { values: item.fields, path: `/results/${index}/fields` }
          : undefined,
    })
  }
  return { writes: keepLast(writes), ids, caseNumbers }
}

/** Keeps the last write for each test case, or combination of it. */
function keepLast(writes: ResultWrite[]): ResultWrite[] {
  // Nearly always, each test case has one.
  if (!hasDuplicates(writes.map(({ caseNumber }) => caseNumber))) return writes
  const byPlace = new Map(writes.map((write) => [`${write.caseNumber} ${write.place ?? ''}`, write]))
  return [...byPlace.values()]
}

/** Returns a valid `base_tested_at` as a time. */
export const parseBase = (base: string | null): Date | null => (base === null ? null : parseTimestamp(base))

/** Sets the case numbers of the ids of merged test cases to those where they lead. */
async function followMerged(
  caseNumbers: (number | null)[],
  findMergeTargets: NonNullable<MatchOptions['findMergeTargets']>,
): Promise<void> {
  const numbers: number[] = []
  for (const number of caseNumbers) if (number !== null) numbers.push(number)
  if (numbers.length === 0) return
  const targets = await findMergeTargets(numbers)
  if (targets.size === 0) return
  for (const [index, number] of caseNumbers.entries()) {
    if (number !== null) caseNumbers[index] = targets.get(number) ?? number
  }
}

/** Sets the case numbers of those ids that are automation keys. */
async function resolveAutomationKeys(
  ids: readonly string[],
  caseNumbers: (number | null)[],
  findCaseNumbersByKey: FindCaseNumbersByKey,
): Promise<void> {
  const keys = new Set<string>()
  for (const [index, id] of ids.entries()) if (caseNumbers[index] === null) keys.add(id)
  if (keys.size === 0) return
  const found = await findCaseNumbersByKey([...keys])
  for (const [index, id] of ids.entries()) caseNumbers[index] ??= found.get(id) ?? null
}

/** Every distinct id in the order of the items, with its case number. Only errors need them. */
export const getDistinctIds = ({ ids, caseNumbers }: Pick<MatchedItems, 'ids' | 'caseNumbers'>) =>
  new Map(ids.map((id, index) => [id, caseNumbers[index] ?? null]))

/**
 * Returns an error for each id whose test case is not in the run.
 * @param toUnmatchedError makes the error for an id that matches no test case of the project
 */
export function collectNotInRunErrors(
  matched: MatchedItems,
  missing: ReadonlySet<number>,
  toUnmatchedError: (id: string) => ResultItemError = notInRunError,
): ResultItemError[] {
  const errors: ResultItemError[] = []
  if (missing.size === 0 && !matched.caseNumbers.includes(null)) return errors
  for (const [id, caseNumber] of getDistinctIds(matched)) {
    if (caseNumber === null) errors.push(toUnmatchedError(id))
    else if (missing.has(caseNumber)) errors.push(notInRunError(id))
  }
  return errors
}

export const notInRunError = (id: string): ResultItemError => ({
  test_case_id: id,
  error: `${id === '' ? 'An empty id' : id} is not in this run.`,
  code: 'not_in_run',
})

/** Returns an error for each id whose test case has a newer result, in the order of the items. */
export function collectNewerResultErrors(matched: MatchedItems, newer: ReadonlyMap<number, Date>): ResultItemError[] {
  const errors: ResultItemError[] = []
  if (newer.size === 0) return errors
  for (const [id, caseNumber] of getDistinctIds(matched)) {
    const testedAt = caseNumber === null ? undefined : newer.get(caseNumber)
    if (testedAt !== undefined) errors.push(newerResultError(id, testedAt))
  }
  return errors
}

export const newerResultError = (id: string, testedAt: Date): ResultItemError => ({
  test_case_id: id,
  error: `${id} has a newer result (${presentTime(testedAt)}), which was kept.`,
  code: 'newer_result',
})
