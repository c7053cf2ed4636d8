import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import { hashSecret, hasInvalidChecksum, generateTokenSecret } from './secret.ts'

const kinds = fc.constantFrom('personal' as const, 'ci' as const)
const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

describe('a new secret', () => {
  it(
    'is its prefix, 43 characters of base62 and a checksum of 6',
    { tags: ['spec:authentication/issuance-lifetime-format-and-scopes-of-tokens'] },
    () => {
      expect(generateTokenSecret('personal')).toMatch(/^cwp_[0-9A-Za-z]{49}$/)
      expect(generateTokenSecret('ci')).toMatch(/^cwc_[0-9A-Za-z]{49}$/)
    },
  )

  it('is never the same', () => {
    expect(new Set(Array.from({ length: 1000 }, () => generateTokenSecret('ci'))).size).toBe(1000)
  })

  it('uses all of its range: every character of base62 turns up in the last places of the body', () => {
    const seen = new Set(Array.from({ length: 2000 }, () => generateTokenSecret('ci').at(-7)))
    expect(seen).toEqual(new Set(ALPHABET))
  })

  it('is not mistyped', () => {
    fc.assert(fc.property(kinds, (kind) => !hasInvalidChecksum(generateTokenSecret(kind))))
  })
})

describe('isMistyped', () => {
  it('notices any one wrong character', () => {
    fc.assert(
      fc.property(kinds, fc.nat(48), fc.constantFrom(...ALPHABET.split('')), (kind, place, wrong) => {
        const secret = generateTokenSecret(kind)
        const at = secret.length - 1 - place
        fc.pre(secret[at] !== wrong)
        expect(hasInvalidChecksum(secret.slice(0, at) + wrong + secret.slice(at + 1))).toBe(true)
      }),
    )
  })

  it('notices two neighbours that have changed places', () => {
    fc.assert(
      fc.property(kinds, fc.integer({ min: 5, max: 51 }), (kind, at) => {
        const secret = generateTokenSecret(kind)
        const [one, other] = [secret.charAt(at), secret.charAt(at + 1)]
        fc.pre(one !== other)
        expect(hasInvalidChecksum(secret.slice(0, at) + other + one + secret.slice(at + 2))).toBe(true)
      }),
    )
  })

  it('notices the prefix of the other kind', () => {
    expect(hasInvalidChecksum(generateTokenSecret('ci').replace('cwc_', 'cwp_'))).toBe(true)
  })

  it('says nothing of text in any other form', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        fc.pre(!/^cwp_|^cwc_/.test(text))
        expect(hasInvalidChecksum(text)).toBe(false)
      }),
    )
  })
})

describe('hashSecret', () => {
  it('is SHA-256', () => {
    expect(hashSecret('abc').toString('hex')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad')
  })
})
