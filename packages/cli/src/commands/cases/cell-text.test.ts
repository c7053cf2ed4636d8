import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import { formatSteps, formatTags, escapeFormula, parseSteps, parseTags, unescapeFormula } from './cell-text.ts'

/** Made of what means something to one of the forms. */
const hostile = fc.oneof(
  fc.string({
    unit: fc.constantFrom(
      '1',
      '2',
      '.',
      ' ',
      '=',
      '>',
      '\n',
      '\r',
      '\\',
      ',',
      "'",
      '+',
      '-',
      '@',
      '\t',
      '＝',
      'x',
      '\u2028',
    ),
  }),
  fc.array(fc.constantFrom('1. a', '=> b', '    c', '', ' ', '12.', '=>', "'=x")).map((lines) => lines.join('\n')),
  fc.string({ unit: 'grapheme' }),
)
const trimmed = hostile.map((text) => text.trim()).filter((text) => text !== '')

describe('steps', () => {
  it('come back as they were, whatever stands in them', () => {
    const steps = fc.array(fc.record({ action: hostile, expected: hostile }), { maxLength: 12 })
    fc.assert(
      fc.property(steps, (given) => {
        expect(parseSteps(formatSteps(given))).toEqual(given)
      }),
      { numRuns: 3000 },
    )
  })

  it('are written as people would', () => {
    const steps = [
      { action: 'Put a book into the basket', expected: 'The basket shows it' },
      { action: 'Pay by card,\nthe one that is expired', expected: '' },
    ]
    expect(formatSteps(steps).split('\n')).toEqual([
      '1. Put a book into the basket',
      '=> The basket shows it',
      '2. Pay by card,',
      '    the one that is expired',
    ])
  })

  it.each([
    [
      'without numbers that follow each other',
      '1. a\n1. b',
      [
        ['a', ''],
        ['b', ''],
      ],
    ],
    [
      'with free lines',
      '1. a\n\n=> x\n\n2. b\n',
      [
        ['a', 'x'],
        ['b', ''],
      ],
    ],
    ['without a space behind the mark', '1.\n=>', [['', '']]],
    ['of which there are none', '', []],
  ])('are read %s', (_, cell, steps) => {
    expect(parseSteps(cell)).toEqual(steps.map(([action, expected]) => ({ action, expected })))
  })

  it.each([
    ['Put a book into the basket', /^line 1 of the steps must begin with “1\. ”/],
    ['=> The basket shows it', /^line 1 of the steps must begin with “1\. ”/],
    ['1. a\nb', /^line 2 of the steps must begin with “2\. ”, “=> ” or four spaces: "b"/],
    ['1. a\n=> x\n=> y', /^line 3 of the steps/],
  ])('are refused with the line that is wrong: %j', (cell, message) => {
    expect(parseSteps(cell)).toEqual(expect.stringMatching(message))
  })
})

describe('tags', () => {
  it('come back as they were, whatever stands in them', () => {
    const tags = fc.array(trimmed, { maxLength: 8 })
    fc.assert(
      fc.property(tags, (given) => {
        expect(parseTags(formatTags(given))).toEqual(given)
      }),
      { numRuns: 3000 },
    )
  })

  it('are words between commas, however people put the spaces', () => {
    expect(formatTags(['smoke', 'a, b', 'c\\d'])).toBe(String.raw`smoke, a\, b, c\\d`)
    expect(parseTags(' smoke ,fast,, ')).toEqual(['smoke', 'fast'])
  })
})

describe('guard', () => {
  it('lets no text begin as a formula, and gives each back as it was', () => {
    fc.assert(
      fc.property(hostile, (text) => {
        const cell = escapeFormula(text)
        expect(cell).not.toMatch(/^[=+\-@\t\r\n＝＋－＠]/u)
        expect(unescapeFormula(cell)).toBe(text)
      }),
      { numRuns: 3000 },
    )
  })

  it.each([
    ['=1+1', "'=1+1"],
    ['-', "'-"],
    ["'=x", "''=x"],
    ["it's", "it's"],
    ["'quoted'", "'quoted'"],
  ])('writes %j as %j', (text, cell) => {
    expect(escapeFormula(text)).toBe(cell)
  })
})
