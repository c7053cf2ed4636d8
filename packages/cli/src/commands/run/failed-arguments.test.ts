import { execFileSync } from 'node:child_process'

import { describe, expect, it } from 'vitest'

import { type FailedTest, formatArguments, type Framework, FRAMEWORKS } from './failed-arguments.ts'

const makeTest = (name: string, fields: Partial<FailedTest> = {}): FailedTest => ({
  file: 'test/cart.test.ts',
  suite: 'test/cart.test.ts',
  name,
  ...fields,
})

/** What a shell makes of a line. */
function readWords(line: string): string[] {
  const script = `for word in ${line}; do printf '%s\\0' "$word"; done`
  return execFileSync('/bin/sh', ['-c', script], { encoding: 'utf8' }).split('\0').slice(0, -1)
}

/** The pattern of names in the arguments of a line. */
function readPattern(line: string, framework: Framework): RegExp {
  const option = framework === 'jest' || framework === 'vitest' ? '--testNamePattern=' : '--grep='
  return new RegExp(
    readWords(line)
      .find((word) => word.startsWith(option))
      ?.slice(option.length) ?? 'nothing^',
  )
}

const names = [
  'Cart > adds up',
  'costs $5 (with *all* of it) [50 %] {a|b} \\ ^',
  'Ada\'s cart > keeps “quotes” and "these" `too` $HOME',
  'a > b > c',
]

describe('formatArguments', () => {
  it.each(FRAMEWORKS)('names tests with blocks, quotes and special characters for %s', (framework) => {
    const [line = '', ...others] = formatArguments(
      names.map((name) => makeTest(name)),
      framework,
    )
    expect(others).toEqual([])
    expect(readWords(line).some((word) => word.replaceAll('\\', '') === 'test/cart.test.ts')).toBe(true)
    const pattern = readPattern(line, framework)
    for (const name of names) expect(name.replaceAll(' > ', ' ')).toMatch(pattern)
    // A title that itself contains what joins the titles of blocks.
    expect('a > b c').toMatch(pattern)
    expect('Cart adds').not.toMatch(pattern)
  })

  it('finds titles with tags in each project of Playwright', () => {
    const lines = formatArguments([makeTest('pays'), makeTest('pays')], 'playwright')
    expect(lines).toHaveLength(1)
    const pattern = readPattern(lines[0] ?? '', 'playwright')
    expect('chromium test/cart.test.ts pays @smoke').toMatch(pattern)
    expect('chromium test/cart.test.ts pays later').not.toMatch(pattern)
  })

  it('names no files if that of a test is unknown, and takes a suite that is a file', () => {
    const [line = ''] = formatArguments([makeTest('pays'), makeTest('ships', { file: '', suite: 'Cart' })], 'mocha')
    expect(readWords(line)).toEqual(['--grep=^(?:pays|ships)$'])
    const [ofSuite = ''] = formatArguments([makeTest('pays', { file: '' })], 'vitest')
    expect(readWords(ofSuite)[0]).toBe('test/cart.test.ts')
  })

  it('divides many tests into lines that are short enough, and loses none', () => {
    const tests = Array.from({ length: 2000 }, (_, index) => makeTest(`Cart > pays in way ${index} of many`))
    const lines = formatArguments(tests, 'jest')
    expect(lines.length).toBeGreaterThan(5)
    for (const line of lines) expect(line.length).toBeLessThanOrEqual(7000)
    const patterns = lines.map((line) => readPattern(line, 'jest'))
    for (const { name } of tests) {
      expect(patterns.filter((pattern) => pattern.test(name.replace(' > ', ' ')))).toHaveLength(1)
    }
  })
})
