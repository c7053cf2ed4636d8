import { describe, expect, it } from 'vitest'

import { toAttempt, toTestError } from './to-attempt.ts'
import type { MochaTest } from './framework-types.ts'

const test: MochaTest = {
  type: 'test',
  title: 'empties',
  file: '/shop/test/cart.js',
  duration: 12,
  titlePath: () => ['Shop', 'empties'],
}

describe('toAttempt', () => {
  it('returns title path, file, status and duration', () => {
    expect(toAttempt(test, { status: 'passed' }, 0, '/shop')).toMatchObject({
      titlePath: ['Shop', 'empties'],
      file: 'test/cart.js',
      status: 'passed',
      durationMs: 12,
    })
  })

  it('returns the file of the nearest suite when the test has none', () => {
    const { file: _, ...withoutFile } = test
    const inSuite = { ...withoutFile, parent: { parent: { file: '/shop/cart.js' } } }
    expect(toAttempt(inSuite, { status: 'passed' }, 0, '/shop').file).toBe('cart.js')
  })

  it('returns another id when file, titles or occurrence differ', () => {
    const others = [
      toAttempt(test, { status: 'passed' }, 0, '/shop'),
      toAttempt(test, { status: 'passed' }, 1, '/shop'),
      toAttempt({ ...test, file: '/shop/cart.js' }, { status: 'passed' }, 0, '/shop'),
      toAttempt({ ...test, titlePath: () => ['Shop empties'] }, { status: 'passed' }, 0, '/shop'),
    ]
    expect(new Set(others.map(({ testId }) => testId)).size).toBe(others.length)
  })

  it('accepts a test without any fields', () => {
    expect(toAttempt({}, { status: 'failed' }, 0, '/shop')).toMatchObject({ titlePath: [''], status: 'failed' })
  })
})

describe('toTestError', () => {
  it('returns message, stack and the diff of Mocha', () => {
    const thrown = { message: 'not the same', stack: 'Error: not the same\n    at cart.js:1' }
    const diff = '\n      + expected - actual\n\n      -apple\n      +pear\n      '
    expect(toTestError(thrown, diff)).toEqual({ ...thrown, diff: '+ expected - actual\n\n-apple\n+pear' })
  })

  it('returns no diff when the message of node:assert contains it', () => {
    expect(toTestError({ message: '1 !== 2', generatedMessage: true }, '-1\n+2').diff).toBeUndefined()
  })

  it.each([
    ['a string', 'a string'],
    [undefined, 'undefined'],
    [null, 'null'],
    [{}, 'The test failed.'],
  ])('converts the thrown value %j to the message “%s”', (thrown, message) => {
    expect(toTestError(thrown).message).toBe(message)
  })
})
