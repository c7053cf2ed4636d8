import fc from 'fast-check'
import { expect, it } from 'vitest'

import { sortInSteps } from './sort-in-steps.ts'

const compareKeys = (a: { key: number }, b: { key: number }) => a.key - b.key

it('sorts as toSorted does, and keeps the order of equal items', async () => {
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 0, max: 30_000 }), fc.integer({ min: 1, max: 1000 }), async (count, keys) => {
      const items = Array.from({ length: count }, (_, index) => ({ key: (index * 7919) % keys, index }))
      expect(await sortInSteps(items, compareKeys)).toEqual(items.toSorted(compareKeys))
    }),
    { numRuns: 20 },
  )
})

it('lets other work run meanwhile', async () => {
  let rounds = 0
  const interval = setInterval(() => (rounds += 1))
  await sortInSteps(
    Array.from({ length: 40_000 }, (_, index) => ({ key: -index })),
    compareKeys,
  )
  clearInterval(interval)
  expect(rounds).toBeGreaterThan(0)
})
