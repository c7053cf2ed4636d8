import { describe, expect, it } from 'vitest'
import { createJUnitParser, JUnitError } from './parse-junit.ts'

function parseError(...pieces: (Uint8Array | string)[]): JUnitError {
  const parser = createJUnitParser()
  try {
    for (const piece of pieces) parser.write(piece)
    parser.end()
  } catch (error) {
    if (error instanceof JUnitError) return error
    throw error
  }
  throw new Error('This was read without an error.')
}

describe('malformed XML', () => {
  // ▲ stands before the character that is to blame.
  it.each([
    ['a closing tag that does not match', '<testsuites>\n  <testsuite></testcase▲>'],
    ['"<" in an attribute', '<testsuite>\n<testcase name="a ▲< b"/></testsuite>'],
    ['an attribute twice', '<testcase name="a" name="b"▲>'],
    ['an attribute without quotes', '<testcase name=▲a/>'],
    ['an attribute without a value', '<testcase disabled▲>'],
    [
      '"&" on its own in an attribute',
      '<testsuite>\n <testcase name="a ▲& b"/>\n<testcase name="c &amp; d"/></testsuite>',
    ],
    ['"&" on its own in text', '<testcase>\n<failure>a &amp; b ▲& c\n\n; d</failure></testcase>'],
    [
      '"&" on its own, and no ";" to the end',
      '<testcase><failure>a <![CDATA[&]]> b <!-- & -->\n▲& c</failure></testcase>',
    ],
    ['an entity that HTML has, before "&" on its own', '<testcase>a &nbsp▲; b & c'],
    ['an entity that HTML has and XML has not', '<testcase name="a&nbsp▲;b"/>'],
    ['a reference to nothing', '<testcase name="&#xg▲;"/>'],
    ['text after the report', '<testsuite/>\n  ▲Program code.\n'],
    ['text right after the report', '<testsuite/>▲😀\n'],
    ['text after a comment after the report', '<testsuite/>\n<!-- c --> ▲x\n'],
    ['text after a declaration', '<?xml version="1.0"?>\n▲x<testsuite/>'],
    ['two reports in one', '<testsuite/>\n<testsuite▲/>'],
    ['a declaration between two reports', '<testsuite/>\n<?xml▲ version="1.0"?><testsuite/>'],
    ['a comment with "--" in it', '<testsuite><!-- a --▲ b --></testsuite>'],
    ['"]]>" in text', '<testcase><failure>a ]]▲></failure></testcase>'],
    ['astral characters before', '<testcase name="😀😀" ▲="a"/>'],
    ['characters that are dropped before', '<testcase name="\u0001\u0002" ▲="a"/>'],
    ['a carriage return and a line feed before', '<testsuite>\r\n\r\n<▲ testcase/>'],
  ])('is refused for %s, with line and column', (_, marked) => {
    const before = marked.slice(0, marked.indexOf('▲')).replaceAll('\r\n', '\n').split('\n')
    const position = { line: before.length, column: Array.from(before.at(-1) ?? '').length + 1 }
    const error = parseError(marked.replace('▲', ''))
    expect({ line: error.line, column: error.column }).toEqual(position)
    expect(error.code).toBe('malformed_xml')
    expect(error.message).toContain(`at line ${position.line}, column ${position.column}: `)
  })

  it.each([
    '<testsuite>',
    '<testsuite><testcase name="a',
    '<testsuite><testcase/',
    '<testsuite><testcase><failure><![CDATA[trace',
    '<testsuite><!-- ',
    '<testsuite>\n</testsuite',
    '<testsuite>&am',
    '<!DOCTYPE testsuite [ <!ELEMENT',
    '<?xml version="1.0"?>\n',
    '<?xml version="1.0"',
    '<',
  ])('is refused when it breaks off: %j', (xml) => {
    const error = parseError(xml)
    expect(error.code).toBe('malformed_xml')
    expect(error.line).toBe(xml.split('\n').length)
  })

  it('is refused in plain words', () => {
    expect(parseError('<testcase name="a & b"/>').message).toBe(
      'The XML is malformed at line 1, column 19: "&" must be written as "&amp;".',
    )
    expect(parseError('<testsuite>\n<testcase/>\n<test').message).toBe(
      'The XML is malformed at line 3, column 5: it breaks off; what was read whole ends on line 2.',
    )
  })

  it('is refused as soon as it is seen', () => {
    const parser = createJUnitParser()
    parser.write('<testsuite>')
    expect(() => parser.write('</testcase>')).toThrow(JUnitError)
  })
})

describe('a report that breaks off in a text with "&" in it', () => {
  it.each(['<testcase><failure><![CDATA[ a & b', '<testcase>a<!-- & --', '<testcase><?a & b', '<testcase> <![CDATA[&'])(
    'is not said to have a wrong "&": %s',
    (xml) => {
      expect(parseError(xml).message).toContain('it breaks off')
      expect(parseError(...xml.split('')).message).toContain('it breaks off')
    },
  )
})

describe('declared entities', () => {
  it.each([
    '<!DOCTYPE t [<!ENTITY a "aaaa">]><testcase name="&a;"/>',
    '<!DOCTYPE t [<!ENTITY a SYSTEM "file:///etc/passwd">]><testcase/>',
    '<!DOCTYPE t [<!ENTITY % a "<!ENTITY b \'c\'>">%a;]><testcase/>',
  ])('are refused, unread: %s', (xml) => {
    expect(parseError(xml)).toMatchObject({ code: 'declares_entities', line: 1 })
  })
})

describe('XML of another kind', () => {
  it.each([
    ['an NUnit 3 report', '<test-run id="0">'],
    ['an NUnit 2 report', '<?xml version="1.0"?><!-- c --><test-results name="a">'],
    ['a TRX report', '<TestRun xmlns="http://microsoft.com/schemas/VisualStudio/TeamTest/2010">'],
    ['an xUnit.net report', '<assemblies>'],
    ['a Robot Framework report', '<robot generator="Robot 7">'],
    ['a TestNG report', '<testng-results>'],
    ['an HTML page', '<!DOCTYPE html><p>'],
    ['an HTML page', '<HTML lang=en>'],
    ["Check's own report", '<testsuites xmlns="http://check.sourceforge.net/ns">'],
    ["Check's own report", '<c:testsuites xmlns:c="http://check.sourceforge.net/ns">'],
    ['an Allure 1 report', '<ns2:test-suite xmlns:ns2="urn:model.allure.qatools.yandex.ru">'],
    ['its root element is <catalog>', '<catalog>'],
  ])('is refused with what it looks like: %s', (what, xml) => {
    const error = parseError(xml)
    expect(error.code).toBe('not_junit')
    expect(error.message).toContain(what)
  })
})

describe('what is no XML', () => {
  it.each([
    ['empty', 'The report is empty.', ''],
    ['empty', 'The report is empty.', ' \n\ufeff'],
    ['not_xml', 'This looks like JSON', ' {"a": 1}'],
    ['not_xml', 'This looks like JSON', '[]'],
    ['not_xml', 'This is text', '> jest --ci\n<testsuites/>'],
    ['not_xml', 'This is gzip data', Uint8Array.of(0x1f, 0x8b, 8, 0)],
    ['not_xml', 'This is a ZIP archive', Uint8Array.of(0x50, 0x4b, 3, 4)],
  ])('is refused as %s: %s', (code, what, input) => {
    const error = parseError(input)
    expect(error.code).toBe(code)
    expect(error.message).toContain(what)
  })

  it('is refused at its first visible character', () => {
    expect(parseError('\r\n  \n', ' {')).toMatchObject({ line: 3, column: 2 })
  })
})
