import { combineTestOutcomes } from '@caseward/matching/test-note'
import { getTestOutcome, toResultStatus } from '@caseward/matching/test-outcome'
import { describe, expect, it } from 'vitest'

import { parseJUnit } from './parse-junit.ts'
import { toReportedTests, type ToTestsOptions } from './to-tests.ts'

const yielder = { shouldYield: () => false, yield: () => Promise.resolve() }
const read = async (xml: string, options?: ToTestsOptions) =>
  toReportedTests(await parseJUnit(`<testsuites>${xml}</testsuites>`), yielder, options)
const readOne = async (testcases: string, options?: ToTestsOptions) => {
  const [test] = await read(`<testsuite name="Cart">${testcases}</testsuite>`, options)
  if (test === undefined) throw new Error('The report has no test')
  return test
}
const testcase = (content = '', attributes = '') =>
  `<testcase classname="Cart" name="pays" ${attributes}>${content}</testcase>`
const failed = (message: string) => testcase(`<failure type="Error" message="${message}"/>`)
const skipped = testcase('<skipped message="not today"/>')
/** A test that says that it is another attempt. */
const retried = (make: typeof testcase, content = '') => make(`<property name="retry" value="1"/>${content}`)

describe('the outcome of a test in a JUnit report', () => {
  it.each([
    ['passed', 'passed', testcase()],
    ['failed', 'failed', failed('no')],
    ['with an error', 'failed', testcase('<error message="no"/>')],
    ['skipped', 'not_tested', skipped],
    ['failed, passed', 'passed', failed('no') + retried(testcase)],
    ['failed, failed', 'failed', failed('no') + retried(testcase, '<failure/>')],
    ['skipped, failed', 'failed', skipped + retried(testcase, '<failure/>')],
    ['skipped, passed', 'passed', skipped + retried(testcase)],
    ['skipped, skipped', 'not_tested', skipped + retried(testcase, '<skipped/>')],
    ['interrupted', 'retest', testcase('', 'status="aborted"')],
  ])(
    'with the attempts "%s" is %s',
    {
      tags: [
        'spec:results/passed-and-failed-what-a-run-of-a-test-says',
        'spec:upload/junit-outcomes-to-statuses-decided',
      ],
    },
    async (_attempts, status, testcases) => {
      const { attempts } = await readOne(testcases)
      expect(toResultStatus(getTestOutcome(attempts).status)).toBe(status)
    },
  )

  it.each(['flakyFailure', 'flakyError'])('is flaky with a %s, which is an attempt of its own', async (tag) => {
    const { attempts } = await readOne(testcase(`<${tag} message="timed out">at x</${tag}>`))
    expect(attempts.map(({ status, message }) => [status, message])).toEqual([
      ['failed', 'timed out'],
      ['passed', ''],
    ])
    expect(getTestOutcome(attempts)).toMatchObject({ status: 'passed', isFlaky: true })
  })

  it.each([
    ['in an execution of its own', failed('late').repeat(150) + testcase()],
    ['before a passed execution', skipped.repeat(150) + testcase('<flakyFailure message="late"/>')],
  ])('is flaky if it failed after more attempts than are kept, %s', async (_where, testcases) => {
    const { attempts } = await readOne(testcases, { equalNames: 'attempts' })
    expect(attempts.length).toBeLessThanOrEqual(100)
    expect(getTestOutcome(attempts)).toMatchObject({ status: 'passed', isFlaky: true })
    expect(attempts.some(({ message }) => message.endsWith('late'))).toBe(true)
  })

  it('is failed in all attempts with a rerunFailure', async () => {
    const { attempts } = await readOne(testcase('<failure message="no"/><rerunFailure message="no again"/>'))
    expect(attempts.map(({ status, message }) => [status, message])).toEqual([
      ['failed', 'no'],
      ['failed', 'no again'],
    ])
  })
})

describe('the note of a test in a JUnit report', () => {
  it.each([
    ['type, message and text', '<failure type="E" message="no">at x</failure>', 'E: no\nat x'],
    ['a text that contains the rest', '<failure type="E" message="no">E: no\n  at x</failure>', 'E: no\n  at x'],
    ['a text that begins with the message', '<failure type="E" message="no">no\n  at x</failure>', 'E: no\n  at x'],
    ['a text alone', '<failure>no\n  at x</failure>', 'no\n  at x'],
    ['two failures', '<failure message="a"/><error message="b"/>', 'a\nb'],
    ['the reason of a skipped test', '<skipped message="not today"/>', 'Skipped: not today'],
    ['nothing', '', null],
  ])('has %s', async (_what, content, note) => {
    const test = await readOne(testcase(content))
    expect(combineTestOutcomes([test]).note).toBe(note)
  })
})

describe('toReportedTests', () => {
  it.each<[string, string, object]>([
    [
      'a class that names its suite',
      '<testsuite name="shop.Cart"><testcase classname="shop.Cart" name="pays"/></testsuite>',
      { suite: 'shop.Cart', name: 'pays', file: '' },
    ],
    [
      'blocks of node:test',
      '<testsuite name="Cart"><testsuite name="totals"><testcase classname="test" name="adds" file="/shop/a.test.js"/></testsuite></testsuite>',
      { suite: 'Cart > totals', name: 'adds', file: '/shop/a.test.js' },
    ],
    [
      'a file as class (Vitest, Playwright)',
      '<testsuite name="src/a.test.ts"><testcase classname="src/a.test.ts" name="Cart &gt; adds"/></testsuite>',
      { suite: 'src/a.test.ts', name: 'Cart > adds', file: 'src/a.test.ts' },
    ],
    [
      'the file of the suite (mocha-junit-reporter)',
      '<testsuite name="Root Suite" file="/shop/a.js"/><testsuite name="Cart" file="/shop/a.js"><testcase classname="adds" name="Cart adds"/></testsuite>',
      { suite: 'adds', name: 'Cart adds', file: '/shop/a.js' },
    ],
    [
      'the constant name of a tool',
      '<testsuite name="pytest"><testcase classname="tests.test_cart" name="test_adds"/></testsuite>',
      { suite: 'tests.test_cart', name: 'test_adds' },
    ],
  ])('reads suite, name and file from %s', async (_what, xml, expected) => {
    expect((await read(xml)).at(-1)).toMatchObject(expected)
  })

  it('takes the host as variant only where suites of the same name ran on several', async () => {
    const suite = (host: string) => `<testsuite name="Cart" hostname="${host}">${testcase()}</testsuite>`
    expect((await read(suite('a') + suite('a'))).map(({ variant }) => variant)).toEqual(['', ''])
    expect((await read(suite('chromium') + suite('firefox'))).map(({ variant }) => variant)).toEqual([
      'chromium',
      'firefox',
    ])
  })

  it('takes the property browser of a suite as variant', async () => {
    const xml = `<testsuite name="Cart"><properties><property name="browser" value="webkit"/></properties>${testcase()}</testsuite>`
    expect(await read(xml)).toMatchObject([{ variant: 'webkit' }])
  })

  it('keeps ids, times and durations', async () => {
    const ids = '<properties><property name="test_case_id" value="WEB-1 WEB-2"/></properties>'
    expect(await readOne(testcase(ids, 'time="1.5" timestamp="2026-11-21T09:30:00Z"'))).toMatchObject({
      testCaseIds: ['WEB-1', 'WEB-2'],
      attempts: [{ elapsedMs: 1500, startedAt: '2026-11-21T09:30:00Z' }],
    })
  })
})
