import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import { getAutomationKeyCandidates } from './automation-keys.ts'
import { normalizeKey } from './normalize-key.ts'

const makeTest = (fields: Partial<Parameters<typeof getAutomationKeyCandidates>[0]> = {}) => ({
  suite: '',
  name: 'adds up',
  file: '',
  ...fields,
})

describe('getAutomationKeyCandidates', () => {
  it('returns suite and name, then class and name, then file and name', () => {
    const test = makeTest({ suite: 'Shop > CartTest', classname: 'CartTest', file: 'test/cart.py' })
    expect(getAutomationKeyCandidates(test)).toEqual({
      full: ['Shop CartTest adds up', 'CartTest adds up', 'test cart py adds up'],
      name: 'adds up',
    })
  })

  it('returns a key only once', () => {
    const test = makeTest({ suite: 'com.shop.Cart', classname: 'com.shop.Cart', file: 'com/shop/Cart' })
    expect(getAutomationKeyCandidates(test).full).toEqual(['com shop Cart adds up'])
  })

  it.each([[''], [' '], ['...']])('returns no full key for the suite %j, which would be the name alone', (suite) => {
    expect(getAutomationKeyCandidates(makeTest({ suite }))).toEqual({ full: [], name: 'adds up' })
  })

  it('returns the suite as full key of a test without a name', () => {
    expect(getAutomationKeyCandidates(makeTest({ suite: 'Cart', name: '' }))).toEqual({ full: ['Cart'], name: '' })
  })

  it('returns normalized keys: those of suite and name joined by any separator', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), fc.constantFrom('.', ' > ', ' › ', '/', '::'), (suite, name, separator) => {
        fc.pre(normalizeKey(suite) !== '')
        expect(getAutomationKeyCandidates(makeTest({ suite, name })).full).toEqual([
          normalizeKey(suite + separator + name),
        ])
      }),
    )
  })
})
