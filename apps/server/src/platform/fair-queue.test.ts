import { setTimeout as sleep } from 'node:timers/promises'

import { describe, expect, it } from 'vitest'

import { createFairQueue, type FairQueueSettings, type QueueClient } from './fair-queue.ts'

const known = (key: string): QueueClient => ({ key, isKnown: true })
const other = (key: string): QueueClient => ({ key, isKnown: false })

/** A queue whose work ends when the test says so. */
function createQueue(settings: Partial<FairQueueSettings> = {}) {
  const createError = () => new Error('refused')
  const run = createFairQueue({ concurrency: 1, maxWaiting: 4, maxWaitMs: 10_000, createError, ...settings })
  const started: string[] = []
  const refused: string[] = []
  const ends: (() => void)[] = []
  const add = (client: QueueClient, name = client.key) => {
    const work = () => {
      started.push(name)
      return new Promise<void>((resolve) => ends.push(resolve))
    }
    run(client, work).catch(() => refused.push(name))
  }
  /** Ends what runs, again and again, until nothing waits. */
  async function finish() {
    for (let end = ends.shift(); end !== undefined; end = ends.shift()) {
      end()
      await sleep(0)
    }
  }
  return { add, started, refused, finish }
}

describe('createFairQueue', () => {
  it('runs only so much work at the same time', async () => {
    const { add, started, finish } = createQueue({ concurrency: 2 })
    for (const key of ['a', 'b', 'c']) add(other(key))
    expect(started).toEqual(['a', 'b'])
    await finish()
    expect(started).toEqual(['a', 'b', 'c'])
  })

  it('lets clients take turns, however much work each of them has', async () => {
    const { add, started, finish } = createQueue()
    for (const name of ['a1', 'a2', 'a3']) add(other('a'), name)
    add(other('b'))
    await finish()
    expect(started).toEqual(['a1', 'a2', 'b', 'a3'])
  })

  it('refuses the newest work of the client with the most when it is full', async () => {
    const { add, started, refused, finish } = createQueue()
    for (const name of ['a1', 'a2', 'a3', 'a4', 'a5', 'a6']) add(other('a'), name)
    add(other('b'))
    await finish()
    expect(started).toEqual(['a1', 'a2', 'b', 'a3', 'a4'])
    expect(refused).toEqual(['a6', 'a5'])
  })

  it('refuses new clients when it is full of one work of each', async () => {
    const { add, refused, finish } = createQueue()
    for (const key of ['a', 'b', 'c', 'd', 'e', 'f']) add(other(key))
    await finish()
    expect(refused).toEqual(['f'])
  })

  it('runs the work of known clients first, and keeps room for it, without starving the others', async () => {
    const { add, started, refused, finish } = createQueue({ maxWaiting: 5 })
    for (const key of ['a', 'b', 'c', 'd', 'e', 'f', 'g']) add(other(key))
    for (const key of ['K', 'L', 'M', 'N', 'O']) add(known(key))
    await finish()
    expect(refused).toEqual(['g'])
    expect(started.filter((name) => 'KLMNO'.includes(name))).toHaveLength(5)
    expect(started.slice(1, 5).toSorted()).toEqual(['K', 'L', 'M', 'b'].toSorted())
  })

  it('refuses work that has waited for too long', async () => {
    const { add, started, refused, finish } = createQueue({ maxWaitMs: 20 })
    add(other('a'))
    add(other('b'))
    await sleep(40)
    await finish()
    expect([started, refused]).toEqual([['a'], ['b']])
  })

  it('goes on after work that has failed', async () => {
    const run = createFairQueue({
      concurrency: 1,
      maxWaiting: 1,
      maxWaitMs: 1000,
      createError: () => new Error('full'),
    })
    await expect(run(other('a'), () => Promise.reject(new Error('broken')))).rejects.toThrow('broken')
    expect(await run(other('a'), () => Promise.resolve(5))).toBe(5)
  })
})
