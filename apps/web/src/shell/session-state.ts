import { useSyncExternalStore } from 'react'

let hasEnded = false
const listeners = new Set<() => void>()

/** Remembers whether the server has refused a request because the session ended. */
export function setSessionEnded(value: boolean): void {
  if (value === hasEnded) return
  hasEnded = value
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Returns whether the session has ended and nobody has signed in again. */
export const useSessionEnded = (): boolean => useSyncExternalStore(subscribe, () => hasEnded)
