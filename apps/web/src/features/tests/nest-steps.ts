import type { AttemptStep } from '@caseward/client/endpoints'

/** A step with those inside of it. */
export interface StepNode {
  readonly step: AttemptStep
  readonly steps: readonly StepNode[]
  /** Whether it, or a step inside of it, has not passed: it is shown unfolded. */
  readonly hasFailed: boolean
}

/** Builds the tree of steps that are listed in order: each belongs to the nearest one before it with a smaller depth. */
export function nestSteps(steps: readonly AttemptStep[]): readonly StepNode[] {
  let index = 0
  function readInside(depth: number): StepNode[] {
    const nodes: StepNode[] = []
    for (let step = steps[index]; step !== undefined && step.depth > depth; step = steps[index]) {
      index += 1
      const inside = readInside(step.depth)
      const hasFailed = isFailure(step) || inside.some((node) => node.hasFailed)
      nodes.push({ step, steps: inside, hasFailed })
    }
    return nodes
  }
  return readInside(-1)
}

const isFailure = ({ status, message }: AttemptStep) =>
  message !== '' || (status !== null && status !== 'passed' && status !== 'skipped')
