import { describe, expect, it } from 'vitest'

import { decodeText } from './decode-text.ts'

const toUtf16 = (text: string, isLittleEndian: boolean): Uint8Array => {
  const view = new DataView(new ArrayBuffer(text.length * 2))
  for (let index = 0; index < text.length; index += 1) view.setUint16(index * 2, text.charCodeAt(index), isLittleEndian)
  return new Uint8Array(view.buffer)
}
const utf8 = (text: string) => new TextEncoder().encode(text)
const ascii = 'title,folder\nPays by card,Checkout\n'
const bytes = (...values: (string | number[])[]) =>
  Uint8Array.from(values.flatMap((value) => (typeof value === 'string' ? [...utf8(value)] : value)))

describe('decodeText', () => {
  it.each([
    ['ASCII', utf8(ascii), 'utf-8', ascii],
    ['UTF-8', utf8('Straße, 价格, 😀'), 'utf-8', 'Straße, 价格, 😀'],
    ['UTF-8 with a byte order mark', utf8('\uFEFFtitle'), 'utf-8', 'title'],
    ['UTF-16 with a byte order mark', toUtf16('\uFEFFTitle;Größe', true), 'utf-16le', 'Title;Größe'],
    ['big-endian UTF-16 with a byte order mark', toUtf16('\uFEFFTitle;Größe', false), 'utf-16be', 'Title;Größe'],
    ['UTF-16 without a mark', toUtf16(ascii, true), 'utf-16le', ascii],
    ['big-endian UTF-16 without a mark', toUtf16(ascii, false), 'utf-16be', ascii],
    ['an empty file', new Uint8Array(), 'utf-8', ''],
  ])('recognizes %s with certainty', (_, given, encoding, text) => {
    expect(decodeText(given)).toEqual({ text, encoding, isCertain: true })
  })

  it.each([
    [
      'Western European',
      bytes('Stra', [0xdf], 'e, caf', [0xe9], ', Gr', [0xf6, 0xdf], 'e'),
      'windows-1252',
      'Straße, café, Größe',
    ],
    [
      'Cyrillic',
      bytes([0xcf, 0xf0, 0xe8, 0xe2, 0xe5, 0xf2], ', ', [0xec, 0xe8, 0xf0, 0x21, 0xe7, 0xe0, 0xe3]),
      'windows-1251',
      'Привет, мир!заг',
    ],
    [
      'Chinese',
      bytes('title\n', [0xbc, 0xdb, 0xb8, 0xf1], ',', [0xd6, 0xd0, 0xb9, 0xfa]),
      'gb18030',
      'title\n价格,中国',
    ],
  ])('guesses %s text and says that it is a guess', (_, given, encoding, text) => {
    expect(decodeText(given)).toEqual({ text, encoding, isCertain: false })
  })

  it('decodes the characters of Windows-1252 that Latin-1 does not have', () => {
    const given = bytes('5 ', [0x80], ', ', [0x93], 'caf', [0xe9, 0x94], ' ', [0x96], ' ', [0x85])
    const text = '5 €, “café” – …'
    expect(decodeText(given)).toEqual({ text, encoding: 'windows-1252', isCertain: false })
    expect(decodeText(given, 'windows-1252').text).toBe(text)
  })

  it('decodes with the encoding that the user has chosen', () => {
    const given = bytes('caf', [0xe8])
    expect(decodeText(given, 'windows-1250').text).toBe('cafč')
    expect(decodeText(given, 'utf-8').text).toBe('caf\uFFFD')
  })
})
