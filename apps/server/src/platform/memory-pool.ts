/** Gives a share back. Further calls have no effect. */
export type ReleaseMemory = () => void

interface WaitOptions {
  timeoutMs: number
  /** Ends the wait, for example because the client is gone. */
  signal: AbortSignal
}

/** Memory that requests share. It is only counted, not allocated. */
export interface MemoryPool {
  /** Takes a share if it is free and nobody waits for one; null otherwise. */
  tryTake(bytes: number): ReleaseMemory | null
  /** Takes a share as soon as it is free, in the order of the calls; null when the wait ends before. */
  take(bytes: number, options: WaitOptions): Promise<ReleaseMemory | null>
}

/** A waiting request holds a connection, and it would time out anyway behind this many. */
const MAX_WAITING = 1000

/**
 * Creates a pool: a semaphore with weights. `async-mutex` has one, but its waiters stay in the queue, and block it, after
 * they have timed out.
 * @param capacity in bytes. Whoever asks for more gets all of it
 */
export function createMemoryPool(capacity: number): MemoryPool {
  let free = capacity
  const waiting = new Set<{ share: number; end: (release: ReleaseMemory | null) => void }>()

  function occupy(share: number): ReleaseMemory {
    free -= share
    let isReleased = false
    return () => {
      if (isReleased) return
      isReleased = true
      free += share
      serveWaiting()
    }
  }

  function serveWaiting(): void {
    for (const { share, end } of waiting) {
      if (share > free) return
      end(occupy(share))
    }
  }

  return {
    tryTake(bytes) {
      const share = Math.min(bytes, capacity)
      return waiting.size > 0 || share > free ? null : occupy(share)
    },
    async take(bytes, { timeoutMs, signal }) {
      const release = this.tryTake(bytes)
      if (release !== null || timeoutMs <= 0 || signal.aborted || waiting.size >= MAX_WAITING) return release
      return await new Promise((resolve) => {
        const waiter = { share: Math.min(bytes, capacity), end }
        const timer = setTimeout(giveUp, timeoutMs)
        signal.addEventListener('abort', giveUp)
        waiting.add(waiter)

        function end(taken: ReleaseMemory | null): void {
          waiting.delete(waiter)
          clearTimeout(timer)
          signal.removeEventListener('abort', giveUp)
          resolve(taken)
        }
        function giveUp(): void {
          end(null)
          // Those behind may need less.
          serveWaiting()
        }
      })
    },
  }
}
