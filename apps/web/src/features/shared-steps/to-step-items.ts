import type { TestCase, UpdateTestCaseBody } from '@caseward/client/endpoints'

type StepItem = NonNullable<UpdateTestCaseBody['steps']>[number]

/** A part of the steps of a test case: its own step, or all of a shared one. */
export interface StepPart {
  readonly item: StepItem
  /** The position of its last step. */
  readonly last: number
  readonly label: string
}

/** The steps of a test case as a request sends them, shared steps by their ids. */
export function toStepParts({ steps, step_groups: groups = [] }: Pick<TestCase, 'steps' | 'step_groups'>): StepPart[] {
  return steps.flatMap(({ position, action, expected }): StepPart[] => {
    const group = groups.find(({ first, count }) => position >= first && position < first + count)
    if (group === undefined) return [{ item: { action, expected }, last: position, label: action }]
    const { shared_step_id, version, follows, first, count, title } = group
    if (position > first) return []
    return [{ item: follows ? { shared_step_id } : { shared_step_id, version }, last: first + count - 1, label: title }]
  })
}
