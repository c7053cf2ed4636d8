import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { describe, expect, it } from 'vitest'
import { createJUnitParser } from './parse-junit.ts'

/** Parses text in pieces, as it is received. */
function parse(xml: string) {
  const parser = createJUnitParser()
  for (let start = 0; start < xml.length; start += 65_536) parser.write(xml.slice(start, start + 65_536))
  return parser.end()
}

// Each input is about a megabyte: hundredths of a second in linear time, minutes otherwise.
describe('the JUnit parser', () => {
  it.each<[string, string]>([
    ['suites', `<testsuites>${'<testsuite><testcase/></testsuite>'.repeat(30_000)}</testsuites>`],
    [
      'nested suites without names',
      `<testsuites>${`${'<testsuite><failure/>'.repeat(90)}${'</testsuite>'.repeat(90)}`.repeat(300)}</testsuites>`,
    ],
    [
      'attributes',
      `<testsuite>${`<testcase ${Array.from({ length: 1000 }, (_, index) => `a${index}=""`).join(' ')}/>`.repeat(120)}</testsuite>`,
    ],
    ['testcases', `<testsuite>${'<testcase/>'.repeat(90_000)}</testsuite>`],
    ['failures of one testcase', `<testcase>${'<failure/>'.repeat(100_000)}</testcase>`],
    ['raw control characters', `<testcase><failure>${'\u001b\0'.repeat(500_000)}</failure></testcase>`],
    [
      'character references',
      `<testcase name="${'&#x1b;'.repeat(80_000)}"><failure>${'&#1;'.repeat(120_000)}</failure></testcase>`,
    ],
    ['terminal sequences without an end', `<testcase><failure>${'\u001b]1;'.repeat(250_000)}</failure></testcase>`],
    ['parameters in a terminal sequence', `<testcase><failure>\u001b[${'1;'.repeat(500_000)}</failure></testcase>`],
    ['ampersands in CDATA', `<testcase><failure><![CDATA[${'&'.repeat(1_000_000)}]]></failure></testcase>`],
    ['brackets in CDATA', `<testcase><failure><![CDATA[${']'.repeat(1_000_000)}]]></failure></testcase>`],
    ['blank lines in a failure', `<testcase><failure>${' \n'.repeat(500_000)}x</failure></testcase>`],
    [
      'property openings on one line',
      `<testcase><system-out>${'[[PROPERTY|test_id='.repeat(50_000)}</system-out></testcase>`,
    ],
    [
      'property blocks without an end',
      `<testcase><system-out>${'[[PROPERTY|test_id]]'.repeat(50_000)}</system-out></testcase>`,
    ],
    [
      'ids',
      `<testcase><properties><property name="test_id" value="${'a1 b2 '.repeat(160_000)}"/></properties></testcase>`,
    ],
    ['digits in a time', `<testcase time="${'1,'.repeat(500_000)}"/>`],
    ['comments and instructions', `<testsuite>${'<!----><?a?>'.repeat(80_000)}</testsuite>`],
    ['a DOCTYPE', `<!DOCTYPE testsuite [${'<!ELEMENT a ANY>'.repeat(60_000)}]><testsuite/>`],
  ])('parses a megabyte of %s in linear time', { timeout: 8000 }, (_, xml) => {
    expect(parse(xml)).toBeDefined()
  })
})

describe('the memory of the JUnit parser', () => {
  /** Memory in use after parsing a report of twenty million characters in chunks. */
  function measureHeapGrowth(testcase: string): number {
    const parser = createJUnitParser()
    const before = measureHeap()
    parser.write('<testsuite>')
    for (let count = 0; count < 20_000_000; count += testcase.length) {
      for (let start = 0; start < testcase.length; start += 65_536) parser.write(testcase.slice(start, start + 65_536))
    }
    parser.write('</testsuite>')
    const report = parser.end()
    const growth = measureHeap() - before
    expect(report.attempts.length).toBeGreaterThan(1)
    return growth
  }

  it('does not contain the output of testcases', () => {
    const output = `<system-out>${'x'.repeat(5000)}</system-out>`
    expect(
      measureHeapGrowth(`<testcase name="a name that is long">${output}<failure>and a text</failure></testcase>`),
    ).toBeLessThan(7_000_000)
  })

  it('does not contain the rest of truncated texts', () => {
    const text = 'x'.repeat(1_000_000)
    expect(
      measureHeapGrowth(`<testcase name="${text}"><failure message="${text}">${text}</failure></testcase>`),
    ).toBeLessThan(7_000_000)
  })

  it('does not contain the parts of a text that it is reading', () => {
    const parser = createJUnitParser()
    parser.write('<testcase><failure>')
    const before = measureHeap()
    for (let count = 0; count < 10; count++) parser.write('&lt;'.repeat(100_000))
    // A million parts would take thirty megabytes.
    expect(measureHeap() - before).toBeLessThan(20_000_000)
    parser.write('</failure></testcase>')
    expect(parser.end().attempts[0]?.details[0]?.text).toMatch(/^<{140000}$/)
  })

  it('is bounded because a text without an end is rejected', { timeout: 120_000 }, () => {
    const parser = createJUnitParser()
    // Large pieces, because each one is joined with all before it.
    const piece = 'x'.repeat(2 ** 25)
    parser.write('<testcase><system-out>')
    expect(() => {
      for (let count = 0; count < 4; count++) parser.write(piece)
    }).toThrow(/a text or tag of more than 64 million characters/)
  })
})

/** Returns the heap in use after a garbage collection. */
function measureHeap(): number {
  setFlagsFromString('--expose-gc')
  runInNewContext('gc()')
  return process.memoryUsage().heapUsed
}
