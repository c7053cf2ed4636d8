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
  throw new Error('The parser did not throw.')
}

describe('the JUnit parser, given malformed XML,', () => {
  // ▲ marks the expected position.
  it.each([
    ['a closing tag that does not match its opening tag', '<testsuites>\n  <testsuite></testcase▲>'],
    ['"<" in an attribute', '<testsuite>\n<testcase name="a ▲< b"/></testsuite>'],
    ['a duplicate attribute', '<testcase name="a" name="b"▲>'],
    ['an attribute without quotes', '<testcase name=▲a/>'],
    ['an attribute without a value', '<testcase disabled▲>'],
    ['a bare "&" in an attribute', '<testsuite>\n <testcase name="a ▲& b"/>\n<testcase name="c &amp; d"/></testsuite>'],
    ['a bare "&" in text', '<testcase>\n<failure>a &amp; b ▲& c\n\n; d</failure></testcase>'],
    ['a bare "&" without a ";" after it', '<testcase><failure>a <![CDATA[&]]> b <!-- & -->\n▲& c</failure></testcase>'],
    ['an entity of HTML before a bare "&"', '<testcase>a &nbsp▲; b & c'],
    ['an entity that HTML defines and XML does not', '<testcase name="a&nbsp▲;b"/>'],
    ['a reference to no character', '<testcase name="&#xg▲;"/>'],
    ['text after the report', '<testsuite/>\n  ▲Program code.\n'],
    ['text right after the report', '<testsuite/>▲😀\n'],
    ['text after a comment after the report', '<testsuite/>\n<!-- c --> ▲x\n'],
    ['text after a declaration', '<?xml version="1.0"?>\n▲x<testsuite/>'],
    ['two reports in one', '<testsuite/>\n<testsuite▲/>'],
    ['a declaration between two reports', '<testsuite/>\n<?xml▲ version="1.0"?><testsuite/>'],
    ['a comment with "--" in it', '<testsuite><!-- a --▲ b --></testsuite>'],
    ['"]]>" in text', '<testcase><failure>a ]]▲></failure></testcase>'],
    ['an error after astral characters', '<testcase name="😀😀" ▲="a"/>'],
    ['an error after characters that are removed', '<testcase name="\u0001\u0002" ▲="a"/>'],
    ['an error after carriage returns and line feeds', '<testsuite>\r\n\r\n<▲ testcase/>'],
  ])('reports the line and column of %s', (_, marked) => {
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
  ])('rejects a truncated report with the line of its end: %j', (xml) => {
    const error = parseError(xml)
    expect(error.code).toBe('malformed_xml')
    expect(error.line).toBe(xml.split('\n').length)
  })

  it('explains the error in its message', () => {
    expect(parseError('<testcase name="a & b"/>').message).toBe(
      'The XML is malformed at line 1, column 19: "&" must be written as "&amp;".',
    )
    expect(parseError('<testsuite>\n<testcase/>\n<test').message).toBe(
      'The XML is malformed at line 3, column 5: the report is truncated; its last complete part ends on line 2.',
    )
  })

  it('rejects it before the report has ended', () => {
    const parser = createJUnitParser()
    parser.write('<testsuite>')
    expect(() => parser.write('</testcase>')).toThrow(JUnitError)
  })
})

describe('the JUnit parser, given a report that is truncated after a valid "&",', () => {
  it.each(['<testcase><failure><![CDATA[ a & b', '<testcase>a<!-- & --', '<testcase><?a & b', '<testcase> <![CDATA[&'])(
    'reports the truncation and not the "&": %s',
    (xml) => {
      expect(parseError(xml).message).toContain('the report is truncated')
      expect(parseError(...xml.split('')).message).toContain('the report is truncated')
    },
  )
})

describe('the JUnit parser, given a DOCTYPE that declares entities,', () => {
  it.each([
    '<!DOCTYPE t [<!ENTITY a "aaaa">]><testcase name="&a;"/>',
    '<!DOCTYPE t [<!ENTITY a SYSTEM "file:///etc/passwd">]><testcase/>',
    '<!DOCTYPE t [<!ENTITY % a "<!ENTITY b \'c\'>">%a;]><testcase/>',
  ])('rejects the report without expanding them: %s', (xml) => {
    expect(parseError(xml)).toMatchObject({ code: 'declares_entities', line: 1 })
  })
})

describe('the JUnit parser, given XML in another format,', () => {
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
  ])('names the format in the error: %s, %s', (format, xml) => {
    const error = parseError(xml)
    expect(error.code).toBe('not_junit')
    expect(error.message).toContain(format)
  })
})

describe('the JUnit parser, given input that is not XML,', () => {
  it.each([
    ['empty', 'The report is empty.', ''],
    ['empty', 'The report is empty.', ' \n\ufeff'],
    ['not_xml', 'This looks like JSON', ' {"a": 1}'],
    ['not_xml', 'This looks like JSON', '[]'],
    ['not_xml', 'This looks like JSON', '{"junit_xml": "<testsuites/>"}'],
    ['not_xml', 'This is text', '> jest --ci\nDone in 3.2s'],
    ['not_xml', 'This is text', `${'npm warn\n'.repeat(10_000)}<testsuites/>`],
    ['not_xml', 'This is gzip data', Uint8Array.of(0x1f, 0x8b, 8, 0)],
    ['not_xml', 'This is a ZIP archive', Uint8Array.of(0x50, 0x4b, 3, 4)],
  ])('rejects it with the code %s and the message “%s…”', (code, message, input) => {
    const error = parseError(input)
    expect(error.code).toBe(code)
    expect(error.message).toContain(message)
  })

  it('reports the position of the first visible character', () => {
    expect(parseError('\r\n  \n', ' {')).toMatchObject({ line: 3, column: 2 })
  })
})
