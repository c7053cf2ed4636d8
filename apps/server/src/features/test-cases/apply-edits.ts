import type { ChangedTestCase, EarlierTestCase } from '@caseward/contract/test-case-batches'

import type { ProjectRef } from '../../access/project-cache.ts'
import type { Database } from '../../platform/database/connect.ts'
import type { CaseAuthor } from '../case-versions/case-author.ts'
import {
  type BatchFields,
  isChange,
  type StoredTestCase,
  type TestCaseChange,
  writeTestCaseChanges,
} from './change-test-cases.ts'
import { presentValue, type ProjectFields } from '../fields/field-definitions.ts'
import type { ValueChanges } from '../fields/stored-values.ts'
import { listChangedUses } from '../shared-steps/resolve-steps.ts'
import { saveUses } from '../shared-steps/shared-step-uses.queries.ts'
import { type StoredSteps, toStepInputs } from '../shared-steps/step-groups.ts'
import { createPlan, planFields, planPlace, planValues } from './plan-changes.ts'
import type { PlacedTestCase } from './make-room.ts'
import { listChanged } from './list-changed.ts'
import { formatTestCaseId } from './test-case-ids.ts'

/** What a request asks for a test case. With a new folder and no position, it comes to the end of the folder. */
export interface Edit {
  testCase: StoredTestCase
  fields: Partial<Omit<BatchFields, 'values' | 'steps'>>
  /** New values of custom fields, whose earlier ones are `values` of the test case. */
  values?: ValueChanges
  /** New steps; the earlier ones are `steps` of the test case. */
  steps?: StoredSteps
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
  { author, lastNumber, fields: projectFields }: { author: CaseAuthor; lastNumber: number; fields: ProjectFields },
  edits: readonly Edit[],
): Promise<BatchResult> {
  const plan = createPlan(edits.map(({ testCase }) => testCase))
  const editedFields = new Map<number, Set<keyof BatchFields>>()
  const editedValues = new Map<number, Set<string>>()
  const editedSteps = new Set<number>()
  for (const { testCase, fields, values = {}, steps } of edits) {
    const { number } = testCase
    planFields(plan, number, { ...fields, ...(steps === undefined ? {} : { steps }) })
    if (steps !== undefined) editedSteps.add(number)
    const names = editedFields.get(number) ?? new Set()
    for (const name of Object.keys(fields) as (keyof BatchFields)[]) names.add(name)
    if (names.has('folder_id')) names.add('position')
    editedFields.set(number, names)
    const fieldNumbers = Object.keys(values)
    if (fieldNumbers.length === 0) continue
    planValues(plan, number, values)
    editedValues.set(number, new Set([...(editedValues.get(number) ?? []), ...fieldNumbers]))
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
    ...(editedSteps.has(testCase.number) && testCase.steps !== undefined
      ? { steps: toStepInputs(testCase.steps) }
      : {}),
    ...presentEarlierValues(projectFields, testCase, editedValues.get(testCase.number)),
  }))
  await saveUses(tx, project.id, listChangedUses(changes.map(toChangedUse)))
  const written = await writeTestCaseChanges(tx, project, author, changes)
  return { updated: changes.length, before, test_cases: listChanged(project, written, shifted) }
}

const toChangedUse = ({ before, after }: TestCaseChange) => ({
  number: before.number,
  current: before.steps ?? null,
  steps: after.steps === undefined ? undefined : { ...after.steps, step_groups: after.steps.step_groups ?? null },
})

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

/** The earlier values of the custom fields that a request has changed; null for none. */
function presentEarlierValues(
  { list }: ProjectFields,
  { values = {} }: StoredTestCase,
  edited: ReadonlySet<string> | undefined,
): Pick<EarlierTestCase, 'fields'> {
  if (edited === undefined) return {}
  const changed = list.filter(({ number }) => edited.has(String(number)))
  const fields = changed.map((field) => {
    const value = values[field.number]
    return [field.key, value === undefined ? null : (presentValue(field, value) ?? null)] as const
  })
  return { fields: Object.fromEntries(fields) }
}

const pick = (
  testCase: StoredTestCase,
  names: ReadonlySet<keyof BatchFields>,
): Partial<Omit<BatchFields, 'values' | 'steps'>> =>
  Object.fromEntries([...names].map((name) => [name, testCase[name]]))
