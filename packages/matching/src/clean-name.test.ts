import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import { cleanName, isCleanName } from './clean-name.ts'

const SCOTLAND = '\u{1f3f4}\u{e0067}\u{e0062}\u{e0073}\u{e0063}\u{e0074}\u{e007f}'

describe('isCleanName', () => {
  it.each([
    ['letters, digits and punctuation', 'Web shop (v2.1) – “Prüfung” №5'],
    ['letters with combining marks', 'Zo\u0065\u0308 \u1e9e'],
    ['an emoji sequence', 'Family \u{1f468}\u200d\u{1f469}\u200d\u{1f467} and \u{1f3f3}\ufe0f\u200d\u{1f308}'],
    ['an emoji of a person with a skin tone', '\u26f9\u{1f3fd}\u200d\u2640\ufe0f'],
    ['a keycap', 'Step 1\ufe0f\u20e3'],
    ['the flag of a region', `Build for ${SCOTLAND}`],
    ['a Persian word with a non-joiner', '\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645'],
    ['a Latin word with a Persian suffix', 'API\u200c\u0647\u0627'],
    ['a Bengali word with a joiner', '\u09b0\u200d\u09cd\u09af\u09be\u09ae'],
    ['a Japanese name with a variation selector', '\u845b\u{e0100}\u98fe'],
    ['a Hebrew title with a direction mark', '\u05d1\u05d3\u05d9\u05e7\u05d4 \u200e(API)\u200e'],
  ])('returns true for %s', (_, name) => {
    expect(isCleanName(name)).toBe(true)
    expect(cleanName(name)).toBe(name)
  })

  it.each([
    ['a NUL character', 'Web\0shop', 'Webshop'],
    ['a line break', 'Web\r\nshop', 'Web shop'],
    ['a tab', 'Web\tshop', 'Web shop'],
    ['an escape character', '\u001b[31mWeb shop', '[31mWeb shop'],
    ['a C1 control character', 'Web\u009bshop', 'Webshop'],
    ['a line separator', 'Web\u2028shop', 'Web shop'],
    ['a zero-width space', 'Web\u200bshop', 'Webshop'],
    ['a word joiner', 'Web\u2060shop', 'Webshop'],
    ['a byte order mark', 'Web\ufeffshop', 'Webshop'],
    ['a soft hyphen', 'Web\u00adshop', 'Webshop'],
    ['a Hangul filler', '\u3164', ''],
    ['an interlinear annotation', 'Web\ufff9shop', 'Webshop'],
    ['an empty Braille pattern', 'Web\u2800shop', 'Webshop'],
    ['an override of the direction', 'Web\u202eshop', 'Webshop'],
    ['an isolate', '\u2066Web\u2069 shop', 'Web shop'],
    ['a direction mark without right-to-left letters', 'Web\u200eshop\u061c', 'Webshop'],
    ['a joiner between Latin letters', 'A\u200dda', 'Ada'],
    ['a joiner after a letter with a combining mark', 'Zoe\u0308\u200dB', 'Zoe\u0308B'],
    ['a joiner before a combining mark of a Latin letter', 'Zoe\u200d\u0308', 'Zoe\u0308'],
    ['a joiner between digits', '1\u200c2', '12'],
    ['a joiner at the end', '\u0645\u06cc\u200c', '\u0645\u06cc'],
    ['two joiners in a row', '\u{1f468}\u200d\u200d\u{1f469}', '\u{1f468}\u{1f469}'],
    ['a variation selector after a Latin letter', 'A\ufe0fda', 'Ada'],
    ['a variation selector at the start', '\ufe0fAda', 'Ada'],
    ['two variation selectors in a row', '\u2764\ufe0f\ufe0f', '\u2764\ufe0f'],
    ['tag characters outside of a flag', 'Ada\u{e0041}\u{e0042}', 'Ada'],
    ['tag characters without an end', '\u{1f3f4}\u{e0067}\u{e0062}', '\u{1f3f4}'],
    ['characters that are misplaced once others are removed', 'A\ufe0f\u200d\ufe0fda', 'Ada'],
  ])('returns false for %s, which cleanName removes', (_, name, cleaned) => {
    expect(isCleanName(name)).toBe(false)
    expect(cleanName(name)).toBe(cleaned)
  })
})

describe('cleanName', () => {
  const characters =
    'a\u0301 1\u05d1\u0645\u845b\u{1f468}\u200d\u200c\ufe0f\u200e\u061c\u00ad\u202e\n\0\u{1f3f4}\u{e0067}\u{e007f}\u{e0100}\u2764'
  const unusual = fc.constantFrom(...Array.from(characters))

  it('returns a clean name and removes no visible character, for any text', () => {
    const texts = fc.oneof(
      fc.array(unusual, { maxLength: 40 }).map((parts) => parts.join('')),
      fc.string({ unit: 'binary' }),
    )
    // Unicode calls the Hangul fillers letters and the empty Braille pattern a symbol.
    const visible = /(?![\p{Default_Ignorable_Code_Point}\u2800])[\p{L}\p{N}\p{P}\p{S}]/gu
    const getVisible = (text: string) => text.match(visible) ?? []
    fc.assert(
      fc.property(texts, (text) => {
        const cleaned = cleanName(text)
        expect(isCleanName(cleaned)).toBe(true)
        expect(getVisible(cleaned)).toEqual(getVisible(text))
      }),
      { numRuns: 400 },
    )
  })

  it('takes less than a second of processor time for a long text of misplaced characters', () => {
    const start = process.cpuUsage()
    for (const part of ['\u200d', '\ufe0f', 'a\ufe0f\u200d', '\u0301\u200d', '\u{1f3f4}\u{e0067}']) {
      cleanName(`a${part.repeat(4000)}b`)
    }
    expect(process.cpuUsage(start).user / 1000).toBeLessThan(1000)
  })
})
