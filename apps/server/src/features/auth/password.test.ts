import { measureCpuTime } from '@caseward/test-support/cpu-time'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import { hashPassword, verifyPassword } from './password.ts'

describe('hashPassword', () => {
  it('uses argon2id with at least 19 MiB and a random salt', async () => {
    const hashes = [await hashPassword('same'), await hashPassword('same')]
    for (const hash of hashes) expect(hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
    expect(hashes[0]).not.toBe(hashes[1])
  })
})

describe('verifyPassword', () => {
  it('returns true for the hashed password and false for any other', async () => {
    const hash = await hashPassword('correct horse')
    expect(await verifyPassword('correct horse', hash)).toBe(true)
    for (const wrong of ['Correct horse', 'correct horse ', '']) expect(await verifyPassword(wrong, hash)).toBe(false)
  })

  it('accepts any text as a password', async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: 'grapheme', maxLength: 1024 }), async (text) => {
        expect(await verifyPassword(text, await hashPassword(text))).toBe(true)
      }),
      { numRuns: 20 },
    )
  })

  it('returns true when the same letters are composed of different code points', async () => {
    expect(await verifyPassword('Zo\u0065\u0301', await hashPassword('Zo\u00e9'))).toBe(true)
  })

  it('returns false when there is no hash, and takes as long as with one', async () => {
    const hash = await hashPassword('correct horse')
    const measureVerifying = (stored: string | null) =>
      measureCpuTime(async () => {
        for (let call = 0; call < 10; call += 1) await verifyPassword('wrong', stored)
      })
    expect(await verifyPassword('any password', null)).toBe(false)
    const [withoutHash, withHash] = [await measureVerifying(null), await measureVerifying(hash)]
    expect(withoutHash).toBeGreaterThan(withHash / 4)
  })
})
