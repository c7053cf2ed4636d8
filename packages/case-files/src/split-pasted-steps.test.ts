import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import { isPastedAsSteps, splitPastedSteps } from './split-pasted-steps.ts'

const split = (text: string) => splitPastedSteps(text).map(({ action, expected }) => [action, expected])

describe('splitPastedSteps', () => {
  it('makes six steps of six lines, and skips empty ones', () => {
    expect(split('Open\nGo\r\n\nPay\n   \nWait\rCheck\nEnd\n').map(([action]) => action)).toEqual([
      'Open',
      'Go',
      'Pay',
      'Wait',
      'Check',
      'End',
    ])
  })

  it.each(['\t', ' => ', ' → '])('separates the expected result at "%s"', (separator) => {
    expect(split(`Open the shop${separator}The basket shows`)).toEqual([['Open the shop', 'The basket shows']])
  })

  it.each([
    ['1. Open', 'Open'],
    ['12) Open', 'Open'],
    ['(3) Open', 'Open'],
    ['Step 4: Open', 'Open'],
    ['step 5 Open', 'Open'],
    ['- Open', 'Open'],
    ['• Open', 'Open'],
    // These are text.
    ['3 items are shown', '3 items are shown'],
    ['1.5 seconds pass', '1.5 seconds pass'],
    ['-5 is rejected', '-5 is rejected'],
    ['2026: the year', '2026: the year'],
    ['Stepwise refinement', 'Stepwise refinement'],
  ])('removes numbering: "%s" becomes "%s"', (line, expected) => {
    expect(split(line)).toEqual([[expected, '']])
  })

  it('reads the columns of a spreadsheet', () => {
    expect(split('1\tOpen\tIt shows\n2\tPay\t')).toEqual([
      ['Open', 'It shows'],
      ['Pay', ''],
    ])
    expect(split('Open\t"It shows:\n- one\n- ""two"""\nPay\tDone')).toEqual([
      ['Open', 'It shows:\n- one\n- "two"'],
      ['Pay', 'Done'],
    ])
    expect(split('Open\tIt shows\ta comment')).toEqual([['Open', 'It shows a comment']])
  })

  it('keeps quotes that are text', () => {
    expect(split('Click "Pay"\n"Done" is shown\tIt says "Thanks"')).toEqual([
      ['Click "Pay"', ''],
      ['"Done" is shown', 'It says "Thanks"'],
    ])
    expect(split('Type "a\tb\nNext\tc')).toEqual([
      ['Type "a', 'b'],
      ['Next', 'c'],
    ])
  })

  it('loses no words of any text', () => {
    const word = fc.constantFrom('open', 'pay', '"quoted"', 'a', '=', '"')
    const line = fc.tuple(fc.array(word, { minLength: 1 }), fc.constantFrom(' ', '\t', ' => '))
    fc.assert(
      fc.property(fc.array(line), (lines) => {
        const text = lines.map(([words, separator]) => words.join(separator)).join('\n')
        const toLetters = (value: string) => value.replaceAll(/[^a-z]/g, '')
        const joined = splitPastedSteps(text)
          .map(({ action, expected }) => action + expected)
          .join('')
        expect(toLetters(joined)).toBe(toLetters(text))
      }),
    )
  })
})

describe('isPastedAsSteps', () => {
  it('is true for several lines with text', () => {
    expect(isPastedAsSteps('Open\nPay')).toBe(true)
    expect(isPastedAsSteps('Open\n\n')).toBe(false)
    expect(isPastedAsSteps('Open => It shows')).toBe(false)
  })
})
