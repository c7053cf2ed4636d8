import { describe, expect, it } from 'vitest'

import { createMemoryPool } from './memory-pool.ts'

const options = (timeoutMs = 10_000, signal = new AbortController().signal) => ({ timeoutMs, signal })

/** Resolves with "waiting" if the promise has not settled by now. */
const peek = (promise: Promise<unknown>) =>
  Promise.race([promise, new Promise((resolve) => void setImmediate(resolve, 'waiting'))])

describe('createMemoryPool', () => {
  it('gives out shares until the capacity is reached', () => {
    const pool = createMemoryPool(100)
    expect([pool.tryTake(60), pool.tryTake(40), pool.tryTake(1)]).toEqual([
      expect.any(Function),
      expect.any(Function),
      null,
    ])
  })

  it('gives the whole capacity to a share that is larger', async () => {
    const pool = createMemoryPool(100)
    const release = pool.tryTake(1000)
    expect(pool.tryTake(1)).toBeNull()
    release?.()
    expect(pool.tryTake(100)).toBeTypeOf('function')
  })

  it('counts a share that is given back twice only once', () => {
    const pool = createMemoryPool(100)
    const release = pool.tryTake(60)
    pool.tryTake(40)
    release?.()
    release?.()
    expect([pool.tryTake(61), pool.tryTake(60)]).toEqual([null, expect.any(Function)])
  })

  it('serves waiting callers in their order, also when a later one would fit', async () => {
    const pool = createMemoryPool(100)
    const first = pool.tryTake(50)
    const large = pool.take(80, options())
    const small = pool.take(10, options())
    expect([await peek(large), await peek(small), pool.tryTake(1)]).toEqual(['waiting', 'waiting', null])
    first?.()
    expect(await peek(large)).toBeTypeOf('function')
    expect(await peek(small)).toBeTypeOf('function')
  })

  it('returns null after the timeout, and then serves those who wait behind', async () => {
    const pool = createMemoryPool(100)
    pool.tryTake(50)
    const large = pool.take(80, options(20))
    const small = pool.take(10, options())
    expect(await large).toBeNull()
    expect(await peek(small)).toBeTypeOf('function')
  })

  it('returns null to a caller who is gone, and then serves those who wait behind', async () => {
    const pool = createMemoryPool(100)
    pool.tryTake(50)
    const gone = new AbortController()
    const large = pool.take(80, options(10_000, gone.signal))
    const small = pool.take(10, options())
    gone.abort()
    expect(await large).toBeNull()
    expect(await peek(small)).toBeTypeOf('function')
  })

  it('gives nothing to a caller whose wait has ended when memory becomes free', async () => {
    const pool = createMemoryPool(100)
    const release = pool.tryTake(100)
    expect(await pool.take(100, options(10))).toBeNull()
    release?.()
    expect(pool.tryTake(100)).toBeTypeOf('function')
  })

  it('returns null at once behind a thousand others', async () => {
    const pool = createMemoryPool(1000)
    const release = pool.tryTake(1000)
    const waiting = Array.from({ length: 1000 }, () => pool.take(1, options()))
    expect(await peek(pool.take(1, options()))).toBeNull()
    release?.()
    expect((await Promise.all(waiting)).filter((share) => share !== null)).toHaveLength(1000)
  })
})
