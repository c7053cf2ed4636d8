import { describe, expect, it } from 'vitest'

import { formatVariant, getTitleKey, getTitles, splitVariant } from './test-identity.ts'

describe('getTitleKey', () => {
  it.each<[string, string, string, string]>([
    ['a reporter', 'test/cart.test.js', 'Cart > adds up', 'test/cart.test.js'],
    ['jest-junit', 'Cart adds up', 'Cart adds up', ''],
    ['jest-junit with a space at the start', ' Cart adds up', ' Cart adds up', ''],
    ['jest-junit with the outer titles as class', 'Cart', 'Cart adds up', ''],
    ['mocha-junit-reporter', 'adds up', 'Cart adds up', '/home/ci/project/test/cart.test.js'],
    ["Mocha's xunit", 'Cart', 'adds up', '/home/ci/project/test/cart.test.js'],
    ['node:test', 'Cart > test', 'adds up', ''],
    ['Playwright', 'test/cart.spec.ts', 'Cart › adds up', ''],
    ['Vitest', 'test/cart.test.ts', 'Cart > adds up', ''],
    ['a suite that is the file with outer directories', 'cart.test.js > Cart', 'adds up', 'test/cart.test.js'],
    ['a path of Windows', String.raw`test\cart.test.js`, 'Cart > adds up', 'test/cart.test.js'],
    ['a file with an unknown extension', 'test/cart.spec', 'Cart > adds up', './test/cart.spec'],
  ])('returns the same titles for %s', (_tool, suite, name, file) => {
    expect(getTitleKey({ suite, name, file })).toBe('Cart adds up')
  })

  it.each<[string, string, string, string, string]>([
    ['the class', 'com.shop.CartTest', 'addsUp', '', 'com shop CartTest addsUp'],
    ['a class named like the extension of a file', 'com.shop.Swift', 'starts', '', 'com shop Swift starts'],
    ['a block about another file', 'cart.js', 'adds up', 'test/cart.test.js', 'cart js adds up'],
    ['a class whose last word the name begins with', 'Shop Cart', 'Cart adds up', '', 'Shop Cart Cart adds up'],
    ['a block that only begins like the name', 'Car', 'Cart adds up', '', 'Car Cart adds up'],
    ['only the suite of a test without a name', 'Cart', '', '', 'Cart'],
  ])('keeps %s', (_what, suite, name, file, titleKey) => {
    expect(getTitleKey({ suite, name, file })).toBe(titleKey)
  })
})

describe('getTitles', () => {
  it.each<[string, string, string, string]>([
    ['a reporter', 'test/cart.test.js', 'Cart > has //a', 'test/cart.test.js'],
    ['jest-junit', 'Cart has //a', 'Cart has //a', ''],
    ['node:test', 'Cart > test', 'has //a', ''],
    ['Playwright', 'test/cart.spec.ts', 'Cart › has //a', ''],
    ['mocha-junit-reporter', 'has //a', 'Cart has //a', ''],
  ])('returns the same titles as written for %s', (_tool, suite, name, file) => {
    expect(getTitles({ suite, name, file })).toBe('Cart has //a')
  })
})

describe('splitVariant', () => {
  it.each([
    ['', '', 1],
    ['chrome', 'chrome', 1],
    ['#2', '', 2],
    ['chrome #12', 'chrome', 12],
    ['C#', 'C#', 1],
  ])('divides "%s"', (variant, base, number) => {
    expect(splitVariant(variant)).toEqual({ base, number })
    expect(formatVariant(base, number)).toBe(variant)
  })
})
