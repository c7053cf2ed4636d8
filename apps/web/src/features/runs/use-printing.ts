import { useSyncExternalStore } from 'react'

const query = window.matchMedia('print')

function subscribe(listener: () => void): () => void {
  query.addEventListener('change', listener)
  return () => query.removeEventListener('change', listener)
}

/** Returns whether the page is being printed. What only paper shows is built then. */
export const usePrinting = (): boolean => useSyncExternalStore(subscribe, () => query.matches)
