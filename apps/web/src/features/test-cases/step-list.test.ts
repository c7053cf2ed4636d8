import { expect, it } from 'vitest'

import { changeStep, createStep, insertSteps, isSameSteps, moveSteps, removeStep, toStoredSteps } from './step-list.ts'

const steps = ['a', 'b', 'c', 'd'].map((action) => createStep({ action, expected: '' }))
const key = (index: number) => steps[index]?.key ?? 0
const read = (list: readonly { action: string }[]) => list.map(({ action }) => action).join('')

it.each([
  [0, 1, 3, 'bcad'],
  [0, 1, 4, 'bcda'],
  [3, 1, 0, 'dabc'],
  [1, 1, -5, 'bacd'],
  [1, 1, 99, 'acdb'],
  [0, 2, 3, 'cabd'],
  [1, 3, 0, 'bcda'],
  [1, 2, 4, 'adbc'],
])('moves, from step %i, %i steps before step %i', (first, count, before, expected) => {
  expect(read(moveSteps(steps, { first, count }, before))).toBe(expected)
})

it('returns the same list if steps are in their place already, or are none of them', () => {
  for (const before of [1, 2, 3]) expect(moveSteps(steps, { first: 1, count: 2 }, before)).toBe(steps)
  expect(moveSteps(steps, { first: 0, count: 0 }, 3)).toBe(steps)
})

it('inserts, changes and removes steps, which keep their keys', () => {
  const added = createStep({ action: 'x', expected: 'y' })
  expect(read(insertSteps(steps, -1, [added]))).toBe('xabcd')
  expect(read(insertSteps(steps, 3, [added]))).toBe('abcdx')
  const changed = changeStep(steps, key(2), { action: 'z' })
  expect([read(changed), changed[2]?.key]).toEqual(['abzd', key(2)])
  expect(read(removeStep(steps, key(0)))).toBe('bcd')
})

it('stores no step without text, and finds the steps of the server equal', () => {
  const list = [...steps.slice(0, 1), createStep(), createStep({ action: ' ', expected: 'z' })]
  expect(toStoredSteps(list)).toEqual([
    { action: 'a', expected: '' },
    { action: ' ', expected: 'z' },
  ])
  expect(isSameSteps(steps.slice(0, 1), [{ action: 'a' }])).toBe(true)
  expect(isSameSteps(steps.slice(0, 1), [{ action: 'a', expected: 'z' }])).toBe(false)
  expect(isSameSteps(steps, [])).toBe(false)
})
