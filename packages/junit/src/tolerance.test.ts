import { describe, expect, it } from 'vitest'
import { createJUnitParser, type JUnitReport } from './parse-junit.ts'

function parse(...pieces: (Uint8Array | string)[]): JUnitReport {
  const parser = createJUnitParser()
  for (const piece of pieces) parser.write(piece)
  return parser.end()
}

function nameIn(...pieces: (Uint8Array | string)[]): string | undefined {
  return parse(...pieces).attempts[0]?.name
}

function parseFailureText(failure: string): string | undefined {
  return parse(`<testcase><failure>${failure}</failure></testcase>`).attempts[0]?.details[0]?.text
}

function latin(text: string): Uint8Array {
  return Uint8Array.from(text, (character) => character.charCodeAt(0))
}

function utf16(text: string, order: 'le' | 'be'): Uint8Array {
  const bytes = new Uint8Array(text.length * 2)
  const view = new DataView(bytes.buffer)
  for (let index = 0; index < text.length; index++) view.setUint16(index * 2, text.charCodeAt(index), order === 'le')
  return bytes
}

describe('the encoding of a JUnit report in bytes', () => {
  const declare = (encoding: string, name: string) =>
    `<?xml version="1.0" encoding="${encoding}"?><testcase name="${name}"/>`

  it('is UTF-8 by default', () => {
    expect(nameIn(new TextEncoder().encode('<testcase name="é你😀"/>'))).toBe('é你😀')
  })

  it('follows from a byte order mark, whatever the declaration says', () => {
    expect(nameIn(new TextEncoder().encode(`\ufeff${declare('windows-1252', 'é')}`))).toBe('é')
    expect(nameIn(utf16(`\ufeff${declare('UTF-8', 'é😀')}`, 'le'))).toBe('é😀')
    expect(nameIn(utf16(`\ufeff${declare('UTF-8', 'é😀')}`, 'be'))).toBe('é😀')
  })

  it('is detected as UTF-16 without a byte order mark', () => {
    expect(nameIn(utf16(declare('UTF-16', 'é'), 'le'))).toBe('é')
    expect(nameIn(utf16('<testcase name="é"/>', 'be'))).toBe('é')
  })

  it('follows from the declaration', () => {
    expect(nameIn(latin(declare('ISO-8859-1', '\u00e9')))).toBe('é')
    expect(nameIn(latin(declare('windows-1252', '\u0080 \u00e9')))).toBe('€ é')
    expect(nameIn(latin(declare('Shift_JIS', '\u0083\u0065')))).toBe('テ')
    expect(nameIn(latin(`\n\n${declare('windows-1251', '\u00ff')}`))).toBe('я')
  })

  it('is UTF-8 when the declared encoding is unknown or impossible', () => {
    for (const encoding of ['utf-16', 'UTF-16LE', 'ucs-2', 'utf-32', 'x-klingon', '', '8']) {
      expect(nameIn(new TextEncoder().encode(declare(encoding, 'é')))).toBe('é')
    }
  })

  it('decodes invalid bytes as U+FFFD', () => {
    expect(nameIn(latin(declare('UTF-8', 'Pr\u00fcfung \u00c3\u00a9')))).toBe('Pr\ufffdfung é')
    expect(nameIn(new TextEncoder().encode('<testcase name="a"/>'), Uint8Array.of(0x0a))).toBe('a')
  })

  it('is applied correctly when the caller reuses its buffer', () => {
    const buffer = new Uint8Array(1)
    const parser = createJUnitParser()
    for (const byte of new TextEncoder().encode(declare('utf-8', 'é你😀'))) {
      buffer[0] = byte
      parser.write(buffer)
    }
    expect(parser.end().attempts).toMatchObject([{ name: 'é你😀' }])
  })
})

describe('text before a JUnit report', () => {
  it.each([
    ['a declaration', '<?xml version="1.0"?><testcase name="a"/>'],
    ['a root without a declaration', '<testsuite><testcase name="a"/></testsuite>'],
    ['a root with a prefix', '<j:testsuites><j:testcase name="a"/></j:testsuites>'],
  ])('is skipped before %s, in chunks of any size, and returned', (_what, xml) => {
    const text = `\n> shop@1.0.0 test <all>\n> node --test\n\n${xml}`
    for (const pieces of [[text], Array.from(text), [text.slice(0, 45), text.slice(45)]]) {
      const report = parse(...pieces)
      expect(report.attempts.map(({ name }) => name)).toEqual(['a'])
      expect(report.skippedText).toBe('> shop@1.0.0 test <all>\n> node --test')
    }
  })

  it('does not move the positions in the report', () => {
    expect(parse('> npm\n\n<testsuite>\n<testcase name="a"/></testsuite>').attempts[0]?.line).toBe(4)
  })

  it('is empty for a report that begins with its XML', () => {
    expect(parse('\ufeff \n<testcase/>').skippedText).toBe('')
  })
})

describe('a JUnit report in text', () => {
  it('may declare any encoding', () => {
    expect(nameIn('<?xml version="1.0" encoding="UTF-16"?><testcase name="é"/>')).toBe('é')
  })

  it('may start with a byte order mark, blank lines or control characters before the declaration', () => {
    expect(nameIn('\ufeff<?xml version="1.0"?><testcase name="a"/>')).toBe('a')
    expect(nameIn('\r\n \t\n<?xml version="1.0"?><testcase name="a"/>')).toBe('a')
    expect(nameIn('\n\ufeff\0<?xml version="1.0"?><testcase name="a"/>')).toBe('a')
  })

  it('may end with blank lines and control characters', () => {
    expect(nameIn('<testcase name="a"/>\n\n\u001a\0\0')).toBe('a')
    expect(nameIn('<testcase name="a"/>\n\0\n<!-- c -->\0\n')).toBe('a')
  })

  it('may have a stylesheet, a DOCTYPE without entities, and XML 1.1', () => {
    const prolog =
      '<?xml version="1.1"?><?xml-stylesheet href="a.xsl"?><!DOCTYPE testcase SYSTEM "http://127.0.0.1:9/a" [<!ELEMENT a ANY>]>'
    expect(nameIn(`${prolog}<testcase name="a"/>`)).toBe('a')
  })
})

describe('characters of a JUnit report that XML does not allow', () => {
  it('are removed, raw or as references', () => {
    expect(parseFailureText('a\0\u0008b\u001f&#0;&#x8;&#x01F;')).toBe('ab')
    expect(parseFailureText('a\uffff\ufffe&#xFFFF;&#xD800;&#x110000;b')).toBe('ab')
    expect(nameIn('<testcase name="a\u0001&#2;b" classname="\u0003"/>')).toBe('ab')
  })

  it('are removed from CDATA, where a reference is text', () => {
    expect(parseFailureText('<![CDATA[a\u0001&#27;&#x1b;b & c]]>')).toBe('a&#27;&#x1b;b & c')
  })

  it('are not decoded from an escaped reference', () => {
    expect(parseFailureText('a&amp;#x1b;b')).toBe('a&#x1b;b')
  })

  it('are removed with the complete terminal sequence that they start', () => {
    expect(parseFailureText('\u001b[31mred\u001b[0m \u001b[1;38;5;196mbold\u001b[22;39m')).toBe('red bold')
    expect(parseFailureText('&#x1b;[31mred&#27;[0m')).toBe('red')
    expect(
      parseFailureText('<![CDATA[\u001b[2K\u001b[1Gdone \u001b]8;;http://a\u001b\\link\u001b]8;;\u0007\u001b(B]]>'),
    ).toBe('done link')
    expect(parseFailureText('cut \u001b<![CDATA[[3]]>1mred')).toBe('cut red')
    expect(
      parse('<testcase><failure message="\u001b[31mred&#x1b;[39m"/></testcase>').attempts[0]?.details,
    ).toMatchObject([{ message: 'red' }])
  })

  it('are removed in the notation of pytest', () => {
    expect(parseFailureText('#x1B[1m#x1B[31mE  assert#x1B[0m #x1B2')).toBe('E  assert #x1B2')
  })

  it('become U+FFFD when they are lone surrogates', () => {
    expect(nameIn('<testcase name="\ud83d"/>')).toBe('\ufffd')
    expect(nameIn('<testcase name="a', '\ude00\ud83d', '\ude00b', '\ud83d', '"/>')).toBe('a\ufffd😀b\ufffd')
  })

  it('are ignored in comments, instructions and white space', () => {
    expect(nameIn('<testsuite>\0<!-- \u0001 --><?a \u0002?>&#x3;<testcase name="&amp;#3;"/></testsuite>')).toBe('&#3;')
  })

  it('do not include tabs, C1 controls, line separators and astral characters', () => {
    expect(parseFailureText('a\tb\u007f\u0085\u2028\u{10ffff}c')).toBe('a\tb\u007f\u0085\u2028\u{10ffff}c')
  })
})
