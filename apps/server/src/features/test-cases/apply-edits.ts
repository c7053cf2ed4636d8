import type { ChangedTestCase, EarlierTestCase } from '@caseward/contract/test-case-batches'

import type { ProjectRef } from '../../access/project-cache.ts'
import type { Database } from '../../platform/database/connect.ts'
import { type BatchFields, isChange, type StoredTestCase, writeTestCaseChanges } from './change-test-cases.ts'
import { createPlan, planFields, planPlace } from './plan-changes.ts'
import type { PlacedTestCase } from './make-room.ts'
import { listChanged } from './list-changed.ts'
import { formatTestCaseId } from './test-case-ids.ts'

/** What a request asks for a test case. With a new folder and no position, it comes to the end of the folder. */
export interface Edit {
  testCase: StoredTestCase
  fields: Partial<BatchFields>
}

export interface BatchResult {
  /** The number of test cases that are different afterwards. */
  updated: number
  before: EarlierTestCase[]
  test_cases: ChangedTestCase[]
}

/**
 * Stores edits; of several for one test case, later ones are added to earlier ones. The caller holds the locks on the
 * project and on the test cases, and has checked the folders.
 */
export async function applyEdits(
  tx: Database,
  project: ProjectRef,
  { userId, lastNumber }: { userId: string; lastNumber: number },
  edits: readonly Edit[],
): Promise<BatchResult> {
  const plan = createPlan(edits.map(({ testCase }) => testCase))
  const editedFields = new Map<number, Set<keyof BatchFields>>()
  for (const { testCase, fields } of edits) {
    const { number } = testCase
    planFields(plan, number, fields)
    const names = editedFields.get(number) ?? new Set()
    for (const name of Object.keys(fields) as (keyof BatchFields)[]) names.add(name)
    if (names.has('folder_id')) names.add('position')
    editedFields.set(number, names)
  }
  const shifted: PlacedTestCase[] = []
  for (const [folderId, numbers] of groupArrivals(edits)) {
    const place = { projectId: project.id, lastNumber, folderId, after: 'end' } as const
    shifted.push(...(await planPlace(tx, plan, place, numbers)))
  }
  const changes = [...plan.values()].filter(isChange)
  const before = changes.map(({ before: testCase }) => ({
    id: formatTestCaseId(project.prefix, testCase.number),
    ...pick(testCase, editedFields.get(testCase.number) ?? new Set()),
  }))
  const written = await writeTestCaseChanges(tx, project, userId, changes)
  return { updated: changes.length, before, test_cases: listChanged(project, written, shifted) }
}

/** The test cases that come to the end of another folder, in the order of the edits. */
function groupArrivals(edits: readonly Edit[]): Map<string | null, Set<number>> {
  const arrivals = new Map<string | null, Set<number>>()
  for (const { testCase, fields } of edits) {
    const { folder_id: folderId, position } = fields
    if (folderId === undefined || folderId === testCase.folder_id || position !== undefined) continue
    const numbers = arrivals.get(folderId) ?? new Set()
    arrivals.set(folderId, numbers.add(testCase.number))
  }
  return arrivals
}

const pick = (testCase: StoredTestCase, names: ReadonlySet<keyof BatchFields>): Partial<BatchFields> =>
  Object.fromEntries([...names].map((name) => [name, testCase[name]]))
