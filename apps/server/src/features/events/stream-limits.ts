/** Most streams of one user, or of one CI token, on a server. A browser needs one for each visible tab. */
export const MAX_STREAMS_PER_OWNER = 30

export interface StreamLimits {
  /** Takes a place, and returns a function that gives it back; null when there is none. */
  take(ownerId: string): (() => void) | null
}

export function createStreamLimits(maxStreams: number): StreamLimits {
  const counts = new Map<string, number>()
  let total = 0
  return {
    take(ownerId) {
      const count = counts.get(ownerId) ?? 0
      if (total >= maxStreams || count >= MAX_STREAMS_PER_OWNER) return null
      counts.set(ownerId, count + 1)
      total += 1
      let isTaken = true
      return () => {
        if (!isTaken) return
        isTaken = false
        total -= 1
        const remaining = (counts.get(ownerId) ?? 1) - 1
        if (remaining === 0) counts.delete(ownerId)
        else counts.set(ownerId, remaining)
      }
    },
  }
}
