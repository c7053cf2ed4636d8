import { describe, expect, it } from 'vitest'

import { createLineBudget, limitLines } from './limit-lines.ts'

const makeLines = (count: number) => Array.from({ length: count }, (_, index) => `line ${index}`)

describe('limitLines', () => {
  it('returns up to 20 lines unchanged', () => {
    expect(limitLines(makeLines(20))).toEqual(makeLines(20))
  })

  it('returns the first 20 of more, the number of the others and how to get them', () => {
    expect(limitLines(makeLines(21))).toEqual([...makeLines(20), 'and 1 more'])
    expect(limitLines(makeLines(120), 'use --json').at(-1)).toBe('and 100 more (use --json)')
  })
})

describe('createLineBudget', () => {
  it('takes 20 lines over all calls, and counts the others', () => {
    const budget = createLineBudget()
    expect([15, 10, 5].map((count) => budget.take(makeLines(count)).length)).toEqual([15, 5, 0])
    expect(budget.getRest()).toBe(10)
  })
})
