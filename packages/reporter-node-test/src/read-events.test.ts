import type { SuiteError, TestAttempt } from '@caseward/reporter-core'
import { describe, expect, it } from 'vitest'

import type { NodeTestEvent, TestData } from './node-test-events.ts'
import { createEventReader } from './read-events.ts'

/** What comes of events, as the documentation of each version of Node describes them. */
function read(events: readonly NodeTestEvent[]) {
  const attempts: TestAttempt[] = []
  const errors: SuiteError[] = []
  const told = {
    recordAttempt: (attempt: TestAttempt) => void attempts.push(attempt),
    recordSuiteError: (error: SuiteError) => void errors.push(error),
  }
  const reader = createEventReader(told, '/shop')
  for (const event of events) reader.read(event)
  return { ...reader.leave(), attempts, errors }
}

const file = '/shop/tests/cart.test.js'
const test = (type: 'test:pass' | 'test:fail', data: TestData): NodeTestEvent[] => [
  { type: 'test:start', data },
  { type, data: { ...data, details: { duration_ms: 1, ...data.details } } },
]

describe('the events of Node 18, which name no file in its first versions', () => {
  it('are told under the titles around a test', () => {
    const { attempts } = read([
      { type: 'test:start', data: { name: 'cart', nesting: 0 } },
      ...test('test:pass', { name: 'WEB-1 opens', nesting: 1 }),
      { type: 'test:pass', data: { name: 'cart', nesting: 0, details: { type: 'suite', duration_ms: 2 } } },
    ])
    expect(attempts).toMatchObject([{ titlePath: ['cart', 'WEB-1 opens'], status: 'passed', durationMs: 1 }])
  })

  it('tell of a file that did not load by its path and exit code', () => {
    const error = { message: 'test failed', failureType: 'testCodeFailure', exitCode: 1, signal: null }
    const { attempts, errors } = read([
      { type: 'test:stderr', data: { file, message: 'node:internal/modules\n' } },
      { type: 'test:stderr', data: { file, message: 'SyntaxError: Unexpected token\n    at compile (node:vm:1)\n' } },
      ...test('test:fail', { name: file, nesting: 0, details: { error } }),
    ])
    expect(errors).toMatchObject([{ location: 'tests/cart.test.js', message: 'SyntaxError: Unexpected token' }])
    expect(attempts).toMatchObject([{ status: 'failed', isContainer: true }])
  })
})

describe('the events of newer versions', () => {
  it('give tags, and tests that Ctrl-C stopped', () => {
    const { attempts, interrupted } = read([
      ...test('test:pass', { name: 'opens', nesting: 0, file, tags: ['WEB-1'] }),
      {
        type: 'test:interrupted',
        data: {
          tests: [
            { name: file, nesting: 0, file },
            { name: 'WEB-2 waits', nesting: 0, file, line: 9 },
          ],
        },
      },
    ])
    expect(interrupted).toBe(true)
    expect(attempts).toMatchObject([
      { titlePath: ['opens'], tags: ['WEB-1'], status: 'passed' },
      { titlePath: ['WEB-2 waits'], status: 'retest' },
    ])
  })

  it('may name a file by its path from the working directory', () => {
    const { attempts } = read(
      test('test:pass', { name: 'tests/web-1.test.js', nesting: 0, file: '/shop/tests/web-1.test.js' }),
    )
    expect(attempts).toMatchObject([{ titlePath: ['tests/web-1.test.js'], isContainer: true }])
  })
})

describe('a test', () => {
  it('is the same in each run, and another than those of equal titles', () => {
    const events = [1, 2].flatMap((line) => test('test:pass', { name: 'row', nesting: 0, file, line }))
    const ids = read(events).attempts.map(({ testId }) => testId)
    expect(new Set(ids).size).toBe(2)
    expect(read(events).attempts.map(({ testId }) => testId)).toEqual(ids)
  })

  it('does not get the test case ids that another one names', () => {
    const says = (message: string, data: object): NodeTestEvent => ({
      type: 'test:diagnostic',
      data: { ...data, message },
    })
    const [first, second] = [1, 2].map((line) => ({ name: `test ${line}`, nesting: 0, file, line }))
    const { attempts } = read([
      ...test('test:pass', first ?? {}),
      says('test_case_id=WEB-1', { nesting: 0, file, line: 1 }),
      ...test('test:pass', second ?? {}),
      says('test_case_id=WEB-1', { nesting: 0, file, line: 1 }),
      says('test_case_id: WEB-2 WEB-3', { nesting: 0, file, line: 2 }),
    ])
    expect(attempts.map(({ caseIds }) => caseIds)).toEqual([['WEB-1'], undefined])
  })

  it.each([
    ['nothing at all', {}],
    ['an error that is no object', { name: 'odd', details: { error: 'no' as never } }],
    ['a cause that is none', { name: 'odd', details: { error: { cause: null, message: 7 } } }],
    ['a name and details of other kinds', { name: 7 as never, nesting: -1, details: 'none' as never }],
  ])('that tells %s is failed all the same, without an exception', (_what, data) => {
    expect(read([{ type: 'test:fail', data }]).attempts).toMatchObject([{ status: 'failed' }])
  })
})
