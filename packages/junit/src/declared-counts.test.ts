import { describe, expect, it } from 'vitest'

import { createJUnitParser } from './parse-junit.ts'

function readErrors(xml: string): string[] {
  const parser = createJUnitParser()
  parser.write(xml)
  return parser.end().suiteErrors.map(({ suite, message, line }) => `${suite}, line ${line}: ${message}`)
}

const FAILED = '<testcase name="a"><failure/></testcase>'

describe('the counts that a JUnit suite declares', () => {
  it.each([
    ['failures', '<testsuite name="s" tests="5" failures="3">', 'declares 3 failures and contains 1'],
    ['errors', '<testsuite name="s" tests="5" failures="1" errors="1">', 'declares 2 failures and contains 1'],
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
    ['no tests', '<testsuite tests="0"/>'],
    ['something that is no count', '<testsuite tests="many" failures="-1"/>'],
    ['tests in inner suites', `<testsuite tests="1" failures="1"><testsuite>${FAILED}</testsuite></testsuite>`],
  ])('are no error with %s', (_what, xml) => {
    expect(readErrors(xml).filter((error) => error.includes('declares'))).toEqual([])
  })
})
