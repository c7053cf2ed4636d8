import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { createJUnitParser, type TestAttempt } from './parse-junit.ts'

const fixtures = new URL('../test/fixtures/', import.meta.url)

function parse(xml: string | Uint8Array): readonly TestAttempt[] {
  const parser = createJUnitParser()
  parser.write(xml)
  return parser.end().attempts
}

describe('the suite number of a JUnit testcase', () => {
  it.each([
    ['playwright-two-projects.xml', [2, 3]],
    ['node-test-same-titles.xml', [2, 3]],
    ['saucelabs-two-browsers.xml', [2, 3]],
    ['phpunit-two-suites.xml', [4, 6]],
    ['gradle-retry.xml', [1, 1]],
  ])('is that of the innermost suite element in %s, although tests have the same name', (file, numbers) => {
    const attempts = parse(readFileSync(new URL(file, fixtures)))
    expect(attempts.map(({ suite }) => suite)).toEqual(numbers)
    expect(new Set(attempts.map(({ name }) => name)).size).toBe(1)
  })

  it('is the number of the outer suite again after an inner suite', () => {
    const attempts = parse(
      `<testsuite name="s"><testcase name="a"/><testsuite name="s"><testcase name="b"/></testsuite><testcase name="c"/></testsuite>`,
    )
    expect(attempts.map(({ name, suite }) => [name, suite])).toEqual([
      ['a', 1],
      ['b', 2],
      ['c', 1],
    ])
  })

  it('tells apart the tests of several <testsuites> elements', () => {
    const one = '<testsuites><testcase name="a"/></testsuites>'
    expect(parse(`<testsuites>${one}${one}</testsuites>`).map(({ suite }) => suite)).toEqual([2, 3])
  })

  it('is 0 for a testcase outside of any suite', () => {
    expect(parse('<testcase name="a"/>')).toMatchObject([{ suite: 0 }])
  })
})

describe('the name of a JUnit testcase', () => {
  const getName = (name: string) => parse(`<testcase name="${name}"/>`)[0]?.name ?? ''

  it('is complete up to 10,000 UTF-16 units', () => {
    const name = 'x'.repeat(10_000)
    expect(getName(name) === name).toBe(true)
  })

  it('is truncated beyond that, and differs from other names that start in the same way', () => {
    const names = ['a', 'b'].map((end) => getName(`${'😀'.repeat(10_000)}${end}`))
    for (const name of names) expect(name).toMatch(/^(?:😀){5000}… \[cut, [0-9a-f]{16}\]$/u)
    expect(names[0]).not.toBe(names[1])
  })

  it('differs from that of another test also when control characters hide the difference', () => {
    const [first, second] = ['a', 'b'].map((end) => getName(`x${'&#1;'.repeat(50_000)}${end}`))
    expect(first).toMatch(/^x… \[cut, [0-9a-f]{16}\]$/)
    expect(first).not.toBe(second)
  })
})
