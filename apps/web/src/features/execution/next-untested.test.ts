import type { ResultStatus } from '@caseward/client/endpoints'
import { describe, expect, it } from 'vitest'

import { findNextFailed, findNextUntested, keepPlaces } from './next-untested.ts'

const rows = (...statuses: ResultStatus[]) => statuses.map((status, index) => ({ id: `r${index + 1}`, status }))

describe('findNextUntested', () => {
  const some = rows('not_tested', 'passed', 'failed', 'not_tested', 'not_tested')
  it.each([
    [null, 'r1'],
    ['r1', 'r4'],
    ['r4', 'r5'],
    ['r5', 'r1'],
    ['unknown', 'r1'],
  ])('after %s returns %s', (current, expected) => {
    expect(findNextUntested(some, current)?.id).toBe(expected)
  })

  it('returns null when everything else is tested', () => {
    expect(findNextUntested(rows('passed', 'not_tested'), 'r2')).toBeNull()
    expect(findNextUntested([], null)).toBeNull()
  })
})

describe('findNextFailed', () => {
  it('continues at the top after the last one', () => {
    const some = rows('failed', 'passed', 'failed')
    expect(findNextFailed(some, 'r1')?.id).toBe('r3')
    expect(findNextFailed(some, 'r3')?.id).toBe('r1')
    expect(findNextFailed(rows('failed'), 'r1')).toBeNull()
  })
})

describe('keepPlaces', () => {
  it('keeps a row that no longer matches the filter, in its place', () => {
    const isUntested = ({ status }: { status: ResultStatus }) => status === 'not_tested'
    const shown = new Set(['r1', 'r2', 'r3'])
    const changed = rows('not_tested', 'failed', 'not_tested', 'passed', 'not_tested')
    expect(keepPlaces(changed, isUntested, shown).map(({ id }) => id)).toEqual(['r1', 'r2', 'r3', 'r5'])
  })
})
