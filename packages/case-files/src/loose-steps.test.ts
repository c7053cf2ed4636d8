import { describe, expect, it } from 'vitest'

import { parseLooseSteps } from './loose-steps.ts'

describe('parseLooseSteps', () => {
  it.each([
    [
      'lines without numbers',
      'Open the shop\nPay',
      [
        ['Open the shop', ''],
        ['Pay', ''],
      ],
    ],
    [
      'numbers with a parenthesis',
      '1) Open\n2) Pay',
      [
        ['Open', ''],
        ['Pay', ''],
      ],
    ],
    [
      'numbered words',
      'Step 1: Open\nStep 2: Pay',
      [
        ['Open', ''],
        ['Pay', ''],
      ],
    ],
    [
      'bullets',
      '- Open\n• Pay',
      [
        ['Open', ''],
        ['Pay', ''],
      ],
    ],
    [
      'an expected result in the same line',
      '1. Open => It opens\n2. Pay → Paid',
      [
        ['Open', 'It opens'],
        ['Pay', 'Paid'],
      ],
    ],
    [
      'an expected result in the next line',
      '1. Open\n=> It opens\nExpected: at once\n2. Pay',
      [
        ['Open', 'It opens\nat once'],
        ['Pay', ''],
      ],
    ],
    [
      'further lines of a numbered step',
      '1. Open\nthe shop\n\n2. Pay',
      [
        ['Open\nthe shop', ''],
        ['Pay', ''],
      ],
    ],
    ['a text with a number', '3 items are shown', [['3 items are shown', '']]],
    ['nothing', ' \n', []],
  ])('reads %s', (_, cell, steps) => {
    expect(parseLooseSteps(cell)).toEqual(steps.map(([action, expected]) => ({ action, expected })))
  })
})
