import type { TestCase } from '@caseward/client/endpoints'

import type { EditedStep, StepBlock } from './step-list.ts'

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
  // By how much the last one has moved: those after it have probably moved by the same.
  let shift = 0
  for (const group of groups) {
    const texts = stored.slice(group.first - 1, group.first - 1 + group.count)
    const isHere = (start: number) =>
      texts.every(({ action, expected }, index) => {
        const step = steps[start + index]
        return step !== undefined && !marks.has(step.key) && step.action === action && step.expected === expected
      })
    const usual = group.first - 1 + shift
    const start = isHere(usual) ? usual : findPlace(steps.length, next, isHere)
    if (start === -1) continue
    shift = start - (group.first - 1)
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

/** The steps that move with one: all of its shared step. */
export function getBlock(steps: readonly EditedStep[], marks: StepMarks, key: number): StepBlock {
  const index = steps.findIndex((step) => step.key === key)
  if (index === -1) return { first: 0, count: 0 }
  if (!marks.has(key)) return { first: index, count: 1 }
  let first = index
  while (!isGap(steps, marks, first)) first -= 1
  return { first, count: marks.get(key)?.group.count ?? 1 }
}

/** Whether a step may stand before the one at an index: not between those of a shared step. */
export const isGap = (steps: readonly EditedStep[], marks: StepMarks, index: number): boolean => {
  const mark = marks.get(steps[index]?.key ?? 0)
  return mark === undefined || mark.isFirst
}
