import { useMemo, useSyncExternalStore } from 'react'

import { useDrafts } from '../../drafts/use-drafts.ts'
import { createNotes, type Notes } from './notes.ts'

/** Returns the notes of a run that are typed and not saved. */
export function useNotes(runId: string): Notes {
  const drafts = useDrafts()
  return useMemo(() => createNotes(drafts, runId), [drafts, runId])
}

/** Returns what is typed for a result; null for nothing. */
export const useTypedNote = (notes: Notes, id: string): string | null =>
  useSyncExternalStore(notes.subscribe, () => notes.read(id))
