import type { FieldError } from '@caseward/contract/problem'
import { MAX_SHARED_STEP_USES } from '@caseward/contract/shared-steps'
import { MAX_STEP_GROUPS, MAX_STEPS, type StepInput } from '@caseward/contract/steps'

import type { Database } from '../../platform/database/connect.ts'
import { isUuid } from '../../platform/http/ids.ts'
import { invalidProblem, unprocessableProblem } from '../../platform/http/problems.ts'
import { countUses, saveUses } from './shared-step-uses.queries.ts'
import { selectCurrentSharedSteps, selectEarlierSharedSteps } from './shared-steps.queries.ts'
import {
  isSharedStepItem,
  listUsedIds,
  numberSteps,
  placeSteps,
  type SharedContent,
  type SharedStepItem,
  type StoredSteps,
} from './step-groups.ts'

/** The steps that a request sends for a test case. */
export interface SentSteps {
  /** Undefined if it sends none. */
  steps: readonly StepInput[] | undefined
  /** The JSON Pointer of the item that has them. */
  path: string
  /** What the test case has; null for a new one, and for one without shared steps. */
  current: StoredSteps | null
  /** Whether steps are only those of shared steps that the request names, as when a version is restored. */
  isExact?: boolean
}

/**
 * Converts the steps of requests to those that are stored. Requests without shared steps need no statement. If items name shared
 * steps, the caller holds the lock on the project, so that these stay as they are until the test cases are written.
 * @returns what is stored of each; undefined for those that send no steps
 * @throws {Problem} 400 with every unknown shared step, and every test case with too many steps; 422 for a shared step with too
 *   many uses
 */
export async function resolveSteps(
  tx: Database,
  projectId: string,
  sent: readonly SentSteps[],
): Promise<(StoredSteps | undefined)[]> {
  const named = sent.flatMap(({ steps = [] }) => steps.filter(isSharedStepItem))
  const found = named.length === 0 ? null : await findSharedSteps(tx, projectId, named)
  const errors: FieldError[] = []
  const resolved = sent.map(({ steps, path, current, isExact = false }) => {
    if (steps === undefined) return undefined
    const itemErrors = found === null ? [] : checkItems(steps, path, found)
    errors.push(...itemErrors)
    if (itemErrors.length > 0) return undefined
    const placed = placeSteps(steps, (item) => requireFound(found, item), current, { isExact })
    errors.push(...checkSize(placed, path))
    return placed
  })
  if (errors.length > 0) throw invalidProblem(errors)
  if (found !== null) {
    await requireFreeUses(
      tx,
      projectId,
      sent.map(({ current }, index) => ({ current, steps: resolved[index] })),
    )
  }
  return resolved
}

/** Converts the steps of a request that names no shared step, for a test case without any. */
export const toPlainSteps = (steps: readonly StepInput[] | undefined): StoredSteps | undefined =>
  steps === undefined ? undefined : { steps: numberSteps(steps) }

type FoundSharedSteps = ReadonlyMap<string, SharedContent>
const CURRENT = 'current'
const getKey = ({ shared_step_id: id, version }: SharedStepItem) => `${id} ${version ?? CURRENT}`

async function findSharedSteps(
  tx: Database,
  projectId: string,
  items: readonly SharedStepItem[],
): Promise<FoundSharedSteps> {
  const ids = [...new Set(items.map(({ shared_step_id: id }) => id))].filter(isUuid)
  const current = await selectCurrentSharedSteps(tx, projectId, { ids })
  const found = new Map<string, SharedContent>()
  for (const content of current) {
    found.set(`${content.id} ${CURRENT}`, content)
    found.set(`${content.id} ${content.version}`, content)
  }
  const earlier = new Map<string, { id: string; version: number }>()
  for (const item of items) {
    const { shared_step_id: id, version } = item
    if (version !== undefined && isUuid(id) && !found.has(getKey(item))) earlier.set(getKey(item), { id, version })
  }
  for (const content of await selectEarlierSharedSteps(tx, projectId, [...earlier.values()])) {
    found.set(`${content.id} ${content.version}`, content)
  }
  return found
}

function requireFound(found: FoundSharedSteps | null, item: SharedStepItem): SharedContent {
  const content = found?.get(getKey(item))
  if (content === undefined) throw new Error('The shared step was not checked')
  return content
}

function checkItems(steps: readonly StepInput[], path: string, found: FoundSharedSteps): FieldError[] {
  return steps.flatMap((item, index) => {
    if (!isSharedStepItem(item)) return []
    const itemPath = `${path}/steps/${index}`
    const texts = ['action', 'expected'].filter((name) => name in item)
    if (texts.length > 0) {
      return texts.map((name) => ({ path: `${itemPath}/${name}`, message: 'cannot be combined with shared_step_id' }))
    }
    if (found.has(getKey(item))) return []
    return found.has(`${item.shared_step_id} ${CURRENT}`)
      ? [{ path: `${itemPath}/version`, message: 'is not a version of this shared step, or it is not kept' }]
      : [{ path: `${itemPath}/shared_step_id`, message: 'is not a shared step of this project' }]
  })
}

function checkSize({ steps, step_groups: groups }: StoredSteps, path: string): FieldError[] {
  if (steps.length > MAX_STEPS) {
    return [
      {
        path: `${path}/steps`,
        message: `would be ${steps.length.toLocaleString('en')} steps with those of shared steps: a test case has up to ${MAX_STEPS}`,
      },
    ]
  }
  return (groups?.length ?? 0) > MAX_STEP_GROUPS
    ? [{ path: `${path}/steps`, message: `has more than ${MAX_STEP_GROUPS} shared steps` }]
    : []
}

/** @throws {Problem} 422 when a shared step would be used in too many test cases */
export async function requireFreeUses(
  tx: Database,
  projectId: string,
  testCases: readonly { current: StoredSteps | null; steps: StoredSteps | undefined }[],
): Promise<void> {
  const added = new Map<string, number>()
  for (const { current, steps } of testCases) {
    const earlier = new Set(listUsedIds(current?.step_groups))
    for (const id of listUsedIds(steps?.step_groups)) if (!earlier.has(id)) added.set(id, (added.get(id) ?? 0) + 1)
  }
  const counts = await countUses(tx, projectId, [...added.keys()])
  for (const [id, count] of added) {
    if ((counts.get(id) ?? 0) + count > MAX_SHARED_STEP_USES) throw tooManyUsesProblem()
  }
}

export const tooManyUsesProblem = () =>
  unprocessableProblem(
    'too_many_uses',
    `A shared step can be used in up to ${MAX_SHARED_STEP_USES.toLocaleString('en')} test cases. Detach some of them, or create a second shared step.`,
  )

/** What is to be saved of the uses of test cases whose steps are written; only of those that differ. */
export function listChangedUses(
  items: readonly { number: number; current: StoredSteps | null; steps: StoredSteps | undefined; isNew?: boolean }[],
): { number: number; ids: string[]; isNew?: boolean }[] {
  return items.flatMap(({ number, current, steps, isNew = false }) => {
    if (steps?.step_groups === undefined) return []
    const ids = listUsedIds(steps.step_groups)
    const earlier = listUsedIds(current?.step_groups)
    const isSame = ids.length === earlier.length && ids.every((id) => earlier.includes(id))
    return isSame ? [] : [{ number, ids, isNew }]
  })
}

/** Saves the uses of new test cases, in the order of their steps. */
export const saveUsesOfNew = (
  tx: Database,
  projectId: string,
  numbers: readonly number[],
  steps: readonly (StoredSteps | undefined)[],
): Promise<void> =>
  saveUses(
    tx,
    projectId,
    listChangedUses(numbers.map((number, index) => ({ number, current: null, steps: steps[index], isNew: true }))),
  )
