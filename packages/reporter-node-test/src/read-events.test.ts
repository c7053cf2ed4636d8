import { createGuard, type SuiteError, type TestAttempt } from '@caseward/reporter-core'
import { describe, expect, it } from 'vitest'

import type { NodeTestEvent, TestData } from './framework-types.ts'
import { createEventReader } from './read-events.ts'

/** Reads events in the format that Node's documentation describes. */
function read(events: readonly NodeTestEvent[]) {
  const attempts: TestAttempt[] = []
  const errors: SuiteError[] = []
  const reporter = {
    recordAttempt: (attempt: TestAttempt) => void attempts.push(attempt),
    recordSuiteError: (error: SuiteError) => void errors.push(error),
  }
  const reader = createEventReader(reporter, '/shop', createGuard('node-test', reporter.recordSuiteError))
  for (const event of events) reader.read(event)
  return { ...reader.end(), attempts, errors }
}

const file = '/shop/tests/cart.test.js'
const test = (type: 'test:pass' | 'test:fail', data: TestData): NodeTestEvent[] => [
  { type: 'test:start', data },
  { type, data: { ...data, details: { duration_ms: 1, ...data.details } } },
]

describe('EventReader with events of Node 18', () => {
  it('records the title path of a test', () => {
    const { attempts } = read([
      { type: 'test:start', data: { name: 'cart', nesting: 0 } },
      ...test('test:pass', { name: 'WEB-1 opens', nesting: 1 }),
      { type: 'test:pass', data: { name: 'cart', nesting: 0, details: { type: 'suite', duration_ms: 2 } } },
    ])
    expect(attempts).toMatchObject([{ titlePath: ['cart', 'WEB-1 opens'], status: 'passed', durationMs: 1 }])
  })

  it('records a suite error for a file that did not load', () => {
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

describe('EventReader with events of newer versions', () => {
  it('records tags, and tests that Ctrl-C interrupted', () => {
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
      { titlePath: ['WEB-2 waits'], status: 'interrupted' },
    ])
  })

  it('recognizes a file by its relative path', () => {
    const { attempts } = read(
      test('test:pass', { name: 'tests/web-1.test.js', nesting: 0, file: '/shop/tests/web-1.test.js' }),
    )
    expect(attempts).toMatchObject([{ titlePath: ['tests/web-1.test.js'], isContainer: true }])
  })
})

describe('EventReader', () => {
  it('gives tests with equal titles different ids that are the same in each run', () => {
    const events = [1, 2].flatMap((line) => test('test:pass', { name: 'row', nesting: 0, file, line }))
    const ids = read(events).attempts.map(({ testId }) => testId)
    expect(new Set(ids).size).toBe(2)
    expect(read(events).attempts.map(({ testId }) => testId)).toEqual(ids)
  })

  it('does not assign test case ids to other tests', () => {
    const createDiagnostic = (message: string, data: object): NodeTestEvent => ({
      type: 'test:diagnostic',
      data: { ...data, message },
    })
    const [first, second] = [1, 2].map((line) => ({ name: `test ${line}`, nesting: 0, file, line }))
    const { attempts } = read([
      ...test('test:pass', first ?? {}),
      createDiagnostic('test_case_id=WEB-1', { nesting: 0, file, line: 1 }),
      ...test('test:pass', second ?? {}),
      createDiagnostic('test_case_id=WEB-1', { nesting: 0, file, line: 1 }),
      createDiagnostic('test_case_id: WEB-2 WEB-3', { nesting: 0, file, line: 2 }),
    ])
    expect(attempts.map(({ caseIds }) => caseIds)).toEqual([['WEB-1'], undefined])
  })

  it.each([
    ['no fields', {}],
    ['an error that is not an object', { name: 'odd', details: { error: 'no' as never } }],
    ['a cause that is null', { name: 'odd', details: { error: { cause: null, message: 7 } } }],
    ['a name and details of invalid types', { name: 7 as never, nesting: -1, details: 'none' as never }],
  ])('records a failed test with %s', (_, data) => {
    expect(read([{ type: 'test:fail', data }]).attempts).toMatchObject([{ status: 'failed' }])
  })
})
