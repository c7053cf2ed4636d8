import { MAX_SHARED_STEP_USES } from '@caseward/contract/shared-steps'
import type { StepGroup, StepInput } from '@caseward/contract/steps'

import type { Database } from '../../platform/database/connect.ts'
import { countUses } from '../shared-steps/shared-step-uses.queries.ts'
import { selectCurrentSharedSteps, selectEarlierSharedSteps } from '../shared-steps/shared-steps.queries.ts'
import { listUsedIds, numberSteps, type SharedContent, type StoredSteps } from '../shared-steps/step-groups.ts'
import type { WaitingRecord } from './import-records.queries.ts'
import type { WaitingCase } from './plan-case.ts'

const LOSS = 'shared_step_inlined'

/** The steps of a planned test case as they are stored. */
export const toStoredSteps = ({ steps, own }: Pick<WaitingCase, 'steps' | 'own'>): StoredSteps => ({
  steps: numberSteps(steps),
  ...(own !== null && own.step_groups.length > 0 ? { step_groups: own.step_groups } : {}),
})

/** Takes shared steps out of new test cases that were deleted since the plan, or have too many uses. The caller holds the lock. */
export async function adaptStepGroups(
  tx: Database,
  projectId: string,
  records: readonly WaitingRecord<WaitingCase>[],
): Promise<void> {
  const ids = [...new Set(records.flatMap(({ planned: { own } }) => listUsedIds(own?.step_groups)))]
  if (ids.length === 0) return
  const existing = new Set((await selectCurrentSharedSteps(tx, projectId, { ids })).map(({ id }) => id))
  const uses = new Map(await countUses(tx, projectId, ids))
  for (const { planned, losses } of records) {
    if (planned.own === null) continue
    const isPossible = (id: string) => existing.has(id) && (uses.get(id) ?? 0) < MAX_SHARED_STEP_USES
    const kept = planned.own.step_groups.filter(({ shared_step_id: id }) => isPossible(id))
    if (kept.length < planned.own.step_groups.length) losses.push(LOSS)
    planned.own.step_groups = kept
    for (const id of listUsedIds(kept)) uses.set(id, (uses.get(id) ?? 0) + 1)
  }
}

/**
 * Writes new steps of test cases as a request has them: shared steps by their ids, if they have the same texts here.
 */
export async function toStepItems(
  tx: Database,
  projectId: string,
  records: readonly WaitingRecord<WaitingCase>[],
): Promise<StepInput[][]> {
  const all = records.flatMap(({ planned: { own } }) => own?.step_groups ?? [])
  const contents = await selectContents(tx, projectId, all)
  return records.map(({ planned: { steps, own }, losses }) => {
    const items: StepInput[] = []
    let next = 0
    for (const { shared_step_id: id, version, follows, first, count } of own?.step_groups ?? []) {
      const content = contents.get(`${id} ${version}`)
      const texts = steps.slice(first - 1, first - 1 + count)
      const isSame =
        content?.steps.length === count &&
        texts.every((text, index) => {
          const step = content.steps[index]
          return text.action === step?.action && text.expected === step.expected
        })
      if (!isSame) losses.push(LOSS)
      if (!isSame) continue
      const isCurrent = follows && content.isCurrent
      items.push(...steps.slice(next, first - 1), { shared_step_id: id, ...(isCurrent ? {} : { version }) })
      next = first - 1 + count
    }
    return [...items, ...steps.slice(next)]
  })
}

async function selectContents(
  tx: Database,
  projectId: string,
  groups: readonly StepGroup[],
): Promise<Map<string, SharedContent & { isCurrent: boolean }>> {
  const contents = new Map<string, SharedContent & { isCurrent: boolean }>()
  if (groups.length === 0) return contents
  const ids = [...new Set(groups.map(({ shared_step_id: id }) => id))]
  for (const content of await selectCurrentSharedSteps(tx, projectId, { ids })) {
    contents.set(`${content.id} ${content.version}`, { ...content, isCurrent: true })
  }
  const wanted = new Map(
    groups.map(({ shared_step_id: id, version }) => [`${id} ${version}`, { id, version }] as const),
  )
  const earlier = [...wanted].filter(([key]) => !contents.has(key)).map(([, item]) => item)
  for (const content of await selectEarlierSharedSteps(tx, projectId, earlier)) {
    contents.set(`${content.id} ${content.version}`, { ...content, isCurrent: false })
  }
  return contents
}
