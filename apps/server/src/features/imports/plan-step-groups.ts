import { MAX_STEP_GROUPS, type StepGroup } from '@caseward/contract/steps'
import type { OwnStepGroup } from '@caseward/importers/records'

import { toStoredName } from './stored-name.ts'
import type { SharedTargets } from './plan-shared-steps.ts'

/**
 * Plans which steps of a test case come from shared steps. Where one is not here, its steps are those of the test case itself.
 * @param stepCount of the steps that are stored; more are joined into the last one
 */
export function planStepGroups(
  groups: readonly OwnStepGroup[],
  targets: SharedTargets,
  { stepCount, isJoined }: { stepCount: number; isJoined: boolean },
): { groups: StepGroup[]; isInlined: boolean } {
  const planned: StepGroup[] = []
  const end = isJoined ? stepCount - 1 : stepCount
  for (const { shared, title, version: sent, follows, first, count } of groups) {
    const target = targets.get(shared)
    const version = target?.findVersion(sent) ?? null
    if (target === undefined || version === null || first + count - 1 > end || planned.length >= MAX_STEP_GROUPS)
      continue
    const stored = target.title ?? toStoredName(title, 'Untitled')
    planned.push({ shared_step_id: target.id, title: stored, version, follows, first, count })
  }
  return { groups: planned, isInlined: planned.length < groups.length }
}
