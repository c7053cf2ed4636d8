import { describe, expect, it } from 'vitest'

import { formatPath, splitPath } from './split-path.ts'

describe('splitPath', () => {
  it('finds the folder, the file, the blocks and the title', () => {
    const test = { suite: 'src/checkout.spec.ts', name: 'Checkout > card > pays', file: 'src/checkout.spec.ts' }
    expect(splitPath(test)).toEqual({
      folder: 'src/',
      parents: ['checkout.spec.ts', 'Checkout', 'card'],
      title: 'pays',
    })
    expect(formatPath(test)).toBe('src/checkout.spec.ts › Checkout › card › pays')
  })

  it('keeps the name of a test in a class as it is', () => {
    const test = { suite: 'com.shop.CheckoutTest', name: 'a > b', file: 'CheckoutTest.java' }
    expect(splitPath(test)).toEqual({ folder: '', parents: ['com.shop.CheckoutTest'], title: 'a > b' })
  })

  it('uses the file if there is no suite, and the name alone if there is neither', () => {
    expect(formatPath({ suite: '', name: 'pays', file: 'a.test.ts' })).toBe('a.test.ts › pays')
    expect(formatPath({ suite: '', name: 'a > b', file: '' })).toBe('a > b')
  })
})
