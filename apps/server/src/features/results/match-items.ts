import type { BulkResultItem } from '@caseward/contract/bulk-results'
import type { ResultItemError } from '@caseward/contract/results'
import { truncateNote } from '@caseward/matching/note'

import { parseTestCaseNumber } from '../test-cases/test-case-ids.ts'
import type { ProjectRef } from '../../access/project-cache.ts'
import { parseTimestamp, presentTime } from '../../platform/http/timestamps.ts'
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
  /** Every distinct id in the order of the items, with its case number; null when it matches no test case. */
  caseNumbers: Map<string, number | null>
}

/** Matches items to test cases by id, or by automation key. Of several items for one test case, or
 * one combination of it, the last one counts. */
export async function matchItems(
  project: ProjectRef,
  items: readonly BulkResultItem[],
  { clearMissing = false, isSetByHand = false, findCaseNumbersByKey, findMergeTargets }: MatchOptions = {},
): Promise<MatchedItems> {
  const yielder = createYielder()
  const caseNumbers = new Map<string, number | null>()
  for (const { test_case_id: id } of items) {
    if (yielder.shouldYield()) await yielder.yield()
    if (!caseNumbers.has(id)) caseNumbers.set(id, parseTestCaseNumber(id, project.prefix))
  }
  if (findMergeTargets !== undefined) await followMerged(caseNumbers, findMergeTargets)
  if (findCaseNumbersByKey !== undefined) await resolveAutomationKeys(caseNumbers, findCaseNumbersByKey)

  const writes = new Map<number | string, ResultWrite>()
  for (const [index, item] of items.entries()) {
    if (yielder.shouldYield()) await yielder.yield()
    const { test_case_id: id, status, note: fullNote, elapsed } = item
    const caseNumber = caseNumbers.get(id) ?? null
    if (caseNumber === null) continue
    const note = typeof fullNote === 'string' ? truncateNote(fullNote) : fullNote
    const base = isSetByHand ? item.base_tested_at : undefined
    const place = isSetByHand ? item.place : undefined
    writes.set(place === undefined ? caseNumber : `${caseNumber} ${place}`, {
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
  return { writes: [...writes.values()], caseNumbers }
}

/** Returns a valid `base_tested_at` as a time. */
export const parseBase = (base: string | null): Date | null => (base === null ? null : parseTimestamp(base))

/** Sets the case numbers of the ids of merged test cases to those where they lead. */
async function followMerged(
  caseNumbers: Map<string, number | null>,
  findMergeTargets: NonNullable<MatchOptions['findMergeTargets']>,
): Promise<void> {
  const numbers: number[] = []
  for (const number of caseNumbers.values()) if (number !== null) numbers.push(number)
  if (numbers.length === 0) return
  const targets = await findMergeTargets(numbers)
  if (targets.size === 0) return
  for (const [id, number] of caseNumbers) {
    if (number !== null) caseNumbers.set(id, targets.get(number) ?? number)
  }
}

/** Sets the case numbers of those ids that are automation keys. */
async function resolveAutomationKeys(
  caseNumbers: Map<string, number | null>,
  findCaseNumbersByKey: FindCaseNumbersByKey,
): Promise<void> {
  const keys: string[] = []
  for (const [id, caseNumber] of caseNumbers) if (caseNumber === null) keys.push(id)
  if (keys.length === 0) return
  for (const [key, caseNumber] of await findCaseNumbersByKey(keys)) caseNumbers.set(key, caseNumber)
}

/**
 * Returns an error for each id whose test case is not in the run.
 * @param toUnmatchedError makes the error for an id that matches no test case of the project
 */
export function collectNotInRunErrors(
  { caseNumbers }: MatchedItems,
  missing: ReadonlySet<number>,
  toUnmatchedError: (id: string) => ResultItemError = notInRunError,
): ResultItemError[] {
  const errors: ResultItemError[] = []
  for (const [id, caseNumber] of caseNumbers) {
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
export function collectNewerResultErrors(
  { caseNumbers }: MatchedItems,
  newer: ReadonlyMap<number, Date>,
): ResultItemError[] {
  const errors: ResultItemError[] = []
  if (newer.size === 0) return errors
  for (const [id, caseNumber] of caseNumbers) {
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
