import { describe, expect, it } from 'vitest'

import { createRootRemover, findSharedDirectory, getModule } from './checkout-root.ts'

const makeTest = (fields: { suite?: string; name?: string; file?: string; classname?: string }) => ({
  suite: '',
  name: 'adds',
  file: '',
  ...fields,
})
const remove = (root: string, fields: Parameters<typeof makeTest>[0]) => {
  const removeRoot = createRootRemover(root)
  return removeRoot === null ? null : removeRoot(makeTest(fields))
}

describe('createRootRemover', () => {
  it.each([
    ['a directory', '/ci/shop', '/ci/shop/test/cart.js'],
    ['a directory with a slash at its end', '/ci/shop/', '/ci/shop/test/cart.js'],
    ['an address of a file', '/ci/shop', 'file:///ci/shop/test/cart.js'],
    ['a root that is an address', 'file:///ci/shop', '/ci/shop/test/cart.js'],
    ['an encoded address', '/ci/my shop', 'file:///ci/my%20shop/test/cart.js'],
    ['a path of Windows', String.raw`C:\ci\shop`, String.raw`C:\ci\shop\test\cart.js`],
    ['a path of Windows with slashes', String.raw`C:\ci\shop`, 'C:/ci/shop/test/cart.js'],
    ['another case of the drive', String.raw`c:\ci\shop`, String.raw`C:\CI\Shop\test\cart.js`],
    ['an address on Windows', String.raw`C:\ci\shop`, 'file:///C:/ci/shop/test/cart.js'],
    ['a root with characters of patterns', '/ci/shop (1)+', '/ci/shop (1)+/test/cart.js'],
  ])('makes a file relative: %s', (_what, root, file) => {
    expect(remove(root, { file })?.file).toBe('test/cart.js')
  })

  it('removes the root from class, suite and name, wherever they contain it', () => {
    const classname = '/ci/shop/total.bats'
    const test = { suite: `Bats > ${classname}`, classname, name: 'reads /ci/shop/a.csv and "/ci/shop/b.csv"' }
    expect(remove('/ci/shop', test)).toMatchObject({
      suite: 'Bats > total.bats',
      classname: 'total.bats',
      name: 'reads a.csv and "b.csv"',
    })
  })

  it('keeps suite and file the same', () => {
    const file = String.raw`C:\shop\test\a.js`
    expect(remove(String.raw`C:\shop`, { suite: file, file })).toMatchObject({ suite: 'test/a.js', file: 'test/a.js' })
  })

  it.each([
    ['another directory that begins like it', '/ci/shop', '/ci/shopping/test/cart.js'],
    ['a directory inside of another one', '/ci/shop', '/home/ci/shop/test/cart.js'],
    ['a path without it', '/ci/shop', 'test/cart.js'],
    ['an address of the web', '/ci/shop', 'https://example.test/ci/shop/cart.js'],
  ])('leaves %s', (_what, root, file) => {
    const test = makeTest({ file })
    expect(createRootRemover(root)?.(test)).toBe(test)
  })

  it.each(['', '/', String.raw`C:\ `, 'file:///'])('returns null for the root "%s"', (root) => {
    expect(createRootRemover(root)).toBeNull()
  })
})

describe('findSharedDirectory', () => {
  const find = (...files: string[]) => findSharedDirectory(files.map((file) => makeTest({ file })))

  it('returns the longest directory that all absolute paths share', () => {
    expect(find('/ci/1/shop/test/a.js', '/ci/1/shop/lib/b.js', 'c.js')).toBe('/ci/1/shop')
    expect(find(String.raw`D:\a\shop\test\a.js`, 'D:/a/shop/lib/b.js')).toBe('D:/a/shop')
    expect(find('file:///ci/shop/test/a.js')).toBe('/ci/shop/test')
  })

  it('reads the classes of tools that write the file there', () => {
    expect(findSharedDirectory([makeTest({ suite: '/ci/shop/a.bats', classname: '/ci/shop/a.bats' })])).toBe('/ci/shop')
  })

  it('returns null without absolute paths, and if they share nothing', () => {
    expect(find('test/a.js', '')).toBeNull()
    expect(find('/ci/a.js', '/home/b.js')).toBeNull()
    expect(findSharedDirectory([makeTest({ suite: '/cart', classname: '/cart' })])).toBeNull()
  })
})

describe('getModule', () => {
  it.each([
    ['orders/target/surefire-reports/TEST-a.xml', 'orders'],
    ['services/pay/target/failsafe-reports/TEST-a.xml', 'services/pay'],
    ['app/build/test-results/testDebug/TEST-a.xml', 'app'],
    ['packages/cart/junit.xml', 'packages/cart'],
    ['packages/cart/reports/junit/junit.xml', 'packages/cart'],
    ['packages/cart/test-results/junit.xml', 'packages/cart'],
    [String.raw`packages\cart\coverage\junit.xml`, 'packages/cart'],
    ['bazel-testlogs/pay/api/test.xml', 'pay/api'],
    ['bazel-testlogs/pay/api/shard_2_of_4/test.xml', 'pay/api'],
    ['bazel-testlogs/pay/api/run_1_of_3/test_attempts/attempt_1.xml', 'pay/api'],
    ['tests/Pay.Tests/TestResults/junit.xml', 'tests/Pay.Tests'],
    ['pay/TestResults/4735ba57-80d0-46e2-8fa0-b28223a86586/junit.xml', 'pay'],
    ['pay/reports/4711/junit.xml', 'pay'],
    ['pay/reports/2026-11-21T10:00:00Z/junit.xml', 'pay'],
    ['reports/build-4711/junit/junit.xml', '.'],
    ['labs/01/junit.xml', 'labs/01'],
    ['reports/cart/junit.xml', 'reports/cart'],
    ['junit.xml', '.'],
    ['./reports/junit.xml', '.'],
    ['target/surefire-reports/TEST-a.xml', '.'],
  ])('of %s is %s', (path, module) => {
    expect(getModule(path)).toBe(module)
  })
})
