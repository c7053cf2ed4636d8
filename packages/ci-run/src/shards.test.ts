import { describe, expect, it } from 'vitest'

import { toShardName } from './shards.ts'

describe('toShardName', () => {
  it('truncates a name that is longer than the server accepts', () => {
    expect(toShardName('🐞'.repeat(300))).toBe('🐞'.repeat(255))
  })
})
