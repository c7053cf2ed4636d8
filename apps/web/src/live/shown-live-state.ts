import { useSyncExternalStore } from 'react'

import type { LiveState } from './live-connection.ts'

let shown: LiveState | null = null
const listeners = new Set<() => void>()

/** Tells the header whether changes of others appear at once; null for a page that has no stream. */
export function showLiveState(state: LiveState | null): void {
  if (state === shown) return
  shown = state
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Returns the state of the page's stream; null if it has none. */
export const useShownLiveState = (): LiveState | null => useSyncExternalStore(subscribe, () => shown)
