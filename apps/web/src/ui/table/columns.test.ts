import { expect, it } from 'vitest'

import { getNextSort } from './columns.ts'

it('sorts a column ascending, then descending, then not', () => {
  const first = getNextSort(null, 'title')
  const second = getNextSort(first, 'title')
  expect([first?.direction, second?.direction, getNextSort(second, 'title')]).toEqual(['ascending', 'descending', null])
  expect(getNextSort(second, 'priority')).toEqual({ column: 'priority', direction: 'ascending' })
})
