import type { ResultItem, ResultItemError } from '@casebook/contract/results'

import { testCaseNumber } from '../../http/ids.ts'
import type { ProjectPlace } from '../../http/places.ts'
import { startTurns } from '../../turns.ts'
import { cutNote } from './note.ts'
import type { ResultWrite } from './write-results.ts'

/** Items told apart by whether their id can be one of the project's. */
export interface MatchedItems {
  writes: ResultWrite[]
  /** Every distinct id in the order of the items, with the number of its case where it has one. */
  ids: Map<string, number | null>
}

/**
 * Finds the case number of each item. Of two items for the same case the last one counts.
 * @param unsent what becomes of a note or an elapsed time that was not sent: undefined keeps what is there, null clears it
 */
export async function matchItems(
  project: ProjectPlace,
  items: readonly ResultItem[],
  unsent: <T>(value: T | null | undefined) => T | null | undefined,
): Promise<MatchedItems> {
  const ids = new Map<string, number | null>()
  const byNumber = new Map<number, ResultWrite>()
  const turns = startTurns()
  for (const { test_case_id: id, status, note, elapsed } of items) {
    if (turns.areOver()) await turns.next()
    const known = ids.get(id)
    const number = known === undefined ? testCaseNumber(id, project.prefix) : known
    if (known === undefined) ids.set(id, number)
    if (number === null) continue
    const cut = typeof note === 'string' ? cutNote(note) : note
    byNumber.set(number, { caseNumber: number, status, note: unsent(cut), elapsed: unsent(elapsed) })
  }
  return { writes: [...byNumber.values()], ids }
}

/** An error for each id whose case is not in the run. */
export function notInRun({ ids }: MatchedItems, missing: ReadonlySet<number>): ResultItemError[] {
  const errors: ResultItemError[] = []
  for (const [id, number] of ids) if (number === null || missing.has(number)) errors.push(notInRunError(id))
  return errors
}

export const notInRunError = (id: string): ResultItemError => ({
  test_case_id: id,
  error: `${id === '' ? 'An empty id' : id} is not in this run.`,
  code: 'not_in_run',
})
