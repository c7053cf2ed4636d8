/** Whose work waits. */
export interface QueueClient {
  /** Clients take turns, however much work each of them has. */
  key: string
  /** Work of known clients goes first, and waits apart from that of others. */
  isKnown: boolean
}

export interface FairQueueSettings {
  /** How much work is done at the same time. */
  concurrency: number
  /** How much work of known clients, and of others, can wait. */
  maxWaiting: number
  /** Work that has waited longer is refused when its turn comes: nobody may wait for it any more. */
  maxWaitMs: number
  /** Makes the error of work that is refused. */
  createError: () => Error
}

/** Runs work once it is its turn. Rejects when it is refused. */
export type FairQueue = <T>(client: QueueClient, work: () => Promise<T>) => Promise<T>

interface Waiter {
  queuedAt: number
  start(): void
  refuse(): void
}

/** After so many known clients, one of the others has its turn. */
const KNOWN_TURNS = 3

/**
 * Creates a queue of bounded length for work that takes a processor for long. When it is full, the client with the most work
 * loses its newest, so that a flood of one client keeps no other out; and however many unknown clients there are, known ones
 * wait for each other only.
 */
export function createFairQueue({ concurrency, maxWaiting, maxWaitMs, createError }: FairQueueSettings): FairQueue {
  const lanes = { known: createLane(maxWaiting), others: createLane(maxWaiting) }
  let runningCount = 0
  let knownTurns = 0

  function takeNext(): Waiter | undefined {
    const isTurnOfOthers = knownTurns >= KNOWN_TURNS
    const [first, second] = isTurnOfOthers ? [lanes.others, lanes.known] : [lanes.known, lanes.others]
    const waiter = first.take() ?? second.take()
    knownTurns = isTurnOfOthers ? 0 : knownTurns + 1
    return waiter
  }

  function startNext(): void {
    if (runningCount >= concurrency) return
    let waiter = takeNext()
    while (waiter !== undefined && performance.now() - waiter.queuedAt > maxWaitMs) {
      waiter.refuse()
      waiter = takeNext()
    }
    waiter?.start()
  }

  return (client, work) =>
    new Promise((resolve, reject) => {
      const start = () => {
        runningCount += 1
        void work()
          .then(resolve, reject)
          .finally(() => {
            runningCount -= 1
            startNext()
          })
      }
      const lane = client.isKnown ? lanes.known : lanes.others
      lane.add(client.key, { queuedAt: performance.now(), start, refuse: () => reject(createError()) })
      startNext()
    })
}

/** Work that waits, by client. */
function createLane(maxWaiting: number) {
  // The client whose turn is next comes first.
  const waitersByKey = new Map<string, Waiter[]>()
  let count = 0

  function findLongest(): Waiter[] {
    let longest: Waiter[] = []
    for (const waiters of waitersByKey.values()) if (waiters.length > longest.length) longest = waiters
    return longest
  }

  return {
    add(key: string, waiter: Waiter): void {
      const waiters = waitersByKey.get(key) ?? []
      if (count >= maxWaiting) {
        const longest = findLongest()
        // Of equals, those who wait already.
        if (longest.length <= waiters.length + 1) {
          waiter.refuse()
          return
        }
        longest.pop()?.refuse()
        count -= 1
      }
      waiters.push(waiter)
      waitersByKey.set(key, waiters)
      count += 1
    },
    /** Takes the oldest work of the next client. */
    take(): Waiter | undefined {
      const next = waitersByKey.entries().next().value
      if (next === undefined) return undefined
      const [key, waiters] = next
      const waiter = waiters.shift()
      waitersByKey.delete(key)
      if (waiters.length > 0) waitersByKey.set(key, waiters)
      count -= 1
      return waiter
    },
  }
}
