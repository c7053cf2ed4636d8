import { expect, it } from 'vitest'

import { joinToArrayLiteral } from './array-literal.ts'

it.each([0, 1, 2, 10_000, 10_001, 30_000])('writes %i items', async (count) => {
  const items = Array.from({ length: count }, (_, index) => index)
  expect(await joinToArrayLiteral(items)).toBe(`{${items.join(',')}}`)
})
