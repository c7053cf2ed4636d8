/** A limited number of slots, of which one owner never gets all, however much it asks for. */
export interface FairSlots {
  /**
   * Waits for a slot, and returns the function that frees it.
   * @param ownerId whose slots count together
   * @throws the error of `createTimeoutError` when there is none for too long
   */
  take(ownerId: string): Promise<() => void>
}

export interface FairSlotsOptions {
  count: number
  maxPerOwner: number
  maxWaitMs: number
  createTimeoutError(): Error
}

/** An owner that has slots or waits for some. Its waiters are served in their order. */
interface Owner {
  active: number
  /** When it last got a slot, as a number that grows. */
  lastServed: number
  waiting: Set<() => void>
}

/** Gives a free slot to the waiting owner with the fewest, and of several to the one that has not got one for the longest. */
export function createFairSlots({ count, maxPerOwner, maxWaitMs, createTimeoutError }: FairSlotsOptions): FairSlots {
  const owners = new Map<string, Owner>()
  let free = count
  let servedCount = 0

  function requireOwner(ownerId: string): Owner {
    let owner = owners.get(ownerId)
    if (owner === undefined) {
      owner = { active: 0, lastServed: 0, waiting: new Set() }
      owners.set(ownerId, owner)
    }
    return owner
  }

  function forgetIdleOwner(ownerId: string): void {
    const owner = owners.get(ownerId)
    if (owner?.active === 0 && owner.waiting.size === 0) owners.delete(ownerId)
  }

  function findNextOwner(): Owner | null {
    let next: Owner | null = null
    for (const owner of owners.values()) {
      if (owner.waiting.size === 0 || owner.active >= maxPerOwner) continue
      const difference = next === null ? -1 : owner.active - next.active || owner.lastServed - next.lastServed
      if (difference < 0) next = owner
    }
    return next
  }

  function serve(): void {
    while (free > 0) {
      const owner = findNextOwner()
      const [startNext] = owner?.waiting ?? []
      if (owner === null || startNext === undefined) return
      owner.waiting.delete(startNext)
      owner.active += 1
      servedCount += 1
      owner.lastServed = servedCount
      free -= 1
      startNext()
    }
  }

  return {
    take: (ownerId) =>
      new Promise((resolve, reject) => {
        const owner = requireOwner(ownerId)
        const timer = setTimeout(() => {
          owner.waiting.delete(start)
          forgetIdleOwner(ownerId)
          reject(createTimeoutError())
        }, maxWaitMs)
        let isTaken = true
        function release(): void {
          if (!isTaken) return
          isTaken = false
          owner.active -= 1
          free += 1
          serve()
          forgetIdleOwner(ownerId)
        }
        function start(): void {
          clearTimeout(timer)
          resolve(release)
        }
        owner.waiting.add(start)
        serve()
      }),
  }
}
