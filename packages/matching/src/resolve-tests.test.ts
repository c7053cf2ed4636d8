import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import { createTitleGroup, getPlace, resolveTests } from './resolve-tests.ts'
import type { TestIdentity } from './test-identity.ts'

interface KnownTest extends TestIdentity {
  readonly id: string
}

const makeTest = (file = '', variant = '', titleKey = 'Cart adds up'): TestIdentity => ({ titleKey, file, variant })
const makeKnown = (id: string, ...fields: Parameters<typeof makeTest>): KnownTest => ({ id, ...makeTest(...fields) })
const resolveIds = (tests: readonly TestIdentity[], known: readonly KnownTest[]) =>
  resolveTests(tests, known).map((found) => found?.id ?? null)

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

describe('resolveTests, for titles with the same key', () => {
  const written = (titles: string, fields: Partial<TestIdentity> = {}): TestIdentity => ({
    ...makeTest('a.ts', '', 'has a test'),
    titles,
    ...fields,
  })
  const known = (id: string, titles: string, fields: Partial<TestIdentity> = {}) => ({ id, ...written(titles, fields) })

  it('finds tests by their titles as written, whichever of them are there', () => {
    const stored = [known('1', 'has //a.test'), known('2', 'has ///a.test'), known('3', 'has /a.test')]
    expect(resolveIds([written('has ///a.test'), written('has /a.test')], stored)).toEqual(['2', '3'])
    expect(resolveIds([written('has a.test')], stored)).toEqual([null])
  })

  it('bridges titles that another tool wrote if each side has one way to write them', () => {
    expect(resolveIds([written('has.a test')], [known('1', 'has a test')])).toEqual(['1'])
    const rows = [written('has.a test'), written('has.a test', { variant: '#2' })]
    expect(resolveIds(rows, [known('1', 'has a test'), known('2', 'has a test', { variant: '#2' })])).toEqual([
      '1',
      '2',
    ])
  })

  it('bridges titles that differ in white space, among others', () => {
    const stored = [known('1', 'has /\ta'), known('2', 'has //a')]
    expect(resolveIds([written('has / a'), written('has //a')], stored)).toEqual(['1', '2'])
  })

  it('recognizes rows by their position where an earlier version numbered others between them', () => {
    const stored = [known('1', 'a'), known('x', 'a.', { variant: '#2' }), known('2', 'a', { variant: '#3' })]
    const rows = [written('a'), written('a', { variant: '#2' }), written('a.')]
    expect(resolveIds(rows, stored)).toEqual(['1', '2', 'x'])
  })
})

describe('resolveTests, for modules', () => {
  const inModule = (module: string, file = '') => ({ ...makeTest(file), module })

  it.each([
    ['the same module', inModule('cart'), inModule('cart'), true],
    ['an unknown module', inModule(''), inModule('cart'), true],
    ['another module', inModule('pay'), inModule('cart'), false],
    ['another module with the same file inside', inModule('pay', 'a.ts'), inModule('cart', 'a.ts'), false],
    ['another module with the same file of the repository', inModule('.', 'cart/a.ts'), inModule('cart', 'a.ts'), true],
    ['another module without its file', inModule('pay'), inModule('cart', 'cart/a.ts'), false],
  ])('compares tests with %s', (_what, test, stored, isSame) => {
    expect(resolveIds([test], [{ id: 'a', ...stored }])).toEqual([isSame ? 'a' : null])
  })

  it('gives a known test without a module to the first by name, whatever their order', () => {
    const tests = [inModule('pay'), inModule('cart')]
    expect(resolveIds(tests, [makeKnown('a')])).toEqual([null, 'a'])
    expect(resolveIds([...tests].reverse(), [makeKnown('a')])).toEqual(['a', null])
  })
})

describe('createTitleGroup', () => {
  it('leaves a title in several suites without files to hints about where their other tests are', () => {
    const tests = ['x', 'y'].map((reportSuite) => ({ ...makeTest(), reportSuite }))
    const group = createTitleGroup(tests, [makeKnown('a', 'a.ts'), makeKnown('b', 'b.ts')])
    expect(group.getResolved()).toEqual([null, null])
    group.resolveDoubts(new Map([[getPlace({ ...makeTest(), reportSuite: 'y' }), 'a.ts']]))
    expect(group.getResolved().map((found) => found?.id)).toEqual(['b', 'a'])
  })
})
