import type { AttemptStep } from '@caseward/client/endpoints'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import { nestSteps, type StepNode } from './nest-steps.ts'

const toStep = (title: string, depth: number, status: AttemptStep['status'] = 'passed'): AttemptStep => ({
  title,
  depth,
  status,
  elapsed_ms: null,
  message: '',
})
const format = (nodes: readonly StepNode[]): string =>
  nodes.map(({ step, steps }) => step.title + (steps.length === 0 ? '' : `(${format(steps)})`)).join(' ')
const flatten = (nodes: readonly StepNode[]): AttemptStep[] =>
  nodes.flatMap(({ step, steps }) => [step, ...flatten(steps)])

describe('nestSteps', () => {
  it.each([
    [[0, 0, 0], 'a b c'],
    [[0, 1, 1, 0, 1], 'a(b c) d(e)'],
    [[0, 1, 2, 2, 0], 'a(b(c d)) e'],
    // Steps between were left out.
    [[2, 1, 0, 3], 'a b c(d)'],
    [[], ''],
  ])('puts steps with the depths %j into %s', (depths, expected) => {
    expect(format(nestSteps(depths.map((depth, index) => toStep('abcde'[index] ?? '', depth))))).toBe(expected)
  })

  it('keeps every step in its order', () => {
    fc.assert(
      fc.property(fc.array(fc.nat({ max: 9 })), (depths) => {
        const steps = depths.map((depth, index) => toStep(String(index), depth))
        expect(flatten(nestSteps(steps))).toEqual(steps)
      }),
    )
  })

  it('marks the way to a failure, and nothing for steps that passed, were skipped or are unknown', () => {
    const [way, other] = nestSteps([
      toStep('a', 0),
      toStep('b', 1, 'failed'),
      toStep('c', 0),
      toStep('d', 1, 'skipped'),
      toStep('e', 1, null),
    ])
    expect([way?.hasFailed, way?.steps[0]?.hasFailed, other?.hasFailed]).toEqual([true, true, false])
  })
})
