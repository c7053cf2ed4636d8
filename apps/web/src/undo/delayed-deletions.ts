import { UNDO_MS } from './undo-stack.ts'

/** A deletion that is sent later. */
export interface Deletion {
  /** Ids of what disappears from lists at once. */
  readonly ids: readonly string[]
  /** Sends it. @param keepalive whether the page is being closed: pass it to fetch */
  readonly send: (keepalive: boolean) => Promise<void>
  /** Called when it failed: the rows appear again, and the page shows why. */
  readonly onFailed: (error: unknown) => void
}

export interface DelayedDeletions {
  /**
   * Hides the items now and deletes them after 8 s, or when the page is closed.
   * @returns a function that cancels the deletion; it returns whether it was in time
   */
  schedule(deletion: Deletion): () => boolean
  /** Returns the ids that lists do not show. */
  getHiddenIds(): ReadonlySet<string>
  /** Sends all at once. Called on `pagehide`. */
  flush(): void
  subscribe(listener: () => void): () => void
}

/** Creates the deletions that can still be undone in this tab. */
export function createDelayedDeletions(delayMs = UNDO_MS): DelayedDeletions {
  const listeners = new Set<() => void>()
  const waiting = new Map<Deletion, ReturnType<typeof setTimeout>>()
  const sending = new Set<Deletion>()
  let hiddenIds: ReadonlySet<string> = new Set<string>()

  function update(): void {
    hiddenIds = new Set([...waiting.keys(), ...sending].flatMap(({ ids }) => ids))
    listeners.forEach((listener) => listener())
  }
  async function send(deletion: Deletion, keepalive: boolean): Promise<void> {
    clearTimeout(waiting.get(deletion))
    waiting.delete(deletion)
    sending.add(deletion)
    try {
      await deletion.send(keepalive)
    } catch (error) {
      deletion.onFailed(error)
    } finally {
      sending.delete(deletion)
      update()
    }
  }

  return {
    schedule(deletion) {
      waiting.set(
        deletion,
        setTimeout(() => void send(deletion, false), delayMs),
      )
      update()
      return () => {
        if (!waiting.has(deletion)) return false
        clearTimeout(waiting.get(deletion))
        waiting.delete(deletion)
        update()
        return true
      }
    },
    getHiddenIds: () => hiddenIds,
    flush() {
      for (const deletion of waiting.keys()) void send(deletion, true)
    },
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}
