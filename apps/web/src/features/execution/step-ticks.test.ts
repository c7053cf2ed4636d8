import { describe, expect, it, vi } from 'vitest'

import { createBrowserStorage } from '../../browser-storage.ts'
import { MemoryStorage } from '../../memory-storage.test.helper.ts'
import { createStepTicks } from './step-ticks.ts'

describe('step ticks', () => {
  it('survive a reload, per run and result', () => {
    const memory = new MemoryStorage()
    const storage = createBrowserStorage(() => memory)
    const ticks = createStepTicks('run1', storage)
    const listener = vi.fn<() => void>()
    ticks.subscribe(listener)
    ticks.toggle('r1', 0)
    ticks.toggle('r1', 2)
    ticks.toggle('r1', 0)
    expect(listener).toHaveBeenCalledTimes(3)
    const reloaded = createStepTicks('run1', storage)
    expect([...reloaded.read('r1')]).toEqual([2])
    expect([...reloaded.read('r2')]).toEqual([])
    expect([...createStepTicks('run2', storage).read('r1')]).toEqual([])
  })

  it('are kept for the last 100 results', () => {
    const memory = new MemoryStorage()
    const ticks = createStepTicks(
      'run1',
      createBrowserStorage(() => memory),
    )
    for (let number = 0; number <= 100; number += 1) ticks.toggle(`r${number}`, 0)
    expect(ticks.read('r0').size).toBe(0)
    expect(ticks.read('r1').size).toBe(1)
  })

  it('ignore what they cannot read', () => {
    const memory = new MemoryStorage()
    memory.setItem('caseward:ticks:run1', '[["r1",[0,"x"]],["r2",5],7]')
    const ticks = createStepTicks(
      'run1',
      createBrowserStorage(() => memory),
    )
    expect([...ticks.read('r1')]).toEqual([0])
    expect(ticks.read('r2').size).toBe(0)
  })
})
