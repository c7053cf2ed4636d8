import { describe, expect, it } from 'vitest'

import { parseJUnit } from './parse-junit.ts'
import { toReportedTests } from './to-tests.ts'

const yielder = { shouldYield: () => false, yield: () => Promise.resolve() }
const readSuites = async (xml: string) =>
  (await toReportedTests(await parseJUnit(xml), yielder)).map(({ suite, name }) => [suite, name])
const testcases = (classname: string, names: readonly string[]) =>
  names.map((name) => `<testcase classname="${classname}" name="${name}"/>`).join('')

describe('the suite of a test in a JUnit report', () => {
  it('contains the name of its block if only some tests of the block repeat it', async () => {
    const xml = `<testsuite name="cart">${testcases('', ['adds up', 'cart is empty'])}</testsuite>`
    expect(await readSuites(xml)).toEqual([
      ['cart', 'adds up'],
      ['cart', 'cart is empty'],
    ])
  })

  it.each([
    ['at the start of the class', 'com.shop.CartTest', 'com.shop.CartTest', 'adds'],
    ['at the end of the class', 'CartTest', 'com.shop.CartTest', 'adds'],
    ['at the start of the name', 'cart', 'adds', 'cart adds'],
    ['before the last title', 'totals', 'adds', 'cart totals adds'],
    ['in class and name together', 'Cart::adds', 'Cart', 'adds with data set 1'],
  ])('leaves out the name of a suite that all its tests repeat %s', async (_where, suite, classname, name) => {
    const xml = `<testsuite name="${suite}">${testcases(classname, [name])}</testsuite>`
    expect(await readSuites(xml)).toEqual([[classname, name]])
  })

  it('contains the name that a test only mentions', async () => {
    const xml = `<testsuite name="cart">${testcases('', ['empties the cart'])}</testsuite>`
    expect(await readSuites(xml)).toEqual([['cart', 'empties the cart']])
  })

  it('contains the blocks of node:test, whatever the titles of their tests', async () => {
    const attributes = 'time="1" disabled="0" errors="0" tests="1" failures="0" skipped="0" hostname="ci"'
    const suite = `<testsuite name="cart" ${attributes}>${testcases('test', ['cart is empty'])}</testsuite>`
    expect(await readSuites(`<testsuites>${suite}</testsuites>`)).toEqual([['cart', 'cart is empty']])
  })

  it('leaves out the first block of a file, as which jest-junit names its suite, for the tests of all blocks', async () => {
    const attributes = 'errors="0" failures="0" skipped="0" timestamp="2026-11-20T10:11:12" time="1" tests="2"'
    const names = ['Cart adds up', 'Order is sent']
    const suite = `<testsuite name="Cart" ${attributes}>${names.map((name) => testcases(name, [name])).join('')}</testsuite>`
    expect(await readSuites(`<testsuites name="jest tests">${suite}</testsuites>`)).toEqual(
      names.map((name) => [name, name]),
    )
  })
})

describe('toReportedTests for node:test', () => {
  it('reads quotes, which its reporter escapes twice, in titles and messages', async () => {
    const failure = '<failure message="got &amp;quot;b&amp;quot;"/>'
    const xml = `<testsuites><testcase name="says &amp;quot;a&amp;quot;" classname="test">${failure}</testcase></testsuites>`
    const [test] = await toReportedTests(await parseJUnit(xml), yielder)
    expect(test).toMatchObject({ name: 'says "a"', attempts: [{ message: 'got "b"' }] })
  })

  it('leaves such text of other tools as it is', async () => {
    const xml = '<testsuite name="html"><testcase name="escapes &amp;quot;" classname="html"/></testsuite>'
    expect(await readSuites(xml)).toEqual([['html', 'escapes &quot;']])
  })
})
