import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import { escapeFormula, formatSteps, formatTags, parseSteps, parseTags, unescapeFormula } from './cell-text.ts'

/** Texts of characters that have a meaning in one of the formats. */
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

describe('parseSteps', () => {
  it('returns the steps that formatSteps was given, whatever they contain', () => {
    const steps = fc.array(fc.record({ action: hostile, expected: hostile }), { maxLength: 12 })
    fc.assert(
      fc.property(steps, (given) => {
        expect(parseSteps(formatSteps(given))).toEqual(given)
      }),
      { numRuns: 3000 },
    )
  })

  it('reads what formatSteps writes: numbers, arrows and indented lines', () => {
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
      'whose numbers do not follow each other',
      '1. a\n1. b',
      [
        ['a', ''],
        ['b', ''],
      ],
    ],
    [
      'with empty lines in between',
      '1. a\n\n=> x\n\n2. b\n',
      [
        ['a', 'x'],
        ['b', ''],
      ],
    ],
    ['without a space after the mark', '1.\n=>', [['', '']]],
    ['in an empty cell', '', []],
  ])('accepts steps %s', (_, cell, steps) => {
    expect(parseSteps(cell)).toEqual(steps.map(([action, expected]) => ({ action, expected })))
  })

  it.each([
    ['Put a book into the basket', /^line 1 of the steps must start with “1\. ”/],
    ['=> The basket shows it', /^line 1 of the steps must start with “1\. ”/],
    ['1. a\nb', /^line 2 of the steps must start with “2\. ”, “=> ” or four spaces: "b"/],
    ['1. a\n=> x\n=> y', /^line 3 of the steps/],
  ])('returns an error with the line number for %j', (cell, message) => {
    expect(parseSteps(cell)).toEqual(expect.stringMatching(message))
  })
})

describe('parseTags', () => {
  it('returns the tags that formatTags was given, whatever they contain', () => {
    const tags = fc.array(trimmed, { maxLength: 8 })
    fc.assert(
      fc.property(tags, (given) => {
        expect(parseTags(formatTags(given))).toEqual(given)
      }),
      { numRuns: 3000 },
    )
  })

  it('ignores spaces around tags and empty tags, and unescapes commas', () => {
    expect(formatTags(['smoke', 'a, b', 'c\\d'])).toBe(String.raw`smoke, a\, b, c\\d`)
    expect(parseTags(' smoke ,fast,, ')).toEqual(['smoke', 'fast'])
  })
})

describe('escapeFormula', () => {
  it('returns no text that starts like a formula, and unescapeFormula reverts it', () => {
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
  ])('returns for %j the text %j', (text, cell) => {
    expect(escapeFormula(text)).toBe(cell)
  })
})
