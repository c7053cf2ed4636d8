import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import { hashSecret, hasInvalidChecksum, generateTokenSecret } from './secret.ts'

const kinds = fc.constantFrom('personal' as const, 'ci' as const)
const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

describe('generateTokenSecret', () => {
  it(
    'returns a prefix, 43 characters of base62 and a checksum of 6 characters',
    { tags: ['spec:authentication/issuance-lifetime-format-and-scopes-of-tokens'] },
    () => {
      expect(generateTokenSecret('personal')).toMatch(/^cwp_[0-9A-Za-z]{49}$/)
      expect(generateTokenSecret('ci')).toMatch(/^cwc_[0-9A-Za-z]{49}$/)
    },
  )

  it('returns a different token each time', () => {
    expect(new Set(Array.from({ length: 1000 }, () => generateTokenSecret('ci'))).size).toBe(1000)
  })

  it('uses every character of base62', () => {
    const seen = new Set(Array.from({ length: 2000 }, () => generateTokenSecret('ci').at(-7)))
    expect(seen).toEqual(new Set(ALPHABET))
  })

  it('returns a token with a valid checksum', () => {
    fc.assert(fc.property(kinds, (kind) => !hasInvalidChecksum(generateTokenSecret(kind))))
  })
})

describe('hasInvalidChecksum', () => {
  it('returns true for any single wrong character', () => {
    fc.assert(
      fc.property(kinds, fc.nat(48), fc.constantFrom(...ALPHABET.split('')), (kind, place, character) => {
        const secret = generateTokenSecret(kind)
        const at = secret.length - 1 - place
        fc.pre(secret[at] !== character)
        expect(hasInvalidChecksum(secret.slice(0, at) + character + secret.slice(at + 1))).toBe(true)
      }),
    )
  })

  it('returns true for two swapped neighboring characters', () => {
    fc.assert(
      fc.property(kinds, fc.integer({ min: 5, max: 51 }), (kind, at) => {
        const secret = generateTokenSecret(kind)
        const [first, second] = [secret.charAt(at), secret.charAt(at + 1)]
        fc.pre(first !== second)
        expect(hasInvalidChecksum(secret.slice(0, at) + second + first + secret.slice(at + 2))).toBe(true)
      }),
    )
  })

  it('returns true for a token with the prefix of the other kind', () => {
    expect(hasInvalidChecksum(generateTokenSecret('ci').replace('cwc_', 'cwp_'))).toBe(true)
  })

  it('returns false for text in any other format', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        fc.pre(!/^cwp_|^cwc_/.test(text))
        expect(hasInvalidChecksum(text)).toBe(false)
      }),
    )
  })
})

describe('hashSecret', () => {
  it('returns the SHA-256 hash', () => {
    expect(hashSecret('abc').toString('hex')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad')
  })
})
