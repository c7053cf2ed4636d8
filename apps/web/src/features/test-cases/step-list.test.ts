import { expect, it } from 'vitest'

import { changeStep, createStep, insertSteps, isSameSteps, moveStep, removeStep, toStoredSteps } from './step-list.ts'

const steps = ['a', 'b', 'c', 'd'].map((action) => createStep({ action, expected: '' }))
const key = (index: number) => steps[index]?.key ?? 0
const read = (list: readonly { action: string }[]) => list.map(({ action }) => action).join('')

it.each([
  [0, 2, 'bcad'],
  [0, 3, 'bcda'],
  [3, 0, 'dabc'],
  [1, -5, 'bacd'],
  [1, 99, 'acdb'],
])('moves step %i to place %i', (from, to, expected) => {
  expect(read(moveStep(steps, key(from), to))).toBe(expected)
})

it('returns the same list if a step is in its place already, or is none of them', () => {
  expect(moveStep(steps, key(1), 1)).toBe(steps)
  expect(moveStep(steps, -1, 0)).toBe(steps)
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
