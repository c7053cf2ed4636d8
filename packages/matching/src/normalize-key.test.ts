import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import { normalizeKey } from './normalize-key.ts'

describe('normalizeKey', () => {
  it.each([
    ['Cart > adds up'],
    ['Cart › adds up'],
    ['Cart » adds up'],
    ['Cart.adds up'],
    ['Cart::adds/up'],
    [String.raw`  Cart\adds${'\t'}up `],
    ['Cart\n\u00a0adds  up.'],
  ])('returns the same key for %j', (text) => {
    expect(normalizeKey(text)).toBe('Cart adds up')
  })

  it.each([['Cart-adds_up'], ['Cart, adds up!'], ['cart adds up'], ['(Cart) #1 [adds] up']])(
    'keeps case and all other characters of %j',
    (text) => {
      expect(normalizeKey(text)).toBe(text)
    },
  )

  it('returns the same key for composed and decomposed characters', () => {
    expect(normalizeKey('Kassenpru\u0308fung')).toBe('Kassenpr\u00fcfung')
  })

  it('returns an empty key for separators only', () => {
    expect(normalizeKey(' ./ > ')).toBe('')
  })

  const anyText = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.string({ unit: fc.constantFrom(...Array.from(' .>/\\\n\u0338\u0301aé')) }),
  )
  const separators = fc.string({ unit: fc.constantFrom(...Array.from(' .>›»:/\\\t\n')), minLength: 1 })
  const titles = fc.array(fc.stringMatching(/^[A-Za-zé0-9-]{1,8}$/), { minLength: 1, maxLength: 6 })

  it('does not change a key', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const key = normalizeKey(text)
        expect(normalizeKey(key)).toBe(key)
      }),
    )
  })

  it('returns the same key whatever separates the titles', () => {
    fc.assert(
      fc.property(titles, separators, separators, (parts, one, other) => {
        expect(normalizeKey(one + parts.join(one))).toBe(normalizeKey(parts.join(other) + other))
      }),
    )
  })
})
