import { describe, expect, it } from 'vitest'

import { diffSteps } from './diff-steps.ts'

const toSteps = (texts: readonly string[]) =>
  texts.map((text, index) => {
    const [action = '', expected = ''] = text.split(' -> ')
    return { position: index + 1, action, expected }
  })
const diff = (before: readonly string[], after: readonly string[]) =>
  diffSteps(toSteps(before), toSteps(after)).map(({ kind, before: one, after: other }) =>
    [kind, one?.position ?? '', other?.position ?? ''].join(' ').trim(),
  )

describe('diffSteps', () => {
  it('keeps equal steps, whatever the white space is', () => {
    expect(diff(['Open  the shop', 'Pay'], ['Open the shop ', 'Pay'])).toEqual(['unchanged 1 1', 'unchanged 2 2'])
  })

  it('finds a step that was moved', () => {
    expect(diff(['A', 'B', 'C', 'D'], ['B', 'C', 'D', 'A'])).toEqual([
      'unchanged 2 1',
      'unchanged 3 2',
      'unchanged 4 3',
      'moved 1 4',
    ])
  })

  it('finds changed steps by half of their words, also beside added and removed ones', () => {
    expect(
      diff(
        ['Open the shop', 'Enter the number of the card -> It is accepted', 'Log out'],
        ['Open the shop', 'Wait', 'Enter the date of the card -> It is accepted'],
      ),
    ).toEqual(['unchanged 1 1', 'added  2', 'changed 2 3', 'removed 3'])
  })

  it('shows a step that was split as changed and added', () => {
    expect(diff(['Enter the name and press Save now'], ['Enter the name and press', 'Confirm everything'])).toEqual([
      'changed 1 1',
      'added  2',
    ])
  })

  it('pairs no steps with other words, and none without words', () => {
    expect(diff(['Open the shop', '...'], ['Delete everything', '!!'])).toEqual([
      'removed 1',
      'removed 2',
      'added  1',
      'added  2',
    ])
  })

  it('aligns 500 steps with 500 others in less than five seconds', () => {
    const steps = Array.from({ length: 500 }, (_, index) => `Enter the value number ${index} into the field`)
    const changed = steps.map((text) => `${text} again`)
    const started = performance.now()
    expect(diff(steps, changed)).toHaveLength(500)
    expect(performance.now() - started).toBeLessThan(5000)
  })
})
