import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import { toLikePattern, formatJsonPage, parsePage } from './pagination.ts'

describe('parsePage', () => {
  it('is the first twenty where nothing is asked for', () => {
    expect(parsePage({})).toEqual({ page: 1, perPage: 20, limit: 20, offset: 0 })
  })

  it('leaves out no item and shows none twice', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 1000 }), fc.integer({ min: 1, max: 100 }), (page, per_page) => {
        const { offset, limit } = parsePage({ page, per_page })
        expect(parsePage({ page: page + 1, per_page }).offset).toBe(offset + limit)
      }),
    )
  })

  it('stays within what PostgreSQL takes for an offset, however far past the end', () => {
    const { offset } = parsePage({ page: Number.MAX_SAFE_INTEGER, per_page: 100 })
    expect(BigInt(offset)).toBeLessThan(2n ** 63n)
    expect(String(offset)).toMatch(/^\d+$/)
  })
})

describe('formatJsonPage', () => {
  it('is JSON', () => {
    const text = formatJsonPage(
      { items: '[{"a":1}]', total: 7 },
      parsePage({ page: Number.MAX_SAFE_INTEGER, per_page: 3 }),
    )
    const meta = { page: Number.MAX_SAFE_INTEGER, per_page: 3, total: 7 }
    expect(JSON.parse(text)).toEqual({ data: [{ a: 1 }], meta })
  })
})

describe('toLikePattern', () => {
  /** What LIKE does with a pattern, in its plainest form. */
  const like = (pattern: string) => {
    let source = ''
    for (let at = 0; at < pattern.length; at += 1) {
      const sign = pattern.charAt(at)
      if (sign === '%') source += '[^]*'
      else if (sign === '_') source += '[^]'
      else
        source += (sign === '\\' ? pattern.charAt((at += 1)) : sign).replaceAll(
          /[$()*+./?[\\\]^{|}-]/g,
          String.raw`\$&`,
        )
    }
    return new RegExp(`^${source}$`)
  }
  const text = fc.string({ unit: fc.constantFrom('%', '_', '\\', 'a', 'b', '.') })

  it('matches what contains the text literally, and nothing else', () => {
    fc.assert(
      fc.property(text, text, (needle, hay) => {
        expect(like(toLikePattern(needle)).test(hay)).toBe(hay.includes(needle))
      }),
    )
  })
})
