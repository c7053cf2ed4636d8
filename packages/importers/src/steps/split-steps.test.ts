import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import type { StepText } from '../records.ts'
import { splitSteps } from './split-steps.ts'

const split = (rule: StepText['rule'], action: string, expected = '', data?: string) => {
  const { steps, ...rest } = splitSteps({ rule, action, expected, ...(data === undefined ? {} : { data }) })
  return { steps: steps.map((step) => [step.action, step.expected]), ...rest }
}
const only = (steps: [string, string][], rest: object = {}) => ({
  steps,
  precondition: '',
  expected_result: '',
  isNotSplit: false,
  ...rest,
})

describe('splitSteps', () => {
  it.each<[string, StepText['rule'], [string, string?, string?], object]>([
    [
      'lines of CR LF, whose own lines end in LF',
      'crlf',
      ['Open\nthe shop\r\n2. Pay', 'Shown\r\nPaid'],
      only([
        ['Open\nthe shop', 'Shown'],
        ['Pay', 'Paid'],
      ]),
    ],
    [
      'numbers in both texts',
      'numbered',
      ['1. Open\n2. Pay', '1. Shown\n2. Paid'],
      only([
        ['Open', 'Shown'],
        ['Pay', 'Paid'],
      ]),
    ],
    [
      'brackets as numbers',
      'numbered',
      ['1) Open\n2) Pay'],
      only([
        ['Open', ''],
        ['Pay', ''],
      ]),
    ],
    [
      'fewer expected results, which say where they belong',
      'numbered',
      ['1. Open\n2. Pay', '2. Paid'],
      only([
        ['Open', ''],
        ['Pay', 'Paid'],
      ]),
    ],
    [
      'one expected result for several steps, which stays whole',
      'numbered',
      ['1. Open\n2. Pay', 'It is paid'],
      only(
        [
          ['Open', ''],
          ['Pay', ''],
        ],
        { expected_result: 'It is paid' },
      ),
    ],
    [
      'expected results that end before the last step',
      'numbered',
      ['1. Open\n2. Order\n3. Pay', '1. Shown\n2. Ordered'],
      only([
        ['Open', 'Shown'],
        ['Order', 'Ordered'],
        ['Pay', ''],
      ]),
    ],
    [
      'as many that cannot be given, which stay whole and are counted',
      'numbered',
      ['1. Open\n2. Pay', '1. A\n2. B\n3. C'],
      only(
        [
          ['Open', ''],
          ['Pay', ''],
        ],
        { expected_result: '1. A\n2. B\n3. C', isNotSplit: true },
      ),
    ],
    [
      'text before the first number, which is a precondition',
      'numbered',
      ['Sign in.\n1. Open'],
      only([['Open', '']], { precondition: 'Sign in.' }),
    ],
    ['no numbers', 'numbered', ['Pay', 'Paid'], only([['Pay', 'Paid']])],
    ['no text of steps', 'numbered', ['', 'Paid'], only([], { expected_result: 'Paid' })],
    [
      'empty positions',
      'positions',
      ['1. Open\n2. Pay', '1. \n2. Paid', '1. \n2. 4711'],
      only([
        ['Open', ''],
        ['Pay\n\nTest data: 4711', 'Paid'],
      ]),
    ],
    [
      'strings of JSON',
      'json_lines',
      ['1. "Open \\"it\\""\n2. "Pay"', '1. ""\n2. "Paid"'],
      only([
        ['Open "it"', ''],
        ['Pay', 'Paid'],
      ]),
    ],
    [
      'Gherkin, with its tables and without its examples',
      'gherkin',
      ['Given a cart\n  | item |\n  | pen |\nWhen paid\nExamples:\n  | a |'],
      only([
        ['Given a cart\n  | item |\n  | pen |', ''],
        ['When paid', ''],
      ]),
    ],
    ['a whole text', 'whole', ['1. Open\n2. Pay', 'Paid'], only([['1. Open\n2. Pay', 'Paid']])],
  ])('splits %s', (_, rule, [action, expected, data], result) => {
    expect(split(rule, action, expected, data)).toEqual(result)
  })

  it('splits steps and expected results that are in one text', () => {
    const text = '1. Open\nExpected Result:\nShown\n2. Pay\nExpected Result:\nPaid'
    expect(split('combined', text).steps).toEqual([
      ['Open', 'Shown'],
      ['Pay', 'Paid'],
    ])
  })

  it('loses no word of any text', () => {
    const line = fc.tuple(fc.constantFrom('', '1. ', '2. ', '3) ', '- ', '10. '), fc.stringMatching(/^[a-z]{1,8}$/))
    const text = fc.array(line, { maxLength: 6 }).map((lines) => lines.map((parts) => parts.join('')).join('\n'))
    const rule = fc.constantFrom<StepText['rule']>('numbered', 'positions', 'crlf', 'combined', 'json_lines', 'whole')
    fc.assert(
      fc.property(rule, text, text, text, (chosen, action, expected, data) => {
        const usesData = chosen === 'positions' || chosen === 'json_lines'
        const result = splitSteps({ rule: chosen, action, expected, ...(usesData ? { data } : {}) })
        const words = [result.precondition, result.expected_result]
        for (const step of result.steps) words.push(step.action, step.expected)
        const kept = countWords(words.join('\n'))
        for (const [word, count] of countWords([action, expected, usesData ? data : ''].join('\n'))) {
          expect(kept.get(word) ?? 0).toBeGreaterThanOrEqual(count)
        }
      }),
    )
  })
})

function countWords(text: string): Map<string, number> {
  const counts = new Map<string, number>()
  for (const word of text.match(/[a-z]+/g) ?? []) counts.set(word, (counts.get(word) ?? 0) + 1)
  return counts
}
