import { describe, expect, it } from 'vitest'

import { shareInTurn } from './share-in-turn.ts'

describe('shareInTurn', () => {
  it.each([
    [5, 2, [3, 2]],
    [6, 3, [2, 2, 2]],
    [7, 3, [3, 2, 2]],
    [1, 3, [1, 0, 0]],
    [4, 0, []],
  ])('gives %d results to %d people as %j', (count, people, shares) => {
    expect(shareInTurn(count, people)).toEqual(shares)
  })
})
