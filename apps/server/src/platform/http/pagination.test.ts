import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import { toLikePattern, formatJsonPage, parsePage } from './pagination.ts'

describe('parsePage', () => {
  it('returns the first twenty items by default', () => {
    expect(parsePage({})).toEqual({ page: 1, perPage: 20, limit: 20, offset: 0 })
  })

  it('returns adjacent ranges for adjacent pages', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 1000 }), fc.integer({ min: 1, max: 100 }), (page, per_page) => {
        const { offset, limit } = parsePage({ page, per_page })
        expect(parsePage({ page: page + 1, per_page }).offset).toBe(offset + limit)
      }),
    )
  })

  it('limits the offset to a bigint', () => {
    const { offset } = parsePage({ page: Number.MAX_SAFE_INTEGER, per_page: 100 })
    expect(BigInt(offset)).toBeLessThan(2n ** 63n)
    expect(String(offset)).toMatch(/^\d+$/)
  })
})

describe('formatJsonPage', () => {
  it('returns JSON with the items and the page', () => {
    const page = parsePage({ page: Number.MAX_SAFE_INTEGER, per_page: 3 })
    const text = formatJsonPage({ items: '[{"a":1}]', total: 7 }, page)
    const meta = { page: Number.MAX_SAFE_INTEGER, per_page: 3, total: 7 }
    expect(JSON.parse(text)).toEqual({ data: [{ a: 1 }], meta })
  })
})

describe('toLikePattern', () => {
  /** A minimal LIKE. */
  const toRegExp = (pattern: string) => {
    let source = ''
    for (let at = 0; at < pattern.length; at += 1) {
      const character = pattern.charAt(at)
      if (character === '%') source += '[^]*'
      else if (character === '_') source += '[^]'
      else
        source += (character === '\\' ? pattern.charAt((at += 1)) : character).replaceAll(
          /[$()*+./?[\\\]^{|}-]/g,
          String.raw`\$&`,
        )
    }
    return new RegExp(`^${source}$`)
  }
  const text = fc.string({ unit: fc.constantFrom('%', '_', '\\', 'a', 'b', '.') })

  it('matches exactly the texts that contain the text literally', () => {
    fc.assert(
      fc.property(text, text, (needle, hay) => {
        expect(toRegExp(toLikePattern(needle)).test(hay)).toBe(hay.includes(needle))
      }),
    )
  })
})
