import { describe, expect, it } from 'vitest'

import { parseRange } from './parse-range.ts'

describe('parseRange of a content with 10 bytes', () => {
  it.each([
    [undefined, null],
    ['lines=1-2', null],
    ['bytes=0-3', { start: 0, end: 3 }],
    ['bytes=9-9', { start: 9, end: 9 }],
    ['bytes=4-', { start: 4, end: 9 }],
    ['bytes=4-99', { start: 4, end: 9 }],
    ['bytes=-3', { start: 7, end: 9 }],
    ['bytes=-99', { start: 0, end: 9 }],
    ['bytes=10-', 'unsatisfiable'],
    ['bytes=-0', 'unsatisfiable'],
    ['bytes=5-4', 'unsatisfiable'],
    ['bytes=-', 'unsatisfiable'],
    ['bytes=0-1,3-4', 'unsatisfiable'],
    ['bytes=a-b', 'unsatisfiable'],
    [`bytes=${'0-1,'.repeat(10_000)}`, 'unsatisfiable'],
    ['bytes=0-99999999999999999999', 'unsatisfiable'],
  ])('is, for %j, %j', (header, expected) => {
    expect(parseRange(header?.slice(0, 50_000), 10)).toEqual(expected)
  })

  it('has no range of an empty content', () => {
    expect(parseRange('bytes=0-', 0)).toBe('unsatisfiable')
    expect(parseRange(undefined, 0)).toBeNull()
  })
})
