import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import { decodeWindow, findEncoding, type TextEncoding } from './text-window.ts'

const encode = (text: string, encoding: TextEncoding): Buffer => {
  if (encoding === 'utf-8') return Buffer.from(text)
  const bytes = Buffer.from(`\ufeff${text}`, 'utf16le')
  return encoding === 'utf-16le' ? bytes : bytes.swap16()
}
const encodings = fc.constantFrom<TextEncoding>('utf-8', 'utf-16le', 'utf-16be')
const texts = fc
  .array(fc.oneof(fc.string({ unit: 'grapheme', maxLength: 20 }), fc.constant('\n'), fc.constant('日本語🎉')), {
    maxLength: 30,
  })
  .map((parts) => parts.join('').toWellFormed())

/** Reads a text as a client does: each part begins where the one before has ended. */
function readInParts(bytes: Buffer, size: number): { text: string; to: number }[] {
  const parts: { text: string; to: number }[] = []
  const encoding = findEncoding(bytes)
  for (let from = 0; from < bytes.length;) {
    const part = bytes.subarray(from, from + size)
    const { text, skipped, end } = decodeWindow(part, encoding, from, from + part.length === bytes.length)
    if (skipped !== 0) throw new Error(`The part at ${from} does not begin with a character`)
    from += end
    parts.push({ text, to: from })
  }
  return parts
}

describe('decodeWindow', () => {
  it('returns a text without loss when each part begins where the one before has ended', () => {
    fc.assert(
      fc.property(texts, encodings, fc.integer({ min: 8, max: 60 }), (text, encoding, size) => {
        const parts = readInParts(encode(text, encoding), size)
        expect(parts.map((part) => part.text).join('')).toBe(text.replace(/^\ufeff/, ''))
      }),
    )
  })

  it('ends parts at line ends', () => {
    const parts = readInParts(encode('one\ntwo\nthree\nfour five', 'utf-16le'), 22)
    expect(parts.map(({ text }) => text)).toEqual(['one\ntwo\n', 'three\n', 'four five'])
  })

  it.each<TextEncoding>(['utf-8', 'utf-16le', 'utf-16be'])(
    'begins with a whole character wherever it is cut: %s',
    (encoding) => {
      const bytes = encode('é🎉日', encoding)
      for (let from = 1; from < bytes.length; from += 1) {
        const { text } = decodeWindow(bytes.subarray(from), encoding, from, true)
        expect('é🎉日'.endsWith(text) || text.endsWith('é🎉日')).toBe(true)
      }
    },
  )
})
