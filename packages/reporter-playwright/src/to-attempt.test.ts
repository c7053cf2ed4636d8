import { describe, expect, it } from 'vitest'

import { toAttempt, toSuiteError } from './to-attempt.ts'
import type { Suite, TestCase, TestResult } from './playwright-objects.ts'

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

describe('attemptOf', () => {
  it('tells who a test is: its blocks, its project, and the file it runs in, not the one that defines it', () => {
    expect(read({}, {})).toEqual({
      testId: 'abc-1',
      titlePath: ['Shop', 'Cart', 'adds up'],
      file: 'tests/cart.spec.ts',
      variant: 'phone',
      caseIds: [],
      tags: ['@slow'],
      status: 'passed',
      durationMs: 12,
      errors: [],
      comment: undefined,
    })
  })

  it.each([
    ['passed', 'passed', 'passed'],
    ['passed', 'failed', 'failed'],
    ['passed', 'timedOut', 'failed'],
    ['passed', 'interrupted', 'retest'],
    ['skipped', 'skipped', 'not_tested'],
    ['failed', 'failed', 'passed'],
    ['failed', 'passed', 'failed'],
    ['failed', 'timedOut', 'failed'],
  ] as const)('of a test that is to be %s and is %s says %s', (expectedStatus, status, expected) => {
    expect(read({ expectedStatus }, { status }).status).toBe(expected)
  })

  it('says that a test passed which was to fail, and nothing of the errors of one that did fail', () => {
    expect(read({ expectedStatus: 'failed' }, {}).errors).toEqual([{ message: 'Expected to fail, but passed.' }])
    expect(read({ expectedStatus: 'failed' }, { status: 'failed', errors: [{ message: 'no' }] }).errors).toEqual([])
  })

  it('tells errors with what caused them, and what was thrown that is no error', () => {
    const errors = [{ message: 'no page', stack: 'at 1', cause: { message: 'no network' } }, { value: "'a string'" }]
    expect(read({}, { status: 'failed', errors }).errors).toEqual([
      { message: 'no page', stack: 'at 1' },
      { message: 'no network', stack: undefined },
      { message: "'a string'", stack: undefined },
    ])
  })

  it('finds case ids among the annotations of the test and of this attempt, each once', () => {
    const annotations = [
      { type: 'test_case_id', description: 'WEB-1' },
      { type: 'issue', description: 'WEB-9' },
    ]
    const late = [...annotations, { type: 'test_case_id', description: 'WEB-2, WEB-3' }, { type: 'test_case_id' }]
    expect(read({ annotations }, { annotations: late }).caseIds).toEqual(['WEB-1', 'WEB-2, WEB-3'])
  })

  it.each(['skip', 'fixme'])('gives the reason of %s', (type) => {
    const annotations = [
      { type: 'slow', description: 'a large file' },
      { type, description: 'no printer' },
    ]
    const attempt = read({ expectedStatus: 'skipped', annotations }, { status: 'skipped' })
    expect(attempt).toMatchObject({ status: 'not_tested', comment: 'no printer', durationMs: undefined })
  })

  it('reads what versions before tags and annotations of attempts tell', () => {
    const { tags: _tags, ...old } = createTest()
    expect(toAttempt(old, createResult(), '/shop')).toMatchObject({ tags: undefined, caseIds: [], status: 'passed' })
  })
})

describe('suiteErrorOf', () => {
  it('says where, as far as it is known', () => {
    const location = { file: '/shop/tests/cart.spec.ts' }
    expect(toSuiteError({ message: 'no', stack: 'at 1', location }, '/shop')).toEqual({
      location: 'tests/cart.spec.ts',
      message: 'no',
      stack: 'at 1',
    })
    expect(toSuiteError({ value: '7' }, '/shop')).toEqual({ location: 'the suite', message: '7', stack: undefined })
  })
})
