import { describe, expect, it } from 'vitest'

import { toAttempts, toSuiteError } from './to-attempt.ts'
import type { TestCase, TestModule, TestResult, TestSuite } from './framework-types.ts'

const module: TestModule = {
  type: 'module',
  id: 'm',
  moduleId: '/shop/src/cart.test.ts',
  children: [],
  errors: () => [],
}
const suite: TestSuite = { type: 'suite', name: 'Cart', parent: module, children: [], errors: () => [] }

const createTest = (result: TestResult, fields: Partial<TestCase> = {}): TestCase => ({
  type: 'test',
  id: 'm_0_1',
  name: 'adds up',
  parent: suite,
  project: { name: '' },
  options: { mode: 'run' },
  result: () => result,
  meta: () => ({}),
  diagnostic: () => ({ duration: 12, retryCount: 0, repeatCount: 0 }),
  ...fields,
})

const withRetries = (retryCount: number, repeatCount = 0) => ({
  diagnostic: () => ({ duration: 12, retryCount, repeatCount }),
})

const messages = (test: TestCase) =>
  toAttempts(test, '/shop').map(({ status, errors = [] }) => [status, ...errors.map(({ message }) => message)])

const errors = (...texts: string[]) => texts.map((message) => ({ message }))

describe('toAttempts', () => {
  it('returns title path, file, and the project if it has a name', () => {
    const identity = { testId: 'm_0_1', titlePath: ['Cart', 'adds up'], file: 'src/cart.test.ts', caseIds: [] }
    expect(toAttempts(createTest({ state: 'passed' }), '/shop')).toEqual([
      { ...identity, status: 'passed', durationMs: 12 },
    ])
    const [inBrowser] = toAttempts(createTest({ state: 'passed' }, { project: { name: 'browser' } }), '/shop')
    expect(inBrowser?.variant).toBe('browser')
  })

  it('returns an attempt with its error for each failure, and the status of the test as the last', () => {
    expect(messages(createTest({ state: 'passed', errors: errors('1', '2') }, withRetries(2)))).toEqual([
      ['failed', '1'],
      ['failed', '2'],
      ['passed'],
    ])
    expect(messages(createTest({ state: 'failed', errors: errors('1', '2') }, withRetries(1)))).toEqual([
      ['failed', '1'],
      ['failed', '2'],
    ])
  })

  it('distributes several errors per attempt evenly, and the rest to the last attempt', () => {
    expect(messages(createTest({ state: 'failed', errors: errors('1', '1b', '2', '2b') }, withRetries(1)))).toEqual([
      ['failed', '1', '1b'],
      ['failed', '2', '2b'],
    ])
    expect(messages(createTest({ state: 'failed', errors: errors('1', '2', '2b') }, withRetries(1)))).toEqual([
      ['failed', '1'],
      ['failed', '2', '2b'],
    ])
    expect(messages(createTest({ state: 'failed', errors: errors('only') }, withRetries(2)))).toEqual([
      ['failed', 'only'],
      ['failed'],
      ['failed'],
    ])
  })

  it('returns one attempt for a repeated test', () => {
    const repeated = createTest({ state: 'failed', errors: errors('the second') }, withRetries(0, 2))
    expect(toAttempts(repeated, '/shop')).toMatchObject([{ status: 'failed', comment: 'Ran 3 times.' }])
  })

  it('returns one attempt for a test that is expected to fail', () => {
    const options = { mode: 'run', fails: true }
    expect(messages(createTest({ state: 'passed' }, { options, ...withRetries(2) }))).toEqual([['passed']])
  })

  it('returns the reason of a skipped test, and interrupted for a test that never ended', () => {
    const [skipped] = toAttempts(createTest({ state: 'skipped', note: 'no printer' }), '/shop')
    expect(skipped).toMatchObject({ status: 'skipped', comment: 'no printer' })
    const [toDo] = toAttempts(createTest({ state: 'skipped' }, { options: { mode: 'todo' } }), '/shop')
    expect(toDo).toMatchObject({ status: 'skipped', comment: 'To do' })
    expect(toAttempts(createTest({ state: 'pending' }), '/shop')).toMatchObject([{ status: 'interrupted' }])
  })

  it('returns the test case ids in the metadata and annotations named test_case_id', () => {
    const annotations = () => [
      { type: 'test_case_id', message: 'WEB-3' },
      { type: 'notice', message: 'WEB-9' },
    ]
    const ids = (meta: object) =>
      toAttempts(createTest({ state: 'passed' }, { meta: () => meta, annotations }), '/shop')[0]?.caseIds
    expect(ids({ test_case_id: ['WEB-1', 'WEB-2'] })).toEqual(['WEB-1', 'WEB-2', 'WEB-3'])
    expect(ids({ test_case_id: 'WEB-1, WEB-2' })).toEqual(['WEB-1, WEB-2', 'WEB-3'])
    expect(ids({ test_case_id: 7 })).toEqual(['WEB-3'])
  })

  it('returns the files of annotations and artifacts with the first attempt that failed', () => {
    const annotations = () => [
      { type: 'notice', message: 'the page', attachment: { path: '/shop/.vitest-attachments/x1.png' } },
      { type: 'notice', message: 'log', attachment: { body: 'aGk=' } },
      { type: 'notice', message: 'no file' },
    ]
    const artifacts = () => [
      { type: 'internal:annotation', attachments: [{ path: '/shop/.vitest-attachments/x1.png' }] },
      {
        type: 'internal:failureScreenshot',
        attachments: [{ path: '/a/x2.png', originalPath: '/shop/shots/pays.png' }],
      },
      { type: 'mine', attachments: [{ name: 'actual', body: 'plain', bodyEncoding: 'utf-8' }] },
    ]
    const files = [
      { name: 'the page.png', path: '/shop/.vitest-attachments/x1.png' },
      { name: 'log', body: Buffer.from('hi') },
      { name: 'pays.png', path: '/a/x2.png' },
      { name: 'actual', body: 'plain' },
    ]
    const flaky = createTest({ state: 'passed', errors: errors('1') }, { ...withRetries(1), annotations, artifacts })
    expect(toAttempts(flaky, '/shop').map(({ attachments }) => attachments)).toEqual([files, undefined])
  })

  it('returns errors with their causes, whatever was thrown', () => {
    const thrown = { name: 'TypeError', message: 'no page', stack: 'TypeError: no page\n at 1', cause: 'a string' }
    const [attempt] = toAttempts(
      createTest({ state: 'failed', errors: [thrown, { name: 'Empty', message: '' }] }),
      '/shop',
    )
    expect(attempt?.errors).toMatchObject([
      { message: 'no page', stack: thrown.stack },
      { message: 'a string' },
      { message: 'Empty' },
    ])
  })
})

describe('toSuiteError', () => {
  it('returns the block, the file, the running file, or “the suite” as the location', () => {
    const error = { message: 'no' }
    const lateError = { ...error, VITEST_TEST_PATH: '/shop/src/late.test.ts' }
    const locations = [suite, module].map((block) => toSuiteError(error, block, '/shop').location)
    expect(locations).toEqual(['src/cart.test.ts > Cart', 'src/cart.test.ts'])
    expect(toSuiteError(lateError, null, '/shop').location).toBe('src/late.test.ts')
    expect(toSuiteError(error, null, '/shop').location).toBe('the suite')
  })
})
