import { describe, expect, it } from 'vitest'

import { toFreeKey, toKey } from './to-key.ts'

describe('toKey', () => {
  it.each([
    ['Chrome', 'chrome'],
    ['Windows 11 (ARM)', 'windows_11_arm'],
    ['Öffentlich', 'o_ffentlich'],
    ['11 Pro', 'pro'],
    ['漢字', 'c'],
    [`a${'b'.repeat(60)}`, `a${'b'.repeat(39)}`],
  ])('makes a key of %j', (name, key) => {
    expect(toKey(name)).toBe(key)
  })

  it('is different from the keys in use', () => {
    expect(toFreeKey('Chrome', ['chrome', 'chrome_2'])).toBe('chrome_3')
  })
})
