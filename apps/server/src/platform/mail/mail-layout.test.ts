import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import { escapeHtml, quoteName, renderHtmlMail, toSingleLine, renderTextMail } from './mail-layout.ts'

const content = (text: string) => ({
  heading: text,
  paragraphs: [text, text],
  button: { label: text, url: `https://example.test/?q=${text}` },
  footer: text,
})
const listTags = (html: string) => html.match(/<[^>]*>/g)?.map((tag) => /^<\/?\w+|^<!\w+/.exec(tag)?.[0])

describe('renderHtmlMail', () => {
  it('renders the same tags for any text', () => {
    const expected = listTags(renderHtmlMail(content('x')))
    fc.assert(
      fc.property(fc.string(), (text) => {
        expect(listTags(renderHtmlMail(content(text)))).toEqual(expected)
      }),
    )
  })

  it('contains no external images, styles, fonts or scripts', () => {
    expect(renderHtmlMail(content('x'))).not.toMatch(/<(?:img|link|script|style|iframe)|url\(/i)
  })
})

describe('renderTextMail', () => {
  it('contains all texts, with the link on a line of its own', () => {
    const text = renderTextMail({ ...content('x'), heading: 'Heading', paragraphs: ['One.', 'Two.'], footer: 'Footer' })
    expect(text).toBe('Heading\n\nOne.\n\nTwo.\n\nx:\nhttps://example.test/?q=x\n\n-- \nFooter\n')
  })
})

describe('escapeHtml', () => {
  it('escapes all special characters', () => {
    expect(escapeHtml(`<a href="x" title='y'>&`)).toBe('&lt;a href=&quot;x&quot; title=&#39;y&#39;&gt;&amp;')
  })
})

describe('toSingleLine', () => {
  it('removes line breaks, control and direction characters, and cuts after 120 characters', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const line = toSingleLine(text)
        expect(line).not.toMatch(/[\p{Cc}\p{Bidi_Control}\u2028\u2029]/u)
        expect(Array.from(line).length).toBeLessThanOrEqual(120)
      }),
    )
  })

  it('does not change ordinary names', () => {
    expect(toSingleLine('Läden & Co. 🛒')).toBe('Läden & Co. 🛒')
  })
})

describe('quoteName', () => {
  it('contains no line breaks, control or direction characters, and has at most 60 characters between the quotes', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 300 }), (text) => {
        const [first, ...rest] = Array.from(quoteName(text))
        const last = rest.pop()
        expect([first, last]).toEqual(['"', '"'])
        expect(rest.length).toBeLessThanOrEqual(60)
        expect(rest.join('')).not.toMatch(/[\p{Cc}\p{Bidi_Control}\u2028\u2029"“”]/u)
      }),
    )
  })

  it('does not cut a name of 60 characters, and cuts one of 61 to 60 with an ellipsis', () => {
    expect(quoteName('x'.repeat(60))).toBe(`"${'x'.repeat(60)}"`)
    expect(quoteName('x'.repeat(61))).toBe(`"${'x'.repeat(59)}…"`)
  })

  it.each([
    ['an emoji of several code points', '👩‍👩‍👧‍👦'],
    ['a flag', '🇩🇪'],
    ['a letter with a combining accent', 'e\u0301'],
  ])('does not cut %s in the middle', (_, character) => {
    const name = quoteName(`${'x'.repeat(58)}${character.repeat(3)}`)
    expect(name.replace(/…"$/, '').slice(59).replaceAll(character, '')).toBe('')
  })
})
