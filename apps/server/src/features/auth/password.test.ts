import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import { hashPassword, verifyPassword } from './password.ts'

describe('a password', () => {
  it('is verified by its hash and no other is', async () => {
    const hash = await hashPassword('correct horse')
    expect(await verifyPassword('correct horse', hash)).toBe(true)
    for (const wrong of ['Correct horse', 'correct horse ', '']) expect(await verifyPassword(wrong, hash)).toBe(false)
  })

  it('is hashed by argon2id, at 19 MiB or more, with a salt of its own', async () => {
    const hashes = [await hashPassword('same'), await hashPassword('same')]
    for (const hash of hashes) expect(hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
    expect(hashes[0]).not.toBe(hashes[1])
  })

  it('may be any text', async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: 'grapheme', maxLength: 1024 }), async (text) => {
        expect(await verifyPassword(text, await hashPassword(text))).toBe(true)
      }),
      { numRuns: 20 },
    )
  })

  it('is the same however its letters are composed', async () => {
    expect(await verifyPassword('Zo\u0065\u0301', await hashPassword('Zo\u00e9'))).toBe(true)
  })

  it('is wrong where there is no hash, and takes as long to be so', async () => {
    const hash = await hashPassword('correct horse')
    const measureMilliseconds = async (stored: string | null) => {
      const start = performance.now()
      for (let call = 0; call < 10; call += 1) await verifyPassword('wrong', stored)
      return performance.now() - start
    }
    expect(await verifyPassword('nobody’s', null)).toBe(false)
    const [nobody, somebody] = [await measureMilliseconds(null), await measureMilliseconds(hash)]
    expect(nobody).toBeGreaterThan(somebody / 4)
  })
})
