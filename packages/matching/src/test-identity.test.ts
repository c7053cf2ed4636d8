import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import { getTitleKey, resolveTests, type TestIdentity } from './test-identity.ts'

interface KnownTest extends TestIdentity {
  readonly id: string
}

const makeTest = (file = '', variant = '', titleKey = 'Cart adds up'): TestIdentity => ({ titleKey, file, variant })
const makeKnown = (id: string, ...fields: Parameters<typeof makeTest>): KnownTest => ({ id, ...makeTest(...fields) })
const resolveIds = (tests: readonly TestIdentity[], known: readonly KnownTest[]) =>
  resolveTests(tests, known).map((found) => found?.id ?? null)

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

describe('resolveTests', () => {
  it.each<[string, TestIdentity]>([
    ['the same file and variant', makeTest('src/cart.test.ts', 'chrome')],
    ['no file', makeTest('', 'chrome')],
    ['no variant', makeTest('src/cart.test.ts')],
    ['neither', makeTest()],
    ['a file that begins further out', makeTest('packages/shop/src/cart.test.ts', 'chrome')],
    ['a file that begins further in', makeTest('cart.test.ts', 'chrome')],
    ['a leading ./', makeTest('./src/cart.test.ts', 'chrome')],
    ['backslashes', makeTest(String.raw`src\cart.test.ts`, 'chrome')],
  ])('finds a known test for a test with %s', (_what, test) => {
    expect(resolveIds([test], [makeKnown('a', 'src/cart.test.ts', 'chrome')])).toEqual(['a'])
  })

  it.each<[string, TestIdentity]>([
    ['other titles', makeTest('src/cart.test.ts', 'chrome', 'Cart is empty')],
    ['another file', makeTest('src/shop.test.ts', 'chrome')],
    ['a file whose name only ends the same', makeTest('src/shopping-cart.test.ts', 'chrome')],
    ['a file of the same name elsewhere', makeTest('test/cart.test.ts', 'chrome')],
    ['another variant', makeTest('src/cart.test.ts', 'firefox')],
  ])('finds none for a test with %s', (_what, test) => {
    expect(resolveIds([test], [makeKnown('a', 'src/cart.test.ts', 'chrome')])).toEqual([null])
  })

  it('prefers the same variant where the path begins further out', () => {
    const known = [makeKnown('first', 'src/cart.test.ts'), makeKnown('second', 'src/cart.test.ts', '#2')]
    expect(resolveIds([makeTest('/ci/src/cart.test.ts')], known)).toEqual(['first'])
    expect(resolveIds([makeTest('/ci/src/cart.test.ts', '#2')], known)).toEqual(['second'])
  })

  it('finds none when several known tests fit', () => {
    const known = [makeKnown('a', 'a.test.ts'), makeKnown('b', 'b.test.ts')]
    expect(resolveIds([makeTest()], known)).toEqual([null])
  })

  it('finds none when several tests of the upload fit the known test', () => {
    expect(resolveIds([makeTest('a.test.ts'), makeTest('b.test.ts')], [makeKnown('a')])).toEqual([null, null])
  })

  it('prefers the exact match to one that fits, whatever their order', () => {
    const tests = [makeTest('', 'chrome'), makeTest('a.test.ts', 'chrome')]
    const known = [makeKnown('a', 'a.test.ts', 'chrome')]
    expect(resolveIds(tests, known)).toEqual([null, 'a'])
    expect(resolveIds([...tests].reverse(), known)).toEqual(['a', null])
  })

  it('recognizes the same titles in 300 files whose paths begin further out than before', () => {
    const known = Array.from({ length: 300 }, (_, i) => makeKnown(`${i}`, `src/component-${i}.test.ts`))
    const tests = known.map(({ file }) => makeTest(`packages/web/${file}`))
    expect(resolveIds(tests, known)).toEqual(known.map(({ id }) => id))
  })

  it('takes the tests as new when too many with the same titles would have to be compared', () => {
    const known = Array.from({ length: 1000 }, (_, i) => makeKnown(`${i}`, '', `${i}`))
    const tests = known.map(({ variant }) => makeTest('a.test.ts', variant))
    expect(new Set(resolveIds(tests, known))).toEqual(new Set([null]))
  })
})

describe('resolveTests, for any tests', () => {
  const identity = fc.record({
    titleKey: fc.constantFrom('adds', 'removes'),
    file: fc.constantFrom('', 'a.ts', 'src/a.ts', 'x/src/a.ts', 'b.ts', 'y/b.ts'),
    variant: fc.constantFrom('', 'chrome', 'firefox'),
  })
  const toPlace = ({ titleKey, file, variant }: TestIdentity) => `${titleKey}|${file}|${variant}`
  const identities = fc.uniqueArray(identity, { selector: toPlace, maxLength: 20 })
  const knownTests = identities.map((tests) => tests.map((test, index) => ({ ...test, id: `${index}` })))

  it('finds the same in any order of the tests and of the known tests', () => {
    const shuffled = fc
      .tuple(identities, knownTests)
      .chain(([tests, known]) =>
        fc.tuple(
          fc.constant({ tests, known }),
          fc.shuffledSubarray(tests, { minLength: tests.length }),
          fc.shuffledSubarray(known, { minLength: known.length }),
        ),
      )
    fc.assert(
      fc.property(shuffled, ([{ tests, known }, otherTests, otherKnown]) => {
        const found = new Map(resolveTests(tests, known).map((test, index) => [tests[index], test]))
        expect(resolveTests(otherTests, otherKnown)).toEqual(otherTests.map((test) => found.get(test)))
      }),
    )
  })

  it('finds every test again in a second upload of the same tests', () => {
    fc.assert(
      fc.property(knownTests, (known) => {
        expect(resolveTests(known, known)).toEqual(known)
      }),
    )
  })

  it('never finds the same known test for two tests', () => {
    fc.assert(
      fc.property(identities, knownTests, (tests, known) => {
        const found = resolveTests(tests, known).filter((test) => test !== null)
        expect(new Set(found).size).toBe(found.length)
      }),
    )
  })

  it('finds a test again after one side has learned its file or its variant', () => {
    fc.assert(
      fc.property(identity, fc.boolean(), fc.boolean(), (test, forgetsFile, forgetsVariant) => {
        const less = { ...test, file: forgetsFile ? '' : test.file, variant: forgetsVariant ? '' : test.variant }
        expect(resolveTests([test], [less])).toEqual([less])
        expect(resolveTests([less], [test])).toEqual([test])
      }),
    )
  })
})
