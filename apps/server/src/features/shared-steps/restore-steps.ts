import type { StepInput } from '@caseward/contract/steps'

import type { Database } from '../../platform/database/connect.ts'
import { selectCurrentSharedSteps, selectEarlierSharedSteps } from './shared-steps.queries.ts'
import { listUsedIds, type StoredSteps } from './step-groups.ts'

/**
 * Returns the steps that a test case had, as a request sends them. Shared steps that have changed since then stay at the version
 * that they had; the steps of those that do not exist any more become the test case's own.
 * @returns whether all shared steps are there
 */
export async function restoreSteps(
  tx: Database,
  projectId: string,
  { steps, step_groups: groups }: StoredSteps,
): Promise<{ steps: StepInput[]; isComplete: boolean }> {
  const own = steps.map(({ action, expected }): StepInput => ({ action, expected }))
  if (groups === null || groups === undefined) return { steps: own, isComplete: true }
  const current = await selectCurrentSharedSteps(tx, projectId, { ids: listUsedIds(groups) })
  const currentVersions = new Map(current.map(({ id, version }) => [id, version]))
  const earlier = await selectEarlierSharedSteps(
    tx,
    projectId,
    groups.map(({ shared_step_id: id, version }) => ({ id, version })),
  )
  const kept = new Set(earlier.map(({ id, version }) => `${id} ${version}`))
  let isComplete = true
  const items: StepInput[] = []
  let next = 0
  for (const { shared_step_id, version, follows, first, count } of groups) {
    items.push(...own.slice(next, first - 1))
    next = first - 1 + count
    const isCurrent = currentVersions.get(shared_step_id) === version
    if (isCurrent || kept.has(`${shared_step_id} ${version}`)) {
      items.push(isCurrent && follows ? { shared_step_id } : { shared_step_id, version })
    } else {
      isComplete = false
      items.push(...own.slice(first - 1, next))
    }
  }
  items.push(...own.slice(next))
  return { steps: items, isComplete }
}
