import type { Database } from '../../platform/database/connect.ts'
import { mergeValues, type ValueChanges } from '../fields/stored-values.ts'
import type { BatchFields, StoredTestCase, TestCaseChange } from './change-test-cases.ts'
import { makeRoom, type Place, type PlacedTestCase } from './make-room.ts'

/** The changes of a request, by the number of the test case. */
type ChangePlan = Map<number, TestCaseChange>

/** Plans nothing yet for these test cases. */
export const createPlan = (testCases: readonly StoredTestCase[]): ChangePlan =>
  new Map(testCases.map((before) => [before.number, { before, after: before }]))

/** Adds new values of fields to the plan of a test case, which is in it. */
export function planFields(plan: ChangePlan, number: number, fields: Partial<BatchFields>): void {
  const change = plan.get(number)
  if (change !== undefined) plan.set(number, { ...change, after: { ...change.after, ...fields } })
}

/** Adds new values of custom fields to the plan of a test case, which is in it. */
export function planValues(plan: ChangePlan, number: number, changes: ValueChanges): void {
  const values = plan.get(number)?.after.values ?? {}
  planFields(plan, number, { values: mergeValues(values, changes) ?? {} })
}

/**
 * Plans to put test cases of the plan to a place, next to each other in this order. The caller holds the lock on the
 * project.
 * @returns the test cases around the place that have made room: their positions are new already
 */
export async function planPlace(
  tx: Database,
  plan: ChangePlan,
  place: Place,
  arrivals: Iterable<number>,
): Promise<PlacedTestCase[]> {
  const numbers = [...arrivals]
  if (numbers.length === 0) return []
  const { positions, shifted } = await makeRoom(tx, place, numbers.length, numbers)
  const { folderId: folder_id } = place
  for (const [index, number] of numbers.entries())
    planFields(plan, number, { folder_id, position: positions[index] ?? '' })
  return shifted
}
