import { useSyncExternalStore } from 'react'

/** Below this width, pages show one part at a time. */
const query = window.matchMedia('(width < 900px)')

function subscribe(listener: () => void): () => void {
  query.addEventListener('change', listener)
  return () => query.removeEventListener('change', listener)
}

/** Returns whether the window has room for one part of a page only: a phone, a tablet, or a high zoom. */
export const useNarrow = (): boolean => useSyncExternalStore(subscribe, () => query.matches)
