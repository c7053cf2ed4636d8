import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { describe, expect, it } from 'vitest'
import { createJUnitParser, type JUnitReport, parseJUnit } from './parse-junit.ts'

function parse(xml: string): JUnitReport {
  const parser = createJUnitParser()
  for (let start = 0; start < xml.length; start += 65_536) parser.write(xml.slice(start, start + 65_536))
  return parser.end()
}

// Each is about a megabyte. What is read in linear time takes some hundredths of a second, what is not takes minutes.
describe.each<[string, string]>([
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
])('a megabyte of %s', (_, xml) => {
  it('is read in time that grows no faster than it does', { timeout: 8000 }, () => {
    expect(parse(xml)).toBeDefined()
  })
})

describe('the memory for a report', () => {
  /** What is held after a report of twenty million characters, itself read in pieces and let go. */
  function heldAfter(testcase: string): number {
    const parser = createJUnitParser()
    const before = heapUsed()
    parser.write('<testsuite>')
    for (let count = 0; count < 20_000_000; count += testcase.length) {
      for (let start = 0; start < testcase.length; start += 65_536) parser.write(testcase.slice(start, start + 65_536))
    }
    parser.write('</testsuite>')
    const report = parser.end()
    const held = heapUsed() - before
    expect(report.attempts.length).toBeGreaterThan(1)
    return held
  }

  it('does not hold what testcases printed', () => {
    const printed = `<system-out>${'x'.repeat(5000)}</system-out>`
    expect(
      heldAfter(`<testcase name="a name that is long">${printed}<failure>and a text</failure></testcase>`),
    ).toBeLessThan(7_000_000)
  })

  it('holds no more of a text than is kept of it', () => {
    const text = 'x'.repeat(1_000_000)
    expect(heldAfter(`<testcase name="${text}"><failure message="${text}">${text}</failure></testcase>`)).toBeLessThan(
      7_000_000,
    )
  })

  it('is bounded even while it reads one endless text', { timeout: 20_000 }, () => {
    const parser = createJUnitParser()
    const piece = 'x'.repeat(2 ** 20)
    parser.write('<testcase><system-out>')
    expect(() => {
      for (let megabyte = 0; megabyte < 100; megabyte++) parser.write(piece)
    }).toThrow(/a single text of more than 64 million characters/)
  })
})

/** After a collection of all garbage. */
function heapUsed(): number {
  setFlagsFromString('--expose-gc')
  runInNewContext('gc()')
  return process.memoryUsage().heapUsed
}

describe('parseJUnit', () => {
  const xml = `<testsuite>${'<testcase name="é"><failure>trace</failure></testcase>'.repeat(20_000)}</testsuite>`

  it('reads text, bytes, and bytes in pieces to the same report', async () => {
    const bytes = new TextEncoder().encode(xml)
    async function* pieces() {
      for (let start = 0; start < bytes.length; start += 9999) yield bytes.subarray(start, start + 9999)
    }
    const report = await parseJUnit(xml)
    expect(report.attempts).toHaveLength(20_000)
    expect(await parseJUnit(bytes)).toEqual(report)
    expect(await parseJUnit(pieces())).toEqual(report)
  })

  it('lets others have their turns while it reads', async () => {
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

  it('rejects with a JUnitError, and passes on what its source throws', async () => {
    async function* broken() {
      yield new TextEncoder().encode('<testsuite>')
      throw new Error('connection lost')
    }
    await expect(parseJUnit('<testsuite>')).rejects.toMatchObject({ name: 'JUnitError', code: 'malformed_xml' })
    await expect(parseJUnit(broken())).rejects.toThrow('connection lost')
  })
})
