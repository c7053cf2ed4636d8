import { validate, version } from 'uuid'
import { expect, it } from 'vitest'

import { createIdsInBatch } from './ids-in-batch.ts'

it('ids in a batch differ, are in their order, and as random as single ones', () => {
  const createId = createIdsInBatch(10_000)
  const ids = Array.from({ length: 10_000 }, createId)
  expect(ids.every((id) => validate(id) && version(id) === 7)).toBe(true)
  expect(new Set(ids.map((id) => id.slice(-12))).size).toBe(10_000)
  expect(ids.toSorted()).toEqual(ids)
  const others = Array.from({ length: 100 }, () => createIdsInBatch(1)())
  expect(new Set(others).size).toBe(100)
})
