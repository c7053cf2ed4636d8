/** Something that can be undone. */
export interface UndoableAction {
  /** What was done, for the toast: "2 test cases moved to Payment". */
  readonly words: string
  /** Sends the inverse, or cancels the action if it is not sent yet. */
  readonly undo: () => void | Promise<void>
  /** Shows no toast: the action is one of many small ones, and the page shows how to take it back. */
  readonly isQuiet?: true
}

/** An action in the stack. */
export interface UndoEntry extends UndoableAction {
  readonly id: number
}

export interface UndoStack {
  /** Adds an action and shows its toast, unless it is quiet. @returns its id */
  push(action: UndoableAction): number
  /** Undoes an action, or the last one (`Ctrl/⌘ Z`). Does nothing if there is none. Rejects as `undo` does; the action is then kept. */
  undo(id?: number): Promise<void>
  /** Removes an action that can no longer be undone. */
  remove(id: number): void
  /** Returns the action of the toast; null if none is shown. */
  getShown(): UndoEntry | null
  /** Called when the toast of an action has closed. `Ctrl/⌘ Z` still undoes the action. */
  hide(id: number): void
  subscribe(listener: () => void): () => void
}

/** How long a deletion can be undone. */
export const UNDO_MS = 8000
const MAX_ENTRIES = 50

/** Creates the actions that can be undone in this tab. They are lost on reload. */
export function createUndoStack(): UndoStack {
  const listeners = new Set<() => void>()
  let entries: readonly UndoEntry[] = []
  let shown: UndoEntry | null = null
  let lastId = 0

  function show(entry: UndoEntry | null): void {
    shown = entry
    listeners.forEach((listener) => listener())
  }
  function remove(id: number): void {
    entries = entries.filter((entry) => entry.id !== id)
    if (shown?.id === id) show(null)
  }

  return {
    push(action) {
      lastId += 1
      const entry = { ...action, id: lastId }
      entries = [...entries, entry].slice(-MAX_ENTRIES)
      // A toast of an earlier action would not be what Ctrl/⌘ Z undoes.
      show(action.isQuiet === true ? null : entry)
      return entry.id
    },
    async undo(id) {
      const entry = id === undefined ? entries.at(-1) : entries.find((candidate) => candidate.id === id)
      if (entry === undefined) return
      // A second Ctrl/⌘ Z undoes the action before.
      remove(entry.id)
      try {
        await entry.undo()
      } catch (error) {
        entries = [...entries, entry].toSorted((a, b) => a.id - b.id)
        throw error
      }
    },
    remove,
    getShown: () => shown,
    hide(id) {
      if (shown?.id === id) show(null)
    },
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}
