import { describe, expect, it } from 'vitest'

import { toAttempt, toAttempts, toSuiteError } from './to-attempt.ts'
import type { JestTestFile, JestTestResult } from './jest-results.ts'

const file: JestTestFile = { path: '/shop/test/cart.test.js', context: { config: { id: 'a1b2' } } }
const place = { file, cwd: '/shop', occurrence: 0 }
const result: JestTestResult = { ancestorTitles: ['Shop', 'Cart'], title: 'empties', status: 'passed', duration: 12 }

describe('an attempt', () => {
  it('has the titles around the test, its file and its duration', () => {
    expect(toAttempt(result, place)).toMatchObject({
      titlePath: ['Shop', 'Cart', 'empties'],
      file: 'test/cart.test.js',
      status: 'passed',
      durationMs: 12,
    })
  })

  it.each([
    ['passed', 'passed'],
    ['failed', 'failed'],
    ['pending', 'not_tested'],
    ['todo', 'not_tested'],
    ['disabled', 'not_tested'],
    [undefined, 'not_tested'],
  ])('that Jest calls %s is %s', (status, expected) => {
    expect(toAttempt({ ...result, status }, place).status).toBe(expected)
  })

  it('belongs to another test when its file, project, titles or occurrence differ', () => {
    const others = [
      toAttempt(result, place),
      toAttempt(result, { ...place, occurrence: 1 }),
      toAttempt({ ...result, title: 'fills' }, place),
      toAttempt({ ...result, ancestorTitles: ['Shop > Cart'] }, place),
      toAttempt(result, { ...place, file: { ...file, path: '/shop/cart.test.js' } }),
      toAttempt(result, { ...place, file: { ...file, context: { config: { id: 'c3d4' } } } }),
    ]
    expect(new Set(others.map(({ testId }) => testId)).size).toBe(others.length)
  })

  it.each([[{ name: 'phone' }], ['phone']])('has the name of its project as its variant: %j', (displayName) => {
    const attempt = toAttempt(result, { ...place, file: { ...file, context: { config: { displayName } } } })
    expect(attempt.variant).toBe('phone')
  })

  it('that failed says why, without the frames of Jest and Node', () => {
    const failure = [
      'Error: the cart is not empty',
      '    at remove (/shop/cart.js:3:9)',
      '    at Object.<anonymous> (/shop/test/cart.test.js:5:3)',
      '    at Promise.then.completed (/shop/node_modules/jest-circus/build/utils.js:298:28)',
      '    at new Promise (<anonymous>)',
      '    at processTicksAndRejections (node:internal/process/task_queues:95:5)',
    ]
    const { errors } = toAttempt({ ...result, status: 'failed', failureMessages: [failure.join('\n')] }, place)
    expect(errors).toEqual([{ message: 'the cart is not empty', stack: failure.slice(0, 3).join('\n') }])
  })

  it('is made of whatever is there', () => {
    const odd = { title: 7, ancestorTitles: 'Shop', failureMessages: {}, duration: null } as unknown as JestTestResult
    expect(toAttempt(odd, { ...place, file: { path: '' } })).toMatchObject({ titlePath: ['7'], status: 'not_tested' })
  })
})

it('an error before each earlier attempt failed is one more attempt at the same test', () => {
  const attempts = toAttempts({ ...result, retryReasons: ['Error: a', 'Error: b'] }, place)
  expect(attempts.map(({ status, errors }) => [status, errors?.[0]?.message])).toEqual([
    ['failed', 'a'],
    ['failed', 'b'],
    ['passed', undefined],
  ])
  expect(new Set(attempts.map(({ testId }) => testId)).size).toBe(1)
})

describe('an error outside of tests', () => {
  it('says what was thrown', () => {
    expect(toSuiteError('a.js', { message: 'no module', stack: 'Error: no module\n    at a.js:1' })).toEqual({
      location: 'a.js',
      message: 'no module',
      stack: 'Error: no module\n    at a.js:1',
    })
  })

  it('of which Jest tells the stack alone has its message from there', () => {
    expect(toSuiteError('a.js', { message: '', stack: 'Error: not closed\n    at a.js:1' }).message).toBe('not closed')
  })
})
