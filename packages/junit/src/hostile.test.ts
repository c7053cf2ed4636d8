import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { describe, expect, it } from 'vitest'
import { createJUnitParser, type JUnitReport, parseJUnit } from './parse-junit.ts'

function parse(xml: string): JUnitReport {
  const parser = createJUnitParser()
  for (let start = 0; start < xml.length; start += 65_536) parser.write(xml.slice(start, start + 65_536))
  return parser.end()
}

// Each input is about a megabyte: hundredths of a second in linear time, minutes otherwise.
describe('the JUnit parser', () => {
  it.each<[string, string]>([
    ['elements in elements', `${'<testsuite>'.repeat(45_000)}${'</testsuite>'.repeat(45_000)}`],
    ['testcases in testcases', `${'<testcase>'.repeat(45_000)}${'</testcase>'.repeat(45_000)}`],
    ['failures of suites without names', `${'<testsuite><failure/>'.repeat(45_000)}${'</testsuite>'.repeat(45_000)}`],
    ['attributes on one tag', `<testcase ${Array.from({ length: 60_000 }, (_, index) => `a${index}=""`).join(' ')}/>`],
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

  it('is bounded because a text without an end is rejected', { timeout: 20_000 }, () => {
    const parser = createJUnitParser()
    const piece = 'x'.repeat(2 ** 20)
    parser.write('<testcase><system-out>')
    expect(() => {
      for (let megabyte = 0; megabyte < 100; megabyte++) parser.write(piece)
    }).toThrow(/a text or tag of more than 64 million characters/)
  })
})

/** Returns the heap in use after a garbage collection. */
function measureHeap(): number {
  setFlagsFromString('--expose-gc')
  runInNewContext('gc()')
  return process.memoryUsage().heapUsed
}

describe('parseJUnit', () => {
  const xml = `<testsuite>${'<testcase name="é"><failure>trace</failure></testcase>'.repeat(20_000)}</testsuite>`

  it('returns the same report for text, bytes and chunks of bytes', async () => {
    const bytes = new TextEncoder().encode(xml)
    async function* splitIntoChunks() {
      for (let start = 0; start < bytes.length; start += 9999) yield bytes.subarray(start, start + 9999)
    }
    const report = await parseJUnit(xml)
    expect(report.attempts).toHaveLength(20_000)
    expect(await parseJUnit(bytes)).toEqual(report)
    expect(await parseJUnit(splitIntoChunks())).toEqual(report)
  })

  it('yields to the event loop while it parses', async () => {
    let turns = 0
    let isReading = true
    const countTurns = () => {
      turns++
      if (isReading) setImmediate(countTurns)
    }
    setImmediate(countTurns)
    await parseJUnit(xml)
    isReading = false
    expect(turns).toBeGreaterThan(2)
  })

  it('rejects with a JUnitError for an invalid report, and with the error of a source that fails', async () => {
    async function* failingSource() {
      yield new TextEncoder().encode('<testsuite>')
      throw new Error('connection lost')
    }
    await expect(parseJUnit('<testsuite>')).rejects.toMatchObject({ name: 'JUnitError', code: 'malformed_xml' })
    await expect(parseJUnit(failingSource())).rejects.toThrow('connection lost')
  })
})
