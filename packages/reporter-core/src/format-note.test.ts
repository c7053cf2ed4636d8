import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import { formatError, formatNote, toSingleLine, toPlainText } from './format-note.ts'

const frames = '    at sum (/shop/src/sum.ts:3:9)\n    at /shop/test/sum.test.ts:7:3'

describe('the note of an error', () => {
  it('has its message, how the values differ, and its stack', () => {
    const diff = '- Expected\n+ Received\n\n- 2\n+ 1'
    expect(formatError({ message: 'expected 1 to be 2', diff, stack: frames })).toBe(
      `expected 1 to be 2\n${diff}\n${frames}`,
    )
  })

  it.each([
    ['an error', `Error: expected 1 to be 2\n${frames}`, `expected 1 to be 2\n${frames}`],
    ['a message alone', `expected 1 to be 2\n${frames}`, `expected 1 to be 2\n${frames}`],
    ['another type', `TypeError: expected 1 to be 2\n${frames}`, `TypeError: expected 1 to be 2\n${frames}`],
    [
      'a type with a code',
      `AssertionError [ERR_ASSERTION]: expected 1 to be 2\n${frames}`,
      `AssertionError [ERR_ASSERTION]: expected 1 to be 2\n${frames}`,
    ],
    ['no frames', 'Error: expected 1 to be 2', 'expected 1 to be 2'],
    ['no stack', '', 'expected 1 to be 2'],
  ])('does not say a message twice that its stack begins with: %s', (_what, stack, note) => {
    expect(formatError({ message: 'expected 1 to be 2', stack })).toBe(note)
  })

  it('keeps the whole of a stack that begins with something else', () => {
    const stack = `Error: no user\n${frames}\n    at no (/shop/no.ts:1:1)`
    expect(formatError({ message: 'no', stack })).toBe(`no\n${stack}`)
  })

  it('knows a message of several lines in its stack', () => {
    const message = 'expected\n\n1\nto be\n2'
    expect(formatError({ message, stack: `Error: ${message}\n${frames}` })).toBe(`${message}\n${frames}`)
  })

  it('does not say a difference twice that its message has', () => {
    expect(formatError({ message: 'no:\n- 2\n+ 1', diff: '- 2\n+ 1' })).toBe('no:\n- 2\n+ 1')
  })

  it('has no colours', () => {
    const coloured = {
      message: '\x1B[31mno\x1B[39m',
      diff: '\x1B[2m- 2\x1B[22m',
      stack: `Error: \x1B[31mno\x1B[39m\n${frames}`,
    }
    expect(formatError(coloured)).toBe(`no\n- 2\n${frames}`)
  })

  it('is its stack where it has no message', () => {
    expect(formatError({ message: '', stack: frames })).toBe(frames)
  })

  it.each([
    ['a megabyte of frames', frames.repeat(13_000)],
    ['a megabyte of escapes', '\x1B['.repeat(500_000)],
    ['a megabyte of colours', '\x1B[31mx'.repeat(170_000)],
    ['an escape that never ends', `\x1B]8;;${'a;'.repeat(500_000)}`],
    ['a megabyte of blanks', ' '.repeat(1_000_000)],
    ['a megabyte of words without an end of line', 'Error: '.repeat(140_000)],
  ])('is there at once, however long: %s', (_what, text) => {
    const start = performance.now()
    formatError({ message: text, diff: text, stack: text })
    expect(performance.now() - start).toBeLessThan(5000)
  })
})

describe('the note of a test', () => {
  const failed = (message: string) => ({ testId: 'a', titlePath: [], status: 'failed' as const, errors: [{ message }] })
  const passed = { testId: 'a', titlePath: [], status: 'passed' as const }

  it('is none where there is nothing to say', () => {
    expect(formatNote('passed', [passed])).toBeNull()
    expect(formatNote('failed', [{ ...passed, status: 'failed', errors: [], comment: '' }])).toBeNull()
  })

  it('has the remark and all errors of an attempt', () => {
    const attempt = {
      ...failed('first'),
      comment: 'Ran out of time',
      errors: [{ message: 'first' }, { message: 'second' }],
    }
    expect(formatNote('failed', [attempt])).toBe('Ran out of time\n\nfirst\n\nsecond')
  })

  it('lists the attempts that have something to say, by their number', () => {
    expect(formatNote('passed', [failed('first'), { ...passed, status: 'failed' }, failed('third'), passed])).toBe(
      'Flaky: passed after 3 of 4 attempts failed.\n\nAttempt 1: first\n\nAttempt 3: third',
    )
  })
})

describe('plain text', () => {
  it.each([
    ['a\tb\nc\r\n', 'a\tb\nc\r\n'],
    ['a\0b\x07c\x7Fd\x1B', 'abcd'],
    ['\x1B[1;31mred\x1B[0m', 'red'],
    ['\x1B]8;;https://example.com\x07link\x1B]8;;\x07', 'link'],
    ['\uD83D \uDC1E 🐞', '\uFFFD \uFFFD 🐞'],
    ['Größe 本 ٣', 'Größe 本 ٣'],
  ])('of %j is %j', (text, plain) => {
    expect(toPlainText(text)).toBe(plain)
  })

  it('is well-formed, without control characters, and its own plain text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const plain = toPlainText(text)
        expect(plain).not.toMatch(/\p{Surrogate}|(?![\t\n\r])\p{Cc}/u)
        expect(toPlainText(plain)).toBe(plain)
      }),
    )
  })
})

describe('one line', () => {
  it.each([
    ['a\nb\r\n::error::c', 'a b ::error::c'],
    ['passed\rFAILED', 'passed FAILED'],
    ['a\u2028b\u2029c\u0085d', 'a b cd'],
    ['\u202Egnp.exe', 'gnp.exe'],
    ['\x1B[2J\x1B[Hx', 'x'],
    ['  ', ''],
  ])('of %j is %j', (text, line) => {
    expect(toSingleLine(text)).toBe(line)
  })

  it('is not a long one, and never ends within a character', () => {
    expect(toSingleLine('🐞'.repeat(1_000_000), 10)).toBe(`${'🐞'.repeat(10)}…`)
    expect(toSingleLine('🐞'.repeat(10), 10)).toBe('🐞'.repeat(10))
  })
})
