import { describe, expect, it } from 'vitest'

import { toAttempts, toSuiteError } from './to-attempt.ts'
import type { TestCase, TestModule, TestResult, TestSuite } from './vitest-objects.ts'

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

const tried = (retryCount: number, repeatCount = 0) => ({
  diagnostic: () => ({ duration: 12, retryCount, repeatCount }),
})

const messages = (test: TestCase) =>
  toAttempts(test, '/shop').map(({ status, errors = [] }) => [status, ...errors.map(({ message }) => message)])

const errors = (...texts: string[]) => texts.map((message) => ({ message }))

describe('attemptsOf', () => {
  it('tells who a test is: its blocks, its file, its project if that has a name', () => {
    const identity = { testId: 'm_0_1', titlePath: ['Cart', 'adds up'], file: 'src/cart.test.ts', caseIds: [] }
    expect(toAttempts(createTest({ state: 'passed' }), '/shop')).toEqual([
      { ...identity, status: 'passed', durationMs: 12 },
    ])
    const [inBrowser] = toAttempts(createTest({ state: 'passed' }, { project: { name: 'browser' } }), '/shop')
    expect(inBrowser?.variant).toBe('browser')
  })

  it('gives each attempt that failed its error, and the last attempt the verdict', () => {
    expect(messages(createTest({ state: 'passed', errors: errors('1', '2') }, tried(2)))).toEqual([
      ['failed', '1'],
      ['failed', '2'],
      ['passed'],
    ])
    expect(messages(createTest({ state: 'failed', errors: errors('1', '2') }, tried(1)))).toEqual([
      ['failed', '1'],
      ['failed', '2'],
    ])
  })

  it('shares several errors for each attempt out evenly, and loses none that is left over', () => {
    expect(messages(createTest({ state: 'failed', errors: errors('1', '1b', '2', '2b') }, tried(1)))).toEqual([
      ['failed', '1', '1b'],
      ['failed', '2', '2b'],
    ])
    expect(messages(createTest({ state: 'failed', errors: errors('1', '2', '2b') }, tried(1)))).toEqual([
      ['failed', '1'],
      ['failed', '2', '2b'],
    ])
    expect(messages(createTest({ state: 'failed', errors: errors('only') }, tried(2)))).toEqual([
      ['failed', 'only'],
      ['failed'],
      ['failed'],
    ])
  })

  it('tells a repeated test as one attempt: a pass makes up for no failure', () => {
    const repeated = createTest({ state: 'failed', errors: errors('the second') }, tried(0, 2))
    expect(toAttempts(repeated, '/shop')).toMatchObject([{ status: 'failed', comment: 'It ran 3 times.' }])
  })

  it('tells a test that is to fail as one attempt, however often it was tried', () => {
    const options = { mode: 'run', fails: true }
    expect(messages(createTest({ state: 'passed' }, { options, ...tried(2) }))).toEqual([['passed']])
  })

  it('gives the reason of a skipped test, and says of one that never ended that it is to run again', () => {
    const [skipped] = toAttempts(createTest({ state: 'skipped', note: 'no printer' }), '/shop')
    expect(skipped).toMatchObject({ status: 'not_tested', comment: 'no printer' })
    const [toDo] = toAttempts(createTest({ state: 'skipped' }, { options: { mode: 'todo' } }), '/shop')
    expect(toDo).toMatchObject({ status: 'not_tested', comment: 'To do' })
    expect(toAttempts(createTest({ state: 'pending' }), '/shop')).toMatchObject([{ status: 'retest' }])
  })

  it('finds case ids in meta data and annotations of that name alone', () => {
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

  it('tells errors with what caused them, whatever was thrown', () => {
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

describe('suiteErrorOf', () => {
  it('says where: the block, the file, the file that ran, or only that it was somewhere', () => {
    const error = { message: 'no' }
    const late = { ...error, VITEST_TEST_PATH: '/shop/src/late.test.ts' }
    const where = [suite, module].map((block) => toSuiteError(error, block, '/shop').location)
    expect(where).toEqual(['src/cart.test.ts > Cart', 'src/cart.test.ts'])
    expect(toSuiteError(late, null, '/shop').location).toBe('src/late.test.ts')
    expect(toSuiteError(error, null, '/shop').location).toBe('the suite')
  })
})
