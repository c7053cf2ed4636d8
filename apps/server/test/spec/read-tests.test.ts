import { describe, expect, it } from 'vitest'

import { readTests } from './read-tests.ts'

const names = (source: string) => readTests(source).map(({ name }) => name)
const namesOfCertainTests = (source: string) =>
  readTests(source).flatMap(({ name, mayBeSkipped }) => (mayBeSkipped ? [] : [name]))

describe('readTests', () => {
  it('returns the titles of the suites and the test, in order', () => {
    const source = `
      describe('a', () => { it('one', () => {}); describe('b', () => { test('two', async () => {}) }) })
      it('three', () => {})`
    expect(names(source)).toEqual(['a > one', 'a > b > two', 'three'])
  })

  it('keeps the placeholders in titles of it.each', () => {
    const source = `
      describe.each(['PATCH', 'PUT'])('%s /x', (method) => { it.each([[1], [2]])('takes %j', () => {}) })
      it.each\`a | b\`('adds $a', () => {})`
    expect(names(source)).toEqual(['%s /x > takes %j', 'adds $a'])
  })

  it('reads titles with quotes, escapes and templates', () => {
    expect(names(String.raw`it("it's \u00fc", f); it('it\'s', f); it(${'`'}plain${'`'}, f)`)).toEqual([
      "it's ü",
      "it's",
      'plain',
    ])
  })

  it('returns the tags of a test', () => {
    const source = `it('one', { tags: ['spec:a/b', 'spec:c/d'] }, f); it('two', f)`
    expect(readTests(source).map(({ tags }) => tags)).toEqual([['spec:a/b', 'spec:c/d'], []])
  })

  it('ignores comments, strings and calls of other functions', () => {
    const source = `
      // it('commented out', () => {})
      const text = "it('quoted', () => {})"
      testCaseNumber('WEB-1', 'WEB'); expect.it('x'); items.test('y')
      it(title, () => {})`
    expect(names(source)).toEqual([])
  })

  it('finds tests in loops and in files with TypeScript syntax', () => {
    const source = `
      type Row = readonly [string, number]
      for (const row of rows as Row[]) it('is found', () => void row satisfies Row)`
    expect(names(source)).toEqual(['is found'])
  })

  it.each([
    `it.skip('x', f)`,
    `it.todo('x')`,
    `it.fails('x', f)`,
    `it.skipIf(true)('x', f)`,
    `it.runIf(isLinux)('x', f)`,
    `it.skip.each([1])('x', f)`,
    `it('x', { skip: true }, f)`,
    `describe.skip('a', () => { it('x', f) })`,
    `describe('a', { todo: true }, () => { describe('b', () => { it('x', f) }) })`,
  ])('marks a test that may be skipped: %s', (source) => {
    expect([names(source).length, namesOfCertainTests(source)]).toEqual([1, []])
  })
})
