import { draftItem, type Drafts } from '../../drafts/drafts.ts'

/** The notes of a run that are typed and not saved. */
export interface Notes {
  /** Returns what was typed for a result; null for nothing. */
  read(id: string): string | null
  /** Keeps what was typed, in this browser. @param saved the note on the server: the same text is no draft */
  type(id: string, text: string, saved: string): void
  forget(id: string): void
  subscribe(listener: () => void): () => void
}

/** The key of the note for all selected results. */
export const BULK_NOTE = 'selected'

/** Creates the notes of a run. What does not fit into the storage of the browser is kept until the tab is closed. */
export function createNotes(drafts: Drafts, runId: string): Notes {
  const typed = new Map<string, string | null>()
  const listeners = new Set<() => void>()
  const notify = () => listeners.forEach((listener) => listener())
  const toItem = (id: string) => draftItem('note', runId, id)

  function forget(id: string): void {
    typed.set(id, null)
    drafts.remove(toItem(id))
    notify()
  }
  return {
    read(id) {
      let text = typed.get(id)
      if (text === undefined) {
        text = drafts.read(toItem(id))?.text ?? null
        typed.set(id, text)
      }
      return text
    },
    type(id, text, saved) {
      if (text === saved) return forget(id)
      typed.set(id, text)
      drafts.save(toItem(id), text)
      notify()
    },
    forget,
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}
