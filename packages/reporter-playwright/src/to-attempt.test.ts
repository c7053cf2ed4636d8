import { describe, expect, it } from 'vitest'

import { toAttempt, toSuiteError } from './to-attempt.ts'
import type { Suite, TestCase, TestResult } from './framework-types.ts'

const root: Suite = { title: '', project: () => undefined, allTests: () => [] }

function createTest(fields: Partial<TestCase> = {}): TestCase {
  const project: Suite = { ...root, title: 'phone', project: () => ({ name: 'phone' }), parent: root }
  const file: Suite = {
    ...project,
    title: 'cart.spec.ts',
    location: { file: '/shop/tests/cart.spec.ts' },
    parent: project,
  }
  const inner: Suite = {
    ...project,
    title: 'Cart',
    parent: { ...file, title: 'Shop', parent: file },
  }
  return {
    id: 'abc-1',
    title: 'adds up',
    location: { file: '/shop/helpers/rows.ts' },
    parent: inner,
    annotations: [],
    tags: ['@slow'],
    expectedStatus: 'passed',
    results: [],
    outcome: () => 'expected',
    ...fields,
  }
}

const createResult = (fields: Partial<TestResult> = {}): TestResult => ({
  status: 'passed',
  duration: 12,
  errors: [],
  ...fields,
})

const read = (test: Partial<TestCase>, result: Partial<TestResult>) =>
  toAttempt(createTest(test), createResult(result), '/shop')

describe('toAttempt', () => {
  it('has the values of custom fields in its annotations, the last one of a field', () => {
    const field = (key: string, description: string) => ({ type: `field:${key}`, description })
    const annotations = [field('severity', 'minor'), field('device', 'phone')]
    const { fields } = read({ annotations }, { annotations: [field('severity', 'blocker')] })
    expect(fields).toEqual({ severity: 'blocker', device: 'phone' })
    expect(read({}, {}).fields).toBeUndefined()
  })

  it('names the defects of annotations of the test and of the attempt, also those that are no addresses', () => {
    const issue = (description: string) => ({ type: 'issue', description })
    const test = createTest({ annotations: [issue('https://acme.test/1'), issue('SHOP-41')] })
    const result = createResult({ annotations: [issue('https://acme.test/1'), issue(' http://acme.test/2')] })
    expect(toAttempt(test, result, '/shop').defects).toEqual(['https://acme.test/1', 'SHOP-41', ' http://acme.test/2'])
  })

  it('returns title path, project, and the file in which the test runs, not the file that defines it', () => {
    expect(read({}, {})).toEqual({
      testId: 'abc-1',
      titlePath: ['Shop', 'Cart', 'adds up'],
      file: 'tests/cart.spec.ts',
      variant: 'phone',
      caseIds: [],
      defects: [],
      tags: ['@slow'],
      status: 'passed',
      durationMs: 12,
      errors: [],
      comment: undefined,
      attachments: [],
      steps: [],
    })
  })

  it.each([
    ['passed', 'passed', 'passed'],
    ['passed', 'failed', 'failed'],
    ['passed', 'timedOut', 'failed'],
    ['passed', 'interrupted', 'interrupted'],
    ['skipped', 'skipped', 'skipped'],
    ['failed', 'failed', 'passed'],
    ['failed', 'passed', 'failed'],
    ['failed', 'timedOut', 'failed'],
  ] as const)('converts a test that is expected to be %s and is %s to %s', (expectedStatus, status, expected) => {
    expect(read({ expectedStatus }, { status }).status).toBe(expected)
  })

  it('returns an error for an unexpected pass, and none for an expected failure', () => {
    expect(read({ expectedStatus: 'failed' }, {}).errors).toEqual([{ message: 'Expected to fail, but passed.' }])
    expect(read({ expectedStatus: 'failed' }, { status: 'failed', errors: [{ message: 'no' }] }).errors).toEqual([])
  })

  it('returns errors with their causes, and thrown values that are not errors', () => {
    const errors = [{ message: 'no page', stack: 'at 1', cause: { message: 'no network' } }, { value: "'a string'" }]
    expect(read({}, { status: 'failed', errors }).errors).toEqual([
      { message: 'no page', stack: 'at 1' },
      { message: 'no network', stack: undefined },
      { message: "'a string'", stack: undefined },
    ])
  })

  it('returns the test case ids of the annotations of the test and the attempt, without duplicates', () => {
    const annotations = [
      { type: 'test_case_id', description: 'WEB-1' },
      { type: 'issue', description: 'WEB-9' },
    ]
    const attemptAnnotations = [
      ...annotations,
      { type: 'test_case_id', description: 'WEB-2, WEB-3' },
      { type: 'test_case_id' },
      { type: 'TestRail', description: 'C17, 18' },
      { type: 'tms', description: 'SHOP-T1' },
    ]
    expect(read({ annotations }, { annotations: attemptAnnotations }).caseIds).toEqual([
      'WEB-1',
      'WEB-2, WEB-3',
      'testrail:C17',
      'testrail:18',
      'tms:SHOP-T1',
    ])
  })

  it.each(['skip', 'fixme'])('returns the reason of %s as the comment', (type) => {
    const annotations = [
      { type: 'slow', description: 'a large file' },
      { type, description: 'no printer' },
    ]
    const attempt = read({ expectedStatus: 'skipped', annotations }, { status: 'skipped' })
    expect(attempt).toMatchObject({ status: 'skipped', comment: 'no printer', durationMs: undefined })
  })

  it('accepts tests of older versions without tags and annotations of attempts', () => {
    const { tags: _tags, ...oldTest } = createTest()
    expect(toAttempt(oldTest, createResult(), '/shop')).toMatchObject({
      tags: undefined,
      caseIds: [],
      status: 'passed',
    })
  })
})

describe('toSuiteError', () => {
  it('returns the file, or “the suite” when it is unknown', () => {
    const location = { file: '/shop/tests/cart.spec.ts' }
    expect(toSuiteError({ message: 'no', stack: 'at 1', location }, '/shop')).toEqual({
      location: 'tests/cart.spec.ts',
      message: 'no',
      stack: 'at 1',
    })
    expect(toSuiteError({ value: '7' }, '/shop')).toEqual({ location: 'the suite', message: '7', stack: undefined })
  })
})
