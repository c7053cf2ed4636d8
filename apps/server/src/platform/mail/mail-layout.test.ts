import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import { escapeHtml, renderHtmlMail, toSingleLine, renderTextMail } from './mail-layout.ts'

const content = (text: string) => ({
  heading: text,
  paragraphs: [text, text],
  button: { label: text, url: `https://example.test/?q=${text}` },
  footer: text,
})
const listTags = (html: string) => html.match(/<[^>]*>/g)?.map((tag) => /^<\/?\w+|^<!\w+/.exec(tag)?.[0])

describe('htmlMail', () => {
  it('has the same tags whatever the text is', () => {
    const expected = listTags(renderHtmlMail(content('x')))
    fc.assert(
      fc.property(fc.string(), (text) => {
        expect(listTags(renderHtmlMail(content(text)))).toEqual(expected)
      }),
    )
  })

  it('asks for nothing from elsewhere: no images, styles, fonts or scripts', () => {
    expect(renderHtmlMail(content('x'))).not.toMatch(/<(?:img|link|script|style|iframe)|url\(/i)
  })
})

describe('textMail', () => {
  it('says everything, with the link on a line of its own', () => {
    const text = renderTextMail({ ...content('x'), heading: 'Heading', paragraphs: ['One.', 'Two.'], footer: 'Footer' })
    expect(text).toBe('Heading\n\nOne.\n\nTwo.\n\nx:\nhttps://example.test/?q=x\n\n-- \nFooter\n')
  })
})

describe('escapeHtml', () => {
  it('leaves none of the characters that mean something', () => {
    expect(escapeHtml(`<a href="x" title='y'>&`)).toBe('&lt;a href=&quot;x&quot; title=&#39;y&#39;&gt;&amp;')
  })
})

describe('oneLine', () => {
  it('has no breaks, controls or turns of direction, and at most 120 characters', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const line = toSingleLine(text)
        expect(line).not.toMatch(/[\p{Cc}\p{Bidi_Control}\u2028\u2029]/u)
        expect(Array.from(line).length).toBeLessThanOrEqual(120)
      }),
    )
  })

  it('leaves ordinary names as they are', () => {
    expect(toSingleLine('Läden & Co. 🛒')).toBe('Läden & Co. 🛒')
  })
})
