import { describe, expect, it } from 'vitest'
import { createJUnitParser, type JUnitReport, type TestAttempt } from './parse-junit.ts'

function parse(xml: string): JUnitReport {
  const parser = createJUnitParser()
  parser.write(xml)
  return parser.end()
}

function attempt(testcase: string): TestAttempt | undefined {
  return parse(`<testsuites><testsuite name="s">${testcase}</testsuite></testsuites>`).attempts[0]
}

describe('the status of a JUnit testcase', () => {
  it.each([
    ['passed', '<testcase name="t"/>'],
    ['passed', '<testcase name="t" status="run"><passed/></testcase>'],
    ['failed', '<testcase name="t"><failure/></testcase>'],
    ['failed', '<testcase name="t"><error/></testcase>'],
    ['skipped', '<testcase name="t"><skipped/></testcase>'],
    ['skipped', '<testcase name="t" status="skipped"/>'],
    ['skipped', '<testcase name="t" status="disabled"/>'],
    ['skipped', '<testcase name="t" status="Ignored"/>'],
    ['failed', '<testcase name="t" status="FAIL"/>'],
    ['failed', '<testcase name="t" outcome="timed_out"/>'],
    ['failed', '<testcase name="t" result="Unexpected"/>'],
    ['interrupted', '<testcase name="t" result="cancelled"/>'],
    ['skipped', '<testcase name="t" status="notrun"/>'],
    ['skipped', '<testcase name="t" status="notrun" result="suppressed"/>'],
    ['skipped', '<testcase name="t" status="run" result="skipped"/>'],
    ['skipped', '<testcase name="t" status="Not Run"/>'],
    ['failed', '<testcase name="t" status="skipped" result="error"/>'],
    ['interrupted', '<testcase name="t" status="ok" result="skipped" outcome="aborted"/>'],
    ['passed', '<testcase name="t" status="run" result="completed"/>'],
    ['passed', '<testcase name="t" status=""/>'],
    ['passed', '<testcase name="t" status="flagged"/>'],
    ['failed', '<testcase name="t" status="flagged" result="fail"/>'],
    ['skipped', '<testcase name="t" status="failed"><skipped/></testcase>'],
    ['failed', '<testcase name="t" status="passed"><failure/></testcase>'],
    ['failed', '<testcase name="t"><skipped/><failure/></testcase>'],
    ['failed', '<testcase name="t"><error/><skipped/></testcase>'],
    ['failed', '<testcase name="t" status="skipped"><failure/></testcase>'],
    ['failed', '<testcase name="t" executed="True" success="False"/>'],
    ['skipped', '<testcase name="t" executed="False"/>'],
    ['passed', '<testcase name="t" executed="True" success="True" skipped="0" disabled="false" passed="0"/>'],
    ['skipped', '<testcase name="t" disabled="true"/>'],
    ['skipped', '<testcase name="t" status="run" ignored="yes"/>'],
    ['failed', '<testcase name="t" skipped="1" failed="true"/>'],
    ['failed', '<testcase name="t" passed="false"/>'],
    ['failed', '<testcase name="t"><Failure message="m"/></testcase>'],
    ['failed', '<testcase name="t"><failed/></testcase>'],
    ['skipped', '<testcase name="t"><disabled/></testcase>'],
    ['skipped', '<testcase name="t"><notRun/></testcase>'],
    ['skipped', '<testcase name="t" status="passed"><inconclusive/></testcase>'],
    ['interrupted', '<testcase name="t"><skipped/><aborted/></testcase>'],
    ['failed', '<testcase name="t"><aborted/><failure/></testcase>'],
    ['passed', '<testcase name="t"><timeout>30</timeout><warning/></testcase>'],
    ['passed', '<testcase name="t"><flakyFailure/></testcase>'],
    ['failed', '<testcase name="t"><flakyError/><failure/></testcase>'],
    ['failed', '<testcase name="t"><failure/><rerunFailure/><rerunError/></testcase>'],
  ])('is %s for %s', (status, testcase) => {
    expect(attempt(testcase)).toMatchObject({ status })
  })

  it('is flaky only when the test has passed', () => {
    expect(attempt('<testcase><flakyFailure/></testcase>')).toMatchObject({ isFlaky: true })
    expect(attempt('<testcase><flakyError/></testcase>')).toMatchObject({ isFlaky: true })
    expect(attempt('<testcase><flakyError/><error/></testcase>')).toMatchObject({ isFlaky: false })
    expect(attempt('<testcase><skipped/><flakyError/></testcase>')).toMatchObject({ isFlaky: false })
    expect(attempt('<testcase/>')).toMatchObject({ isFlaky: false })
  })

  it('is unknown with an attribute that has an unknown value, unless an element or another attribute decides', () => {
    const unknown = (testcase: string) => attempt(testcase)?.unknownStatus
    expect(unknown('<testcase status="flagged"/>')).toBe('status="flagged"')
    expect(unknown('<testcase result="Flagged " outcome="odd"/>')).toBe('outcome="odd"')
    expect(unknown('<testcase status="flagged" result="ok"/>')).toBeNull()
    expect(unknown('<testcase status="flagged"><failure/></testcase>')).toBeNull()
    expect(unknown('<testcase status="run"/>')).toBeNull()
  })

  it('does not depend on the counts that a suite declares', () => {
    const { attempts } = parse('<testsuite tests="7" failures="7" errors="7"><testcase name="t"/></testsuite>')
    expect(attempts).toMatchObject([{ status: 'passed' }])
  })

  it('does not depend on elements that are nested in other elements', () => {
    expect(attempt('<testcase><properties><failure/></properties></testcase>')).toMatchObject({ status: 'passed' })
    expect(attempt('<testcase><skipped><failure/></skipped></testcase>')).toMatchObject({ status: 'skipped' })
  })

  it('is returned for every testcase when suites and testcases are nested', () => {
    const { attempts } = parse(
      `<testsuites><testcase name="a"/><testsuite><testsuite><testcase name="b"><failure/></testcase></testsuite>
       <testcase name="c"><testcase name="d"><error/></testcase><skipped/></testcase></testsuite></testsuites>`,
    )
    expect(attempts.map(({ name, status }) => [name, status])).toEqual([
      ['a', 'passed'],
      ['b', 'failed'],
      ['c', 'skipped'],
      ['d', 'failed'],
    ])
  })
})

describe('the details of a JUnit testcase', () => {
  it('keep their order, type, message and text', () => {
    expect(
      attempt('<testcase><error type="E" message="m">trace</error><failure>f</failure></testcase>')?.details,
    ).toEqual([
      { kind: 'error', type: 'E', message: 'm', text: 'trace', isTruncated: false },
      { kind: 'failure', type: '', message: '', text: 'f', isTruncated: false },
    ])
  })

  it('join text, CDATA and inner elements, without output', () => {
    const text = '<b>1</b><![CDATA[ <2> ]]>&lt;3&gt;<system-out>no<i>no</i></system-out><system-err>no</system-err>4'
    expect(attempt(`<testcase><failure>${text}</failure></testcase>`)?.details[0]?.text).toBe('1 <2> <3>4')
  })

  it('are trimmed, except for the indentation of the first line', () => {
    expect(attempt('<testcase><failure>\n  \n  a\n b\n \n</failure></testcase>')?.details[0]?.text).toBe('  a\n b')
  })

  it('are truncated and marked as truncated when they exceed the maximum length', () => {
    const long = '😀'.repeat(100_000)
    const [detail] = attempt(`<testcase><failure message="${long}">x${long}</failure></testcase>`)?.details ?? []
    expect(detail?.isTruncated).toBe(true)
    expect(detail?.message).toBe('😀'.repeat(70_000))
    expect(detail?.text).toBe(`x${'😀'.repeat(69_999)}`)
  })

  it('are not truncated when they exceed the maximum length only because of terminal colors', () => {
    const whole = { text: 'ab'.repeat(20_000), message: 'c'.repeat(20_000), isTruncated: false }
    const message = '&#27;[31mc&#27;[0m'.repeat(20_000)
    const colored = '\u001b[31ma\u001b[0m#x1B[32mb#x1B[0m'.repeat(20_000)
    const parts = '\u001b[31ma<![CDATA[\u001b[0m]]>b'.repeat(20_000)
    for (const text of [colored, `<![CDATA[${colored}]]>`, parts]) {
      const [detail] = attempt(`<testcase><failure message="${message}">${text}</failure></testcase>`)?.details ?? []
      expect(detail).toMatchObject(whole)
    }
  })

  it('are marked as truncated when too many terminal colors hide the rest of the text', () => {
    const red = '\u001b[31m'.repeat(250_000)
    const text = (inside: string) => attempt(`<testcase><failure>${inside}</failure></testcase>`)?.details
    expect(text(`a${red}`)).toMatchObject([{ text: 'a', isTruncated: true }])
    expect(text(`a<![CDATA[${red}]]>b`)).toMatchObject([{ text: 'ab', isTruncated: true }])
  })

  it('are not truncated at exactly the maximum length', () => {
    const long = 'x'.repeat(140_000)
    const [detail] = attempt(`<testcase><failure message="${long}">${long}</failure></testcase>`)?.details ?? []
    expect(detail).toMatchObject({ message: long, text: long, isTruncated: false })
  })

  it('are the first 1,000, the last one marked as truncated; the status takes all of them into account', () => {
    const skipped = '<skipped message="x"/>'
    const atLimit = attempt(`<testcase>${skipped.repeat(1000)}</testcase>`)
    expect(atLimit?.details.every(({ isTruncated }) => !isTruncated)).toBe(true)
    const aboveLimit = attempt(`<testcase>${skipped.repeat(1000)}<failure>too late</failure></testcase>`)
    expect(aboveLimit?.details).toHaveLength(1000)
    expect(aboveLimit?.details.findIndex(({ isTruncated }) => isTruncated)).toBe(999)
    expect([atLimit?.status, aboveLimit?.status]).toEqual(['skipped', 'failed'])
  })
})

describe('the suite errors of a JUnit report', () => {
  it('are the first 10,000', () => {
    const suites = '<testsuite name="s"><error/></testsuite>'.repeat(10_001)
    expect(parse(`<testsuites>${suites}</testsuites>`).suiteErrors).toHaveLength(10_000)
  })
})

describe('the line of a JUnit testcase', () => {
  it('is the line on which its tag starts', () => {
    const { attempts } = parse(
      '<testsuite>\n<testcase name="a"/>\r\n  <testcase\n   name="b"\n/><testcase name="c"/></testsuite>',
    )
    expect(attempts.map(({ name, line }) => [name, line])).toEqual([
      ['a', 2],
      ['b', 3],
      ['c', 5],
    ])
  })
})

describe('a JUnit failure outside of any testcase', () => {
  it('is returned as a suite error with the name of the nearest named suite', () => {
    const { attempts, suiteErrors } = parse(
      `<testsuites name="run"><testsuite file="a.js">
       <testsuite><error type="E" message="m">trace</error></testsuite></testsuite><failure/></testsuites>`,
    )
    expect(attempts).toEqual([])
    expect(suiteErrors).toEqual([
      { kind: 'error', type: 'E', message: 'm', text: 'trace', isTruncated: false, suite: 'a.js', line: 2 },
      { kind: 'failure', type: '', message: '', text: '', isTruncated: false, suite: 'run', line: 2 },
    ])
  })

  it('is returned as a suite error when the suite also has testcases', () => {
    const { attempts, suiteErrors } = parse(
      '<testsuite name="s"><testcase name="t"/><error message="tear-down"/></testsuite>',
    )
    expect(attempts).toHaveLength(1)
    expect(suiteErrors).toMatchObject([{ suite: 's', message: 'tear-down' }])
  })
})

describe('the test case ids of a JUnit testcase', () => {
  const ids = (inner: string) => attempt(`<testcase>${inner}</testcase>`)?.caseIds

  it('come from the properties test_case_id, test_id and test_key, by value or text, in order, without duplicates', () => {
    expect(
      ids(`<properties><property name="test_key" value="WEB-3,WEB-1"/><property name="other" value="WEB-9"/>
           <property name="test_id">WEB-2 <!-- c --> WEB-1</property></properties><property name="test_case_id" value="x"/>`),
    ).toEqual(['WEB-3', 'WEB-1', 'WEB-2', 'x'])
  })

  it('come from lines in its output, also inside of markup or CDATA', () => {
    expect(
      ids('<system-out>a [[PROPERTY|test_id=WEB-1]] b<![CDATA[\n[[PROPERTY|test_key=WEB-2, WEB-3]]]]></system-out>'),
    ).toEqual(['WEB-1', 'WEB-2', 'WEB-3'])
  })

  it('come from blocks of lines in its output', () => {
    expect(
      ids('<system-out>[[PROPERTY|test_id]]\nWEB-1\nWEB-2\n[[/PROPERTY]] [[PROPERTY|test_key]] WEB-3</system-out>'),
    ).toEqual(['WEB-1', 'WEB-2'])
  })

  it('are at most 201, however many properties and lines there are', () => {
    const list = Array.from({ length: 300 }, (_, index) => `WEB-${index}`)
    const properties = list.map((id) => `<property name="test_id" value="${id}"/>`).join('')
    const lines = list.map((id) => `[[PROPERTY|test_id=${id}]]`).join('\n')
    for (const inner of [
      `<property name="test_id" value="${list.join(',')}"/>`,
      properties,
      `<system-out>${lines}</system-out>`,
    ]) {
      expect(ids(inner)).toEqual(list.slice(0, 201))
    }
  })

  it('are truncated to 255 UTF-16 units', () => {
    expect(ids(`<property name="test_id" value="${'x'.repeat(100_000)}"/>`)).toEqual(['x'.repeat(255)])
  })

  it('do not come from its errors, its error output, or its suite', () => {
    const line = '[[PROPERTY|test_id=WEB-1]]'
    expect(ids(`<failure>${line}<system-out>${line}</system-out></failure><system-err>${line}</system-err>`)).toEqual(
      [],
    )
    const { attempts } = parse(
      `<testsuite><properties><property name="test_id" value="WEB-1"/></properties><testcase/><system-out>${line}</system-out></testsuite>`,
    )
    expect(attempts).toMatchObject([{ caseIds: [] }])
  })
})
