import { expect, it } from 'vitest'

import { DateOrders } from './date-orders.ts'

function find(columns: Record<string, string[]>) {
  const orders = new DateOrders()
  for (const [name, texts] of Object.entries(columns)) for (const text of texts) orders.add(name, text)
  return orders.finish()
}

it.each([
  ['a day over 12 in the column', { at: ['03/04/2025', '29/10/2022 4:30'] }, [['at', 'day_first']], null],
  ['a month over 12 in the column', { at: ['03/04/2025', '10/29/2022'] }, [['at', 'month_first']], null],
  ['another column', { at: ['03/04/2025'], due: ['10/29/2022'] }, [['at', 'month_first']], null],
  [
    'each column, if two differ',
    { at: ['03/04/2025', '29/10/2022'], due: ['03/04/2025', '10/29/2022'] },
    [
      ['at', 'day_first'],
      ['due', 'month_first'],
    ],
    null,
  ],
  ['nobody', { at: ['03/04/2025 10:00'] }, [], 'day_first'],
  ['nobody, of times with AM and PM', { at: ['3/4/2025 1:00 PM'] }, [], 'month_first'],
  ['nobody, if a column says both', { at: ['03/04/2025', '29/10/2022', '10/29/2022'] }, [], 'day_first'],
  ['nobody, as it is not needed', { at: ['04/04/2025', '2025-03-04', '4.3.2025', '', '3/4/2025x'] }, [], null],
])('the order of day and month is told by %s', (_, columns, expected, assumed) => {
  expect(find(columns)).toMatchObject({ columns: expected, assumed })
})
