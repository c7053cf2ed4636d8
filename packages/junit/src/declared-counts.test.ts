import { describe, expect, it } from 'vitest'

import { createJUnitParser } from './parse-junit.ts'

function readErrors(xml: string): string[] {
  const parser = createJUnitParser()
  parser.write(xml)
  return parser.end().suiteErrors.map(({ suite, message, line }) => `${suite}, line ${line}: ${message}`)
}

const READ_OUTPUT =
  'the JUnit reporter of Node leaves out tests that fail by themselves when their subtests have passed. ' +
  'Read the output of the job, or use @caseward/node-test.'
const FAILED = '<testcase name="a"><failure/></testcase>'

describe('the counts that a JUnit suite declares', () => {
  it.each([
    ['failures', '<testsuite name="s" tests="5" failures="3">', 'declares 3 failures and contains 1'],
    ['errors', '<testsuite name="s" tests="5" failures="1" errors="1">', 'declares 2 failures and contains 1'],
    ['failures, by another name,', '<testsuite name="s" failed="2">', 'declares 2 failures and contains 1'],
  ])('are an error of the suite if it contains fewer %s', (_what, start, message) => {
    expect(readErrors(`${start}${FAILED}</testsuite>`)).toEqual([
      `s, line 1: The report ${message}. Check that the report is complete.`,
    ])
  })

  it.each([
    ['are lines of standard error in a report of gotestsum', 'go.version', '<testcase name="a"/>', 0],
    ['may be why nothing was built in a report of gotestsum without tests', 'go.version', '', 1],
    ['are failures in a report of another tool', 'node.version', '<testcase name="a"/>', 1],
  ])('%s', (_what, property, testcase, count) => {
    const properties = `<properties><property name="${property}" value="1.25"></property></properties>`
    const suite = `<testsuite tests="1" failures="0" name="example.com/cart">${properties}${testcase}</testsuite>`
    const root = '<testsuites name="" tests="1" failures="0" errors="1" time="0.1">'
    const errors = readErrors(`${root}${suite}</testsuites>`).filter((error) => error.includes('1 failure'))
    expect(errors).toHaveLength(count)
  })

  it('are an error of the suite if it contains no test', () => {
    expect(readErrors('<testsuite name="s" tests="5"></testsuite>')).toEqual([
      's, line 1: The report declares 5 tests and contains none. Check that the report is complete.',
    ])
  })

  it.each([
    ['a suite', '<testsuite name="s" result="Failed"><testcase name="a"/></testsuite>'],
    ['an empty suite', '<testsuites status="failed"><testsuite name="s" result="Failed"/></testsuites>'],
  ])('are an error if the status of %s is a failure and it contains none', (_what, xml) => {
    expect(readErrors(xml)).toEqual([
      's, line 1: The report says result="Failed" and contains no failure. Check that the report is complete.',
    ])
  })

  it('are one error where the suites around it declare the same', () => {
    const suites = `<testsuites failures="3"><testsuite name="s"\n tests="5" failures="3">${FAILED}</testsuite></testsuites>`
    expect(readErrors(suites)).toHaveLength(1)
    expect(readErrors('<testsuites tests="5"><testsuite name="s" tests="5"/></testsuites>')).toHaveLength(1)
  })

  it.each([
    ['as many failures', `<testsuite tests="1" failures="1">${FAILED}</testsuite>`],
    ['more failures', `<testsuite tests="1" failures="0">${FAILED}</testsuite>`],
    ['fewer tests', `<testsuite tests="9" failures="1">${FAILED}</testsuite>`],
    ['a failed test without an element', '<testsuite failures="1"><testcase status="failed"/></testsuite>'],
    ['several failures in one test', '<testsuite failures="2"><testcase><failure/><failure/></testcase></testsuite>'],
    ['failures of earlier attempts', '<testsuite failures="1"><testcase><flakyFailure/></testcase></testsuite>'],
    ['an error outside of tests', '<testsuite errors="1"><error message="down"/></testsuite>'],
    [
      'errors among its failures, as minitest counts them',
      `<testsuite failures="2" errors="1">${FAILED}<testcase name="b"><error/></testcase></testsuite>`,
    ],
    ['a failure, as its status says', `<testsuite status="failed">${FAILED}</testsuite>`],
    ['no tests', '<testsuite tests="0"/>'],
    ['something that is no count', '<testsuite tests="many" failures="-1"/>'],
    ['tests in inner suites', `<testsuite tests="1" failures="1"><testsuite>${FAILED}</testsuite></testsuite>`],
  ])('are no error with %s', (_what, xml) => {
    expect(readErrors(xml).filter((error) => error.includes('declares'))).toEqual([])
  })
})

describe('the failures that Node counts', () => {
  const report = (tests: string, fail: number, cancelled = 0) =>
    `<testsuites>${tests}<!-- tests 9 --><!-- fail ${fail} --><!-- cancelled ${cancelled} --></testsuites>`
  const suite = (tests: string) =>
    `<testsuite name="cart" time="0.1" disabled="0" errors="0" tests="1" failures="0" skipped="0" hostname="vm">${tests}</testsuite>`
  const passed = '<testcase name="adds" classname="test"/>'
  const todo = '<testcase name="to do"><skipped type="todo"/><failure/></testcase>'

  it.each([
    [
      'a test that fails by itself after its subtests',
      report(suite(passed), 1),
      '1 failed test and its report names 0',
    ],
    ['two of them, within each other', report(suite(suite(passed)), 2), '2 failed tests and its report names 0'],
    ['such a test beside a failed one', report(suite(passed) + FAILED, 2), '2 failed tests and its report names 1'],
    [
      'such a test beside a failed one that is to do',
      report(suite(passed) + todo, 1),
      '1 failed test and its report names 0',
    ],
    [
      'a test out of time whose subtests have passed',
      report(suite(passed), 0, 1),
      '1 failed test and its report names 0',
    ],
  ])('are an error of the suite if the report leaves out %s', (_what, xml, message) => {
    expect(readErrors(xml)).toEqual([`, line 1: Node counted ${message}: ${READ_OUTPUT}`])
  })

  it.each([
    ['a failed test', report(FAILED, 1)],
    ['a failed test that is to do', report(todo, 0)],
    ['a failed test and the test around it', report(suite(FAILED), 2)],
    ['a failed test in a block', report(suite(FAILED), 1)],
    ['diagnostics of a test', report(`${suite(`${passed}<!-- fail 3 -->`)}<!-- fail 2 -->`, 0)],
    ['comments of another tool', `<testsuites tests="1">${passed}<!-- fail 1 --></testsuites>`],
  ])('are no error with %s', (_what, xml) => {
    expect(readErrors(xml)).toEqual([])
  })
})
