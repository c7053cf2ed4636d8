import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import { rollUpSteps, type StepStatus } from './roll-up-steps.ts'

const status = fc.constantFrom<StepStatus | null>('passed', 'failed', 'blocked', 'retest', null)

/** The table of the documentation, from its last row to its first: each later row replaces those before. */
function readTable(statuses: readonly (StepStatus | null)[]): string {
  let rolledUp = 'passed'
  for (const [condition, value] of [
    [null, 'not_tested'],
    ['retest', 'retest'],
    ['blocked', 'blocked'],
    ['failed', 'failed'],
  ] as const) {
    if (statuses.some((step) => step === condition)) rolledUp = value
  }
  return rolledUp
}

describe('rollUpSteps', () => {
  it('returns what the table says, for all combinations of statuses', () => {
    fc.assert(
      fc.property(fc.array(status, { minLength: 1, maxLength: 12 }), (statuses) => {
        expect(rollUpSteps(statuses)).toBe(readTable(statuses))
      }),
    )
  })

  it('does not depend on the order of the steps', () => {
    fc.assert(
      fc.property(fc.array(status), (statuses) => {
        expect(rollUpSteps([...statuses].reverse())).toBe(rollUpSteps(statuses))
      }),
    )
  })

  it('returns not tested for a test case without steps', () => {
    expect(rollUpSteps([])).toBe('not_tested')
  })
})
