import type { TestCase } from '@caseward/client/endpoints'

import type { EditedStep } from './step-list.ts'

type StepGroup = NonNullable<TestCase['step_groups']>[number]

/** The steps of a test case as the server has them. */
export type StoredSteps = Pick<TestCase, 'steps' | 'step_groups'>

/** The shared step that an edited step belongs to, and whether it is its first or last one. */
export interface StepMark {
  readonly group: StepGroup
  readonly isFirst: boolean
  readonly isLast: boolean
}
export type StepMarks = ReadonlyMap<number, StepMark>

const NO_MARKS: StepMarks = new Map()

/** Finds which edited steps belong to shared steps, as the server will: by their texts. */
export function markSteps(
  steps: readonly EditedStep[],
  { steps: stored, step_groups: groups }: StoredSteps,
): StepMarks {
  if (groups === undefined) return NO_MARKS
  const marks = new Map<number, StepMark>()
  let next = 0
  for (const group of groups) {
    const texts = stored.slice(group.first - 1, group.first - 1 + group.count)
    const isHere = (start: number) =>
      texts.every(({ action, expected }, index) => {
        const step = steps[start + index]
        return step !== undefined && !marks.has(step.key) && step.action === action && step.expected === expected
      })
    const start = findPlace(steps.length, next, isHere)
    if (start === -1) continue
    for (const [index, step] of steps.slice(start, start + group.count).entries()) {
      marks.set(step.key, { group, isFirst: index === 0, isLast: index === group.count - 1 })
    }
    next = start + group.count
  }
  return marks
}

function findPlace(count: number, start: number, fits: (index: number) => boolean): number {
  for (let step = 0; step < count; step += 1) if (fits((start + step) % count)) return (start + step) % count
  return -1
}

/** Whether a step may stand before the one at an index: not between those of a shared step. */
export const isGap = (steps: readonly EditedStep[], marks: StepMarks, index: number): boolean => {
  const mark = marks.get(steps[index]?.key ?? 0)
  return mark === undefined || mark.isFirst
}
