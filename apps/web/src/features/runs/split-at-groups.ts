import type { TestCase } from '@caseward/client/endpoints'

export type StepGroup = NonNullable<TestCase['step_groups']>[number]

/** Steps that stand together: those of a shared step, or the test case's own (`group` is null). */
export interface StepPart<S> {
  readonly group: StepGroup | null
  readonly steps: readonly S[]
}

/** Splits the steps of a test case at its shared steps. Every step is in one part, whatever the groups say. */
export function splitAtGroups<S>(steps: readonly S[], groups: readonly StepGroup[] = []): StepPart<S>[] {
  const parts: StepPart<S>[] = []
  let next = 0
  const add = (end: number, group: StepGroup | null) => {
    if (end > next) parts.push({ group, steps: steps.slice(next, end) })
    next = Math.max(next, end)
  }
  for (const group of groups) {
    add(group.first - 1, null)
    add(group.first - 1 + group.count, group)
  }
  add(steps.length, null)
  return parts
}
