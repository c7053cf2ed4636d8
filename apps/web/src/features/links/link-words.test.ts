import { describe, expect, it } from 'vitest'

import { findAddressFault } from './link-words.ts'

describe('findAddressFault', () => {
  it.each(['https://acme.test', 'HTTP://acme.test/a b'])('accepts %s', (address) => {
    expect(findAddressFault(address)).toBeNull()
  })

  it.each(['', 'acme.test/SHOP-41', 'SHOP-41', 'javascript:alert(1)', 'https://'])(
    'asks for an address instead of %j',
    (text) => {
      expect(findAddressFault(text)).toMatch(/address/)
    },
  )
})
