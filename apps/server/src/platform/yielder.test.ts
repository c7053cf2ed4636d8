import { countRounds } from '@caseward/test-support/count-rounds'
import { describe, expect, it } from 'vitest'

import { createYielder, waitInLongRound, yieldToEventLoop } from './yielder.ts'

function block(milliseconds: number): void {
  const end = performance.now() + milliseconds
  while (performance.now() < end);
}

describe('yieldToEventLoop', () => {
  it('continues one of several waiting loops in each round of the event loop, in their order', async () => {
    const order = await countRounds(async (getRound) => {
      const steps: string[] = []
      const run = async (name: string) => {
        for (let step = 1; step <= 2; step += 1) {
          await yieldToEventLoop()
          steps.push(`${getRound()}${name}`)
        }
      }
      await Promise.all([run('a'), run('b'), run('c')])
      return steps
    })
    expect(order).toEqual(['1a', '2b', '3c', '4a', '5b', '6c'])
  })

  it('lets timers run between the steps of many loops', async () => {
    let delays = 0
    const timer = setInterval(() => {
      delays += 1
    }, 1)
    const run = async () => {
      const yielder = createYielder(1)
      for (let step = 0; step < 5; step += 1) {
        block(6)
        if (yielder.shouldYield()) await yielder.yield()
      }
    }
    await Promise.all(Array.from({ length: 10 }, run))
    clearInterval(timer)
    // The first steps of all loops run together, and then one step of 6 ms between two rounds.
    expect(delays).toBeGreaterThan(20)
  })
})

describe('waitInLongRound', () => {
  /** Resolves in the check phase of the event loop, after a round has been closed. */
  const nextRound = () => new Promise((resolve) => setImmediate(resolve))

  it('does not wait at the first call of a round', async () => {
    const rounds = await countRounds(async (getRound) => {
      await nextRound()
      const before = getRound()
      await waitInLongRound()
      return getRound() - before
    })
    expect(rounds).toBe(0)
  })

  it('lets one waiting request begin in each following round once a round is long, beside one loop', async () => {
    const order = await countRounds(async (getRound) => {
      await waitInLongRound()
      block(10)
      const start = getRound()
      const steps: string[] = []
      const wait = async (name: string, waiting: Promise<void>) => {
        await waiting
        steps.push(`${getRound() - start}${name}`)
      }
      const starts = ['a', 'b', 'c'].map((name) => wait(name, waitInLongRound()))
      await Promise.all([...starts, wait('loop', yieldToEventLoop())])
      return steps
    })
    expect(order).toEqual(['1loop', '1a', '2b', '3c'])
  })
})
