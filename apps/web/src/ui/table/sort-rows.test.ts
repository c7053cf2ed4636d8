import { describe, expect, it } from 'vitest'

import { sortRows } from './sort-rows.ts'

describe('sortRows', () => {
  const rows = ['WEB-10', 'WEB-9', null, 'web-1']
  it('sorts texts with numbers as people do, and missing values last', () => {
    expect(sortRows(rows, 'ascending', (row) => row)).toEqual(['web-1', 'WEB-9', 'WEB-10', null])
    expect(sortRows(rows, 'descending', (row) => row)).toEqual(['WEB-10', 'WEB-9', 'web-1', null])
  })

  it('keeps the order of equal rows in both directions', () => {
    const equal = [
      { id: 'a', size: 1 },
      { id: 'b', size: 1 },
      { id: 'c', size: 0 },
    ]
    const ids = (direction: 'ascending' | 'descending') =>
      sortRows(equal, direction, ({ size }) => size)
        .map(({ id }) => id)
        .join('')
    expect([ids('ascending'), ids('descending')]).toEqual(['cab', 'abc'])
  })
})
