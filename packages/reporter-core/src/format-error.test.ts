import { describe, expect, it } from 'vitest'

import { formatError } from './format-error.ts'

const frames = '    at sum (/shop/src/sum.ts:3:9)\n    at /shop/test/sum.test.ts:7:3'

describe('formatError', () => {
  it('joins message, diff and stack', () => {
    const diff = '- Expected\n+ Received\n\n- 2\n+ 1'
    expect(formatError({ message: 'expected 1 to be 2', diff, stack: frames })).toBe(
      `expected 1 to be 2\n${diff}\n${frames}`,
    )
  })

  it.each([
    ['with the type Error', `Error: expected 1 to be 2\n${frames}`, `expected 1 to be 2\n${frames}`],
    ['without a type', `expected 1 to be 2\n${frames}`, `expected 1 to be 2\n${frames}`],
    ['with another type', `TypeError: expected 1 to be 2\n${frames}`, `TypeError: expected 1 to be 2\n${frames}`],
    [
      'with a type and a code',
      `AssertionError [ERR_ASSERTION]: expected 1 to be 2\n${frames}`,
      `AssertionError [ERR_ASSERTION]: expected 1 to be 2\n${frames}`,
    ],
    ['without frames', 'Error: expected 1 to be 2', 'expected 1 to be 2'],
    ['that is empty', '', 'expected 1 to be 2'],
  ])('does not repeat the message at the start of a stack %s', (_, stack, note) => {
    expect(formatError({ message: 'expected 1 to be 2', stack })).toBe(note)
  })

  it('keeps a stack that starts with another message', () => {
    const stack = `Error: no user\n${frames}\n    at no (/shop/no.ts:1:1)`
    expect(formatError({ message: 'no', stack })).toBe(`no\n${stack}`)
  })

  it('does not repeat a message of several lines', () => {
    const message = 'expected\n\n1\nto be\n2'
    expect(formatError({ message, stack: `Error: ${message}\n${frames}` })).toBe(`${message}\n${frames}`)
  })

  it('does not repeat a diff that is part of the message', () => {
    expect(formatError({ message: 'no:\n- 2\n+ 1', diff: '- 2\n+ 1' })).toBe('no:\n- 2\n+ 1')
  })

  it('removes terminal colors', () => {
    const colored = {
      message: '\x1B[31mno\x1B[39m',
      diff: '\x1B[2m- 2\x1B[22m',
      stack: `Error: \x1B[31mno\x1B[39m\n${frames}`,
    }
    expect(formatError(colored)).toBe(`no\n- 2\n${frames}`)
  })

  it('returns the stack when the message is empty', () => {
    expect(formatError({ message: '', stack: frames })).toBe(frames)
  })

  it.each([
    ['a megabyte of frames', frames.repeat(13_000)],
    ['a megabyte of escapes', '\x1B['.repeat(500_000)],
    ['a megabyte of colors', '\x1B[31mx'.repeat(170_000)],
    ['an escape that never ends', `\x1B]8;;${'a;'.repeat(500_000)}`],
    ['a megabyte of blanks', ' '.repeat(1_000_000)],
    ['a megabyte of words without a line break', 'Error: '.repeat(140_000)],
  ])('formats %s in linear time', (_, text) => {
    const start = performance.now()
    formatError({ message: text, diff: text, stack: text })
    expect(performance.now() - start).toBeLessThan(5000)
  })
})
