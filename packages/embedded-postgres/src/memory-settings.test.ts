import { totalmem } from 'node:os'

import { describe, expect, it } from 'vitest'

import { getMemoryMb, getMemorySettings } from './memory-settings.ts'

describe('getMemorySettings', () => {
  it.each([
    [128, '32MB', '64MB'],
    [1024, '128MB', '512MB'],
    [8192, '1024MB', '4096MB'],
    [262_144, '2048MB', '131072MB'],
  ])('of %i MB of memory takes %s', (memoryMb, shared_buffers, effective_cache_size) => {
    expect(getMemorySettings(memoryMb, null)).toEqual({ shared_buffers, effective_cache_size })
  })

  it('takes the size that is given', () => {
    expect(getMemorySettings(1024, 700)).toEqual({ shared_buffers: '700MB', effective_cache_size: '700MB' })
  })
})

describe('getMemoryMb', () => {
  it('is positive, and not more than the machine has', () => {
    expect(getMemoryMb()).toBeGreaterThan(0)
    expect(getMemoryMb()).toBeLessThanOrEqual(totalmem() / 1024 / 1024)
  })
})
