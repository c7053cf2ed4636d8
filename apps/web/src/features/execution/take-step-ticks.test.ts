import { describe, expect, it } from 'vitest'

import { createBrowserStorage } from '../../browser-storage.ts'
import { MemoryStorage } from '../../memory-storage.test.helper.ts'
import { takeStepTicks } from './take-step-ticks.ts'

describe('takeStepTicks', () => {
  it('returns the ticks of a result once, and leaves those of others', () => {
    const memory = new MemoryStorage()
    const storage = createBrowserStorage(() => memory)
    memory.setItem('caseward:ticks:run1', '[["r1",[0,2,"x"]],["r2",[1]]]')
    expect(takeStepTicks('run1', 'r3', storage)).toEqual([])
    expect(takeStepTicks('run1', 'r1', storage)).toEqual([1, 3])
    expect(takeStepTicks('run1', 'r1', storage)).toEqual([])
    expect(takeStepTicks('run1', 'r2', storage)).toEqual([2])
    expect(storage.list('')).toEqual([])
  })

  it.each(['', '{"r1":[0]}', '[["r1",5],7]', 'nonsense'])('returns nothing for %s', (text) => {
    const memory = new MemoryStorage()
    memory.setItem('caseward:ticks:run1', text)
    const storage = createBrowserStorage(() => memory)
    expect(takeStepTicks('run1', 'r1', storage)).toEqual([])
  })
})
