import { describe, expect, it } from 'vitest'

import { chooseAutomationKeys, getCaseIdentity, splitIntoTitles } from './cases-for-tests.ts'

const makeTest = (name: string, suite = '', file = '') => ({ name, suite, file })

describe('splitIntoTitles', () => {
  it('keeps beginning and end of a title that is too long, and returns the whole title as precondition', () => {
    const titles = ['EUR', 'USD'].map((currency) => `${'converts an order with many lines '.repeat(20)}[${currency}]`)
    const parts = titles.map((name) => splitIntoTitles(makeTest(name)))
    expect(parts.map(({ precondition }) => precondition)).toEqual(titles)
    for (const { title } of parts) {
      expect(title).toMatch(/^converts an order.*….*\[(?:EUR|USD)\]$/)
      expect(title.length).toBeLessThanOrEqual(255)
    }
    expect(parts[0]?.title).not.toBe(parts[1]?.title)
  })

  it('never cuts a character in two', () => {
    const { title } = splitIntoTitles(makeTest('🐞'.repeat(300)))
    expect(Array.from(title)).toHaveLength(255)
    expect(title).not.toMatch(/\p{Surrogate}/u)
  })

  it('returns no precondition for a title that fits', () => {
    expect(splitIntoTitles(makeTest('Cart > adds up', 'src/a.test.ts', 'src/a.test.ts'))).toEqual({
      title: 'adds up',
      path: ['src/a.test.ts', 'Cart'],
    })
  })
})

describe('chooseAutomationKeys', () => {
  it('returns suite and name, or file and name, and the name alone only if neither is known', () => {
    const tests = [makeTest('pays', 'Cart'), makeTest('pays', '', 'a.js'), makeTest('pays')]
    expect(chooseAutomationKeys(tests, new Set())).toEqual([['Cart > pays'], ['a.js > pays'], ['pays']])
  })

  it('leaves out keys that others have', () => {
    expect(chooseAutomationKeys([makeTest('a//b'), makeTest('a/b'), makeTest('c')], new Set(['c']))).toEqual([
      ['a//b'],
      [],
      [],
    ])
  })
})

describe('getCaseIdentity', () => {
  it('differs for titles that differ only in separators, and not for variants and modules', () => {
    expect(getCaseIdentity(makeTest('a//b'))).not.toBe(getCaseIdentity(makeTest('a/b')))
    const variant = { ...makeTest('a', 'Cart'), variant: 'chrome', module: 'orders' }
    expect(getCaseIdentity(variant)).toBe(getCaseIdentity(makeTest('a', 'Cart')))
  })
})
