import { describe, expect, it } from 'vitest'

import { toAttempt, toAttempts, toSuiteError } from './to-attempt.ts'
import type { JestTestFile, JestTestResult } from './framework-types.ts'

const file: JestTestFile = { path: '/shop/test/cart.test.js', context: { config: { id: 'a1b2' } } }
const location = { file, cwd: '/shop', occurrence: 0 }
const result: JestTestResult = { ancestorTitles: ['Shop', 'Cart'], title: 'empties', status: 'passed', duration: 12 }

describe('toAttempt', () => {
  it('returns title path, file, status and duration', () => {
    expect(toAttempt(result, location)).toMatchObject({
      titlePath: ['Shop', 'Cart', 'empties'],
      file: 'test/cart.test.js',
      status: 'passed',
      durationMs: 12,
    })
  })

  it.each([
    ['passed', 'passed'],
    ['failed', 'failed'],
    ['pending', 'skipped'],
    ['todo', 'skipped'],
    ['disabled', 'skipped'],
  ])('converts the status %s to %s', (status, expected) => {
    expect(toAttempt({ ...result, status }, location).status).toBe(expected)
  })

  it.each([undefined, 'retried'])('throws for the unknown status %s', (status) => {
    expect(() => toAttempt({ ...result, status }, location)).toThrow('is unknown')
  })

  it('returns another id when file, project, titles or occurrence differ', () => {
    const others = [
      toAttempt(result, location),
      toAttempt(result, { ...location, occurrence: 1 }),
      toAttempt({ ...result, title: 'fills' }, location),
      toAttempt({ ...result, ancestorTitles: ['Shop > Cart'] }, location),
      toAttempt(result, { ...location, file: { ...file, path: '/shop/cart.test.js' } }),
      toAttempt(result, { ...location, file: { ...file, context: { config: { id: 'c3d4' } } } }),
    ]
    expect(new Set(others.map(({ testId }) => testId)).size).toBe(others.length)
  })

  it.each([[{ name: 'phone' }], ['phone']])('returns the name of the project %j as the variant', (displayName) => {
    const attempt = toAttempt(result, { ...location, file: { ...file, context: { config: { displayName } } } })
    expect(attempt.variant).toBe('phone')
  })

  it('returns the errors without the frames of Jest and Node', () => {
    const failure = [
      'Error: the cart is not empty',
      '    at remove (/shop/cart.js:3:9)',
      '    at Object.<anonymous> (/shop/test/cart.test.js:5:3)',
      '    at Promise.then.completed (/shop/node_modules/jest-circus/build/utils.js:298:28)',
      '    at new Promise (<anonymous>)',
      '    at processTicksAndRejections (node:internal/process/task_queues:95:5)',
    ]
    const { errors } = toAttempt({ ...result, status: 'failed', failureMessages: [failure.join('\n')] }, location)
    expect(errors).toEqual([{ message: 'the cart is not empty', stack: failure.slice(0, 3).join('\n') }])
  })

  it('ignores fields with invalid values', () => {
    const odd: unknown = { title: 7, ancestorTitles: 'Shop', failureMessages: {}, duration: null, status: 'failed' }
    expect(toAttempt(odd as JestTestResult, { ...location, file: { path: '' } })).toMatchObject({
      titlePath: ['7'],
      status: 'failed',
    })
  })
})

describe('toAttempts', () => {
  it('returns a failed attempt for each retry reason', () => {
    const attempts = toAttempts({ ...result, retryReasons: ['Error: a', 'Error: b'] }, location)
    expect(attempts.map(({ status, errors }) => [status, errors?.[0]?.message])).toEqual([
      ['failed', 'a'],
      ['failed', 'b'],
      ['passed', undefined],
    ])
    expect(new Set(attempts.map(({ testId }) => testId)).size).toBe(1)
  })
})

describe('toSuiteError', () => {
  it('returns message and stack', () => {
    expect(toSuiteError('a.js', { message: 'no module', stack: 'Error: no module\n    at a.js:1' })).toEqual({
      location: 'a.js',
      message: 'no module',
      stack: 'Error: no module\n    at a.js:1',
    })
  })

  it('returns the message from the stack when it is empty', () => {
    expect(toSuiteError('a.js', { message: '', stack: 'Error: not closed\n    at a.js:1' }).message).toBe('not closed')
  })
})
