import { afterEach, describe, expect, it, vi } from 'vitest'

import { findTimeStep, formatOtpauthUri, formatTotpSecret, generateTotpSecret } from './totp.ts'

/** The secret and the codes of RFC 6238, appendix B, with six digits. */
const secret = Buffer.from('12345678901234567890')

afterEach(() => vi.useRealTimers())

describe('findTimeStep', () => {
  it.each([
    [59, '287082'],
    [1_111_111_109, '081804'],
    [20_000_000_000, '353130'],
  ])('accepts the code of RFC 6238 at %s seconds', (seconds, code) => {
    vi.useFakeTimers({ now: seconds * 1000 })
    expect(findTimeStep(secret, code, null)).toBe(Math.floor(seconds / 30))
  })

  it.each([
    [-60, null],
    [-30, 1],
    [0, 1],
    [30, 1],
    [60, null],
  ])('at %s seconds after the step of a code returns %s', (seconds, step) => {
    vi.useFakeTimers({ now: (59 + seconds) * 1000 })
    expect(findTimeStep(secret, '287082', null)).toBe(step)
  })

  it('accepts no code that is not newer than the last one', () => {
    vi.useFakeTimers({ now: 59_000 })
    expect([0, 1, 2].map((lastStep) => findTimeStep(secret, '287082', lastStep))).toEqual([1, null, null])
  })

  it.each(['', '28708', '2870822', 'abcdef', '２８７０８２'])('rejects %j', (code) => {
    vi.useFakeTimers({ now: 59_000 })
    expect(findTimeStep(secret, code, null)).toBeNull()
  })
})

describe('the URI for authenticator apps', () => {
  it('names the service, the account and the secret', () => {
    const uri = new URL(formatOtpauthUri(secret, 'ada@example.com'))
    expect(decodeURIComponent(uri.pathname)).toContain('Caseward:ada@example.com')
    expect(Object.fromEntries(uri.searchParams)).toMatchObject({
      issuer: 'Caseward',
      secret: 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ',
      digits: '6',
      period: '30',
    })
  })
})

it('a new secret has 160 random bits', () => {
  expect(formatTotpSecret(generateTotpSecret())).toMatch(/^[A-Z2-7]{32}$/)
  expect(formatTotpSecret(generateTotpSecret())).not.toBe(formatTotpSecret(generateTotpSecret()))
})
