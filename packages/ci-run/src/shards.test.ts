import { describe, expect, it } from 'vitest'

import { areShardsDone, toShardName } from './shards.ts'

describe('areShardsDone', () => {
  it.each([
    [{ expected_shards: 2, shards_done: ['1', '2'] }, true],
    [{ expected_shards: 2, shards_done: ['1', '2', '3'] }, true],
    [{ expected_shards: 2, shards_done: ['1'] }, false],
    // A run that a user has completed, and one of an older server.
    [{ expected_shards: null, shards_done: [] }, false],
    [{}, false],
  ])('for %j is %j', (run, areDone) => {
    expect(areShardsDone(run)).toBe(areDone)
  })
})

describe('toShardName', () => {
  it('truncates a name that is longer than the server accepts', () => {
    expect(toShardName('🐞'.repeat(300))).toBe('🐞'.repeat(255))
  })
})
