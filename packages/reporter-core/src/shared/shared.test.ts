import { describe, expect, it } from 'vitest'

import type { SuiteError } from '../test-attempt.ts'
import { createGuard } from './guard.ts'
import { toRelativePath } from './relative-path.ts'
import { createOccurrenceCounter, createTestId } from './test-ids.ts'

describe('createGuard', () => {
  const runGuarded = (...reads: [() => void, string?][]) => {
    const errors: SuiteError[] = []
    const guard = createGuard('jest', (error) => void errors.push(error))
    for (const [read, location] of reads) guard(read, location)
    return errors
  }
  const fail = (thrown: unknown) => () => {
    throw thrown
  }

  it('records what reading an event throws, in its file if that is known', () => {
    expect(runGuarded([fail(new Error('no title'))], [fail('no status'), 'cart.test.js'])).toEqual([
      { location: 'jest', message: 'An event of the framework could not be read: no title' },
      { location: 'cart.test.js', message: 'An event of the framework could not be read: no status' },
    ])
  })

  it('records the same error once for each file', () => {
    const read = fail(new Error('no title'))
    const errors = runGuarded([read, 'a.js'], [read, 'a.js'], [read, 'b.js'])
    expect(errors.map(({ location }) => location)).toEqual(['a.js', 'b.js'])
  })

  it('records nothing for an event that can be read', () => {
    expect(runGuarded([() => {}])).toEqual([])
  })

  it('records a thrown value that cannot be converted to a text', () => {
    expect(runGuarded([fail(Object.create(null))])).toHaveLength(1)
  })
})

describe('toRelativePath', () => {
  it.each([
    ['/shop/tests/cart.js', 'tests/cart.js'],
    ['tests/cart.js', 'tests/cart.js'],
    ['file:///shop/tests/my%20cart.js', 'tests/my cart.js'],
    ['/other/cart.js', '../other/cart.js'],
  ])('converts %s to %s', (file, path) => {
    expect(toRelativePath(file, '/shop')).toBe(path)
  })
})

describe('createOccurrenceCounter', () => {
  it('numbers tests with the same titles in each file', () => {
    const counter = createOccurrenceCounter()
    expect([
      counter.count('a.js', ['row']),
      counter.count('a.js', ['row']),
      counter.count('b.js', ['row']),
      counter.count('a.js', ['other']),
      counter.count('a.js', ['row']),
    ]).toEqual([0, 1, 0, 0, 2])
  })

  it('returns the number of the latest test for another attempt at it', () => {
    const counter = createOccurrenceCounter()
    counter.count('a.js', ['row'])
    counter.count('a.js', ['row'])
    expect(counter.getLatest('a.js', ['row'])).toBe(1)
    expect(counter.getLatest('b.js', ['row'])).toBe(0)
  })
})

describe('createTestId', () => {
  it('differs for other titles, files and occurrences', () => {
    const ids = [
      createTestId({ titlePath: ['a', 'b'], file: 'a.js', occurrence: 0 }),
      createTestId({ titlePath: ['a b'], file: 'a.js', occurrence: 0 }),
      createTestId({ titlePath: ['a', 'b'], file: 'b.js', occurrence: 0 }),
      createTestId({ titlePath: ['a', 'b'], file: 'a.js', occurrence: 1 }),
      createTestId({ titlePath: ['a', 'b'], occurrence: 0 }),
    ]
    expect(new Set(ids).size).toBe(ids.length)
  })
})
