import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import { splitText, toTextSteps } from './convert-template.ts'
import { joinSteps } from './join-steps.ts'

const line = fc.stringMatching(/^[a-z]( ?[a-z0-9.]){0,12}$/)
const lines = fc.array(line, { minLength: 1, maxLength: 3 }).map((parts) => parts.join('\n'))
const step = fc.record({ action: lines, expected: fc.oneof(fc.constant(''), lines) })

describe('a test case that becomes a text and has steps again', () => {
  it('has the same steps', () => {
    fc.assert(
      fc.property(fc.array(step, { minLength: 2, maxLength: 12 }), (steps) => {
        expect(splitText(joinSteps(steps))).toEqual(steps)
      }),
    )
  })

  it('shows an expected result below its action; a single action is the text itself', () => {
    const steps = [
      { action: 'Pay', expected: 'Paid\nThanked' },
      { action: 'Leave', expected: '' },
    ]
    expect(joinSteps(steps)).toBe('1. Pay\n   Paid\n   Thanked\n2. Leave')
    expect(joinSteps([{ action: 'Look around', expected: '' }])).toBe('Look around')
    expect(toTextSteps(' \n')).toEqual([])
  })

  it('is split by lines if it was written otherwise', () => {
    expect(splitText('- Pay => Paid\n- Leave')).toEqual([
      { action: 'Pay', expected: 'Paid' },
      { action: 'Leave', expected: '' },
    ])
  })
})
