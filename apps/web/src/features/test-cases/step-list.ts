/** A step while it is edited. The key stays when steps are moved. */
export interface EditedStep {
  readonly key: number
  readonly action: string
  readonly expected: string
}

export type StepField = 'action' | 'expected'

type Steps = readonly EditedStep[]
type StepText = Pick<EditedStep, 'action' | 'expected'>

let lastKey = 0

/** Gives a step a key. */
export function createStep({ action, expected }: StepText = { action: '', expected: '' }): EditedStep {
  lastKey += 1
  return { key: lastKey, action, expected }
}

/** Whether the steps are those of a list from the server. */
export const isSameSteps = (steps: Steps, texts: readonly { action: string; expected?: string }[]): boolean =>
  steps.length === texts.length &&
  steps.every(({ action, expected }, index) => {
    const text = texts[index]
    return text !== undefined && text.action === action && (text.expected ?? '') === expected
  })

/** Puts steps behind the one at an index; -1 for the start. */
export const insertSteps = (steps: Steps, index: number, added: Steps): Steps => [
  ...steps.slice(0, index + 1),
  ...added,
  ...steps.slice(index + 1),
]

export const changeStep = (steps: Steps, key: number, changes: Partial<StepText>): Steps =>
  steps.map((step) => (step.key === key ? { ...step, ...changes } : step))

export const removeStep = (steps: Steps, key: number): Steps => steps.filter((step) => step.key !== key)

/** Steps that stand together: one, or those of a shared step. */
export interface StepBlock {
  readonly first: number
  readonly count: number
}

/** Moves steps before the one at an index of the list as it is. @returns the same list if they are there already */
export function moveSteps(steps: Steps, { first, count }: StepBlock, before: number): Steps {
  const target = Math.min(Math.max(before, 0), steps.length)
  if (count === 0 || (target >= first && target <= first + count)) return steps
  const others = [...steps.slice(0, first), ...steps.slice(first + count)]
  return insertSteps(others, (target < first ? target : target - count) - 1, steps.slice(first, first + count))
}

export const isEmptyStep = ({ action, expected }: StepText): boolean => action.trim() === '' && expected.trim() === ''

/** Steps without any text are not saved. */
export const toStoredSteps = (steps: Steps): { action: string; expected: string }[] =>
  steps.filter((step) => !isEmptyStep(step)).map(({ action, expected }) => ({ action, expected }))
