import { createContext, useContext } from 'react'

import type { Drafts } from './drafts.ts'

/** The drafts of the user who is signed in. */
export const DraftsContext = createContext<Drafts | null>(null)

/** Returns the drafts of the user. */
export function useDrafts(): Drafts {
  const drafts = useContext(DraftsContext)
  if (drafts === null) throw new Error('Drafts are used outside of their context.')
  return drafts
}
