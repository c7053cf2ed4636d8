import { createContext, useContext, useSyncExternalStore } from 'react'

import type { OutboxSnapshot } from './outbox-snapshot.ts'
import type { Outbox } from './outbox.ts'

/** The outbox of the user who is signed in. The shell creates it when `queries.me()` is known. */
export const OutboxContext = createContext<Outbox | null>(null)

/** Returns the outbox and what is in it, and renders again when that changes. */
export function useOutbox(): [outbox: Outbox, snapshot: OutboxSnapshot] {
  const outbox = useContext(OutboxContext)
  if (outbox === null) throw new Error('The outbox is used outside of its context.')
  return [outbox, useSyncExternalStore(outbox.subscribe, outbox.getSnapshot)]
}
