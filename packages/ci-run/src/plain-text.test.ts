import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import { toPlainText, toSingleLine } from './plain-text.ts'

describe('toPlainText', () => {
  it.each([
    ['a\tb\nc\r\n', 'a\tb\nc\r\n'],
    ['a\0b\x07c\x7Fd\x1B', 'abcd'],
    ['\x1B[1;31mred\x1B[0m', 'red'],
    ['\x1B]8;;https://example.com\x07link\x1B]8;;\x07', 'link'],
    ['\uD83D \uDC1E 🐞', '\uFFFD \uFFFD 🐞'],
    ['Größe 本 ٣', 'Größe 本 ٣'],
  ])('converts %j to %j', (text, plain) => {
    expect(toPlainText(text)).toBe(plain)
  })

  it('returns well-formed text without control characters, and does not change plain text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const plain = toPlainText(text)
        expect(plain).not.toMatch(/\p{Surrogate}|(?![\t\n\r])\p{Cc}/u)
        expect(toPlainText(plain)).toBe(plain)
      }),
    )
  })
})

describe('toSingleLine', () => {
  it.each([
    ['a\nb\r\n::error::c', 'a b ::error::c'],
    ['passed\rFAILED', 'passed FAILED'],
    ['a\u2028b\u2029c\u0085d', 'a b cd'],
    ['\u202Egnp.exe', 'gnp.exe'],
    ['\x1B[2J\x1B[Hx', 'x'],
    ['  ', ''],
  ])('converts %j to %j', (text, line) => {
    expect(toSingleLine(text)).toBe(line)
  })

  it('truncates a long line, but never in the middle of a character', () => {
    expect(toSingleLine('🐞'.repeat(1_000_000), 10)).toBe(`${'🐞'.repeat(10)}…`)
    expect(toSingleLine('🐞'.repeat(10), 10)).toBe('🐞'.repeat(10))
  })
})
