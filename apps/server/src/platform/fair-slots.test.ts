import { setTimeout as sleep } from 'node:timers/promises'

import { describe, expect, it } from 'vitest'

import { createFairSlots } from './fair-slots.ts'

const create = (count: number, maxPerOwner: number, maxWaitMs = 10_000) =>
  createFairSlots({ count, maxPerOwner, maxWaitMs, createTimeoutError: () => new Error('no slot') })

/** Records who gets slots, in which order, and frees the oldest one on demand. */
function record(slots: ReturnType<typeof create>) {
  const served: string[] = []
  const releases: (() => void)[] = []
  const takeSlot = async (ownerId: string) => {
    const release = await slots.take(ownerId)
    served.push(ownerId)
    releases.push(release)
  }
  const take = (ownerId: string) => void takeSlot(ownerId)
  const free = async () => {
    releases.shift()?.()
    await sleep(0)
  }
  const freeAll = async () => {
    while (releases.length > 0) await free()
  }
  return { served, take, free, freeAll }
}

describe('createFairSlots', () => {
  it('gives an owner no more than its part, so that another one gets a slot at once', async () => {
    const { served, take, freeAll } = record(create(5, 2))
    for (let count = 0; count < 40; count += 1) take('a')
    await sleep(0)
    expect(served).toEqual(['a', 'a'])
    take('b')
    await sleep(0)
    expect(served).toEqual(['a', 'a', 'b'])
    await freeAll()
    expect(served).toHaveLength(41)
  })

  it('serves an owner that came last before the many waiters of another one', async () => {
    const { served, take, free, freeAll } = record(create(1, 1))
    for (const owner of ['a', 'a', 'a', 'a', 'b', 'c', 'c']) take(owner)
    for (let count = 0; count < 6; count += 1) {
      await sleep(0)
      await free()
    }
    expect(served).toEqual(['a', 'b', 'c', 'a', 'c', 'a', 'a'])
    await freeAll()
  })

  it('rejects whoever waits too long, and forgets it', async () => {
    const slots = create(1, 1, 20)
    const release = await slots.take('a')
    await expect(slots.take('b')).rejects.toThrow('no slot')
    release()
    release()
    const releaseSecond = await slots.take('b')
    await expect(slots.take('a')).rejects.toThrow('no slot')
    releaseSecond()
    await expect(slots.take('a')).resolves.toBeTypeOf('function')
  })
})
