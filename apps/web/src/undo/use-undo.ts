import { useSyncExternalStore } from 'react'

import { createDelayedDeletions } from './delayed-deletions.ts'
import { createUndoStack, type UndoEntry } from './undo-stack.ts'

/** What can be undone in this tab. */
export const undoStack = createUndoStack()

/** Deletions of this tab that are not sent yet. */
export const deletions = createDelayedDeletions()
window.addEventListener('pagehide', deletions.flush)

/** Returns the action whose toast is shown; null for none. */
export function useUndoToast(): UndoEntry | null {
  return useSyncExternalStore(undoStack.subscribe, undoStack.getShown)
}

/** Returns the ids of what is being deleted, which lists do not show. */
export function useHiddenIds(): ReadonlySet<string> {
  return useSyncExternalStore(deletions.subscribe, deletions.getHiddenIds)
}
