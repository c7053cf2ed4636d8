import { describe, expect, it } from 'vitest'
import { createJUnitParser, type JUnitReport, parseJUnit } from './parse-junit.ts'

function parse(xml: string): JUnitReport {
  const parser = createJUnitParser()
  for (let start = 0; start < xml.length; start += 65_536) parser.write(xml.slice(start, start + 65_536))
  return parser.end()
}

describe('the JUnit parser, given elements that are nested too deep,', () => {
  const nest = (element: string, depth: number) => `${`<${element}>\n`.repeat(depth)}${`</${element}>`.repeat(depth)}`

  it.each(['testsuite', 'testcase', 'system-out'])('reads 100 levels of <%s>, and rejects 101 with the line', (tag) => {
    const parent = tag === 'system-out' ? 'testcase' : 'testsuite'
    const wrap = (inner: string) => `<${parent}>${inner}</${parent}>`
    expect(parse(wrap(nest(tag, 99)))).toBeDefined()
    const tooDeep = { name: 'JUnitError', code: 'too_deep', line: 100, message: expect.stringContaining('on line 100') }
    expect(() => parse(wrap(nest(tag, 100)))).toThrow(expect.objectContaining(tooDeep))
  })

  it('rejects them before it has read the rest of the report', () => {
    const parser = createJUnitParser()
    expect(() => parser.write('<testsuite>'.repeat(101))).toThrow(/nested more than 100 deep/)
  })
})

describe('the JUnit parser, given a tag with many attributes,', () => {
  const build = (count: number) =>
    `<testsuite>\n<testcase ${Array.from({ length: count }, (_, index) => `a${index}=""`).join(' ')}/></testsuite>`

  it('reads 1,000, and rejects 1,001 with the line', () => {
    expect(parse(build(1000)).attempts).toHaveLength(1)
    expect(() => parse(build(1001))).toThrow(
      expect.objectContaining({ code: 'too_long', line: 2, message: expect.stringContaining('1000 attributes') }),
    )
  })
})

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
