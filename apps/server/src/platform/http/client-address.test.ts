import { describe, expect, it } from 'vitest'

import { getClientKey } from './client-address.ts'

describe('getClientKey', () => {
  it.each([
    ['198.51.100.7', '198.51.100.7'],
    ['::ffff:198.51.100.7', '198.51.100.7'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:DB8:0001:2:ffff::1', '2001:db8:1:2::/64'],
    ['2001:db8:1::', '2001:db8:1:0::/64'],
    ['2001:db8::1:2:3', '2001:db8:0:0::/64'],
    ['::1', '0:0:0:0::/64'],
    ['64:ff9b::192.0.2.33', '64:ff9b:0:0::/64'],
    ['fe80::1%eth0', 'fe80:0:0:0::/64'],
  ])('returns for the address %s the key %s', (address, key) => {
    expect(getClientKey(address)).toBe(key)
  })
})
