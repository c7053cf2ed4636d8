import type { ResultItem, ResultItemError } from '@caseward/contract/results'
import { truncateNote } from '@caseward/matching/note'

import { testCaseNumber } from '../../platform/http/ids.ts'
import type { ProjectRef } from '../../access/project-cache.ts'
import { presentTime } from '../../platform/http/timestamps.ts'
import { createYielder } from '../../platform/yielder.ts'
import type { ResultWrite } from './result-write.ts'

/** Items told apart by whether their id can be one of the project's. */
export interface MatchedItems {
  writes: ResultWrite[]
  /** Every distinct id in the order of the items, with the number of its case where it has one. */
  ids: Map<string, number | null>
}

/**
 * Finds the case number of each item. Of two items for the same case the last one counts.
 * @param normalizeMissing what becomes of a note or an elapsed time that was not sent: undefined keeps what is there, null clears it
 * @param keys case numbers of what is no id but also names a case
 */
export async function matchItems(
  project: ProjectRef,
  items: readonly ResultItem[],
  normalizeMissing: <T>(value: T | null | undefined) => T | null | undefined,
  keys: ReadonlyMap<string, number> = new Map(),
): Promise<MatchedItems> {
  const ids = new Map<string, number | null>()
  const byNumber = new Map<number, ResultWrite>()
  const turns = createYielder()
  for (const { test_case_id: id, status, note, elapsed } of items) {
    if (turns.shouldYield()) await turns.yield()
    const known = ids.get(id)
    const number = known === undefined ? (testCaseNumber(id, project.prefix) ?? keys.get(id) ?? null) : known
    if (known === undefined) ids.set(id, number)
    if (number === null) continue
    const cut = typeof note === 'string' ? truncateNote(note) : note
    byNumber.set(number, {
      caseNumber: number,
      status,
      note: normalizeMissing(cut),
      elapsed: normalizeMissing(elapsed),
    })
  }
  return { writes: [...byNumber.values()], ids }
}

/**
 * An error for each id whose case is not in the run.
 * @param unknown the error for one that cannot be a case of the project
 */
export function collectNotInRunErrors(
  { ids }: MatchedItems,
  missing: ReadonlySet<number>,
  unknown: (id: string) => ResultItemError = notInRunError,
): ResultItemError[] {
  const errors: ResultItemError[] = []
  for (const [id, number] of ids) {
    if (number === null) errors.push(unknown(id))
    else if (missing.has(number)) errors.push(notInRunError(id))
  }
  return errors
}

export const notInRunError = (id: string): ResultItemError => ({
  test_case_id: id,
  error: `${id === '' ? 'An empty id' : id} is not in this run.`,
  code: 'not_in_run',
})

/** An error for each id whose case has a newer result, in the order of the items. */
export function collectNewerResultErrors({ ids }: MatchedItems, newer: ReadonlyMap<number, Date>): ResultItemError[] {
  const errors: ResultItemError[] = []
  if (newer.size === 0) return errors
  for (const [id, number] of ids) {
    const testedAt = number === null ? undefined : newer.get(number)
    if (testedAt !== undefined) errors.push(newerResultError(id, testedAt))
  }
  return errors
}

export const newerResultError = (id: string, testedAt: Date): ResultItemError => ({
  test_case_id: id,
  error: `${id} has a newer result, of ${presentTime(testedAt)}; it was kept.`,
  code: 'newer_result',
})
