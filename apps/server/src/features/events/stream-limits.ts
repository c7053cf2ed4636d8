/**
 * Most streams of one owner on a server: of a user, over all sessions and personal tokens, or of all CI tokens of a project. A
 * browser needs one for each visible tab.
 */
export const MAX_STREAMS_PER_OWNER = 30

export interface StreamLimits {
  /**
   * Takes a place. When there is none, an owner with few streams gets that of the oldest stream of the owner with the most.
   * @param onDisplaced called when another owner gets the place: the stream must end
   * @returns a function that gives the place back; null when there is none
   */
  take(ownerId: string, onDisplaced: () => void): (() => void) | null
}

interface Place {
  release(): void
  onDisplaced(): void
}

export function createStreamLimits(maxStreams: number): StreamLimits {
  /** Oldest first. */
  const placesByOwner = new Map<string, Set<Place>>()
  let total = 0

  const count = (ownerId: string) => placesByOwner.get(ownerId)?.size ?? 0

  /** Frees a place of the owner with the most, unless that one would then have fewer than the new one. */
  function displace(newOwnerId: string): boolean {
    let most: ReadonlySet<Place> = new Set()
    for (const places of placesByOwner.values()) if (places.size > most.size) most = places
    const [oldest] = most
    if (oldest === undefined || most.size <= count(newOwnerId) + 1) return false
    oldest.release()
    oldest.onDisplaced()
    return true
  }

  return {
    take(ownerId, onDisplaced) {
      if (count(ownerId) >= MAX_STREAMS_PER_OWNER) return null
      if (total >= maxStreams && !displace(ownerId)) return null
      const place: Place = {
        release() {
          const places = placesByOwner.get(ownerId)
          if (places?.delete(place) !== true) return
          total -= 1
          if (places.size === 0) placesByOwner.delete(ownerId)
        },
        onDisplaced,
      }
      placesByOwner.set(ownerId, (placesByOwner.get(ownerId) ?? new Set()).add(place))
      total += 1
      return place.release
    },
  }
}
