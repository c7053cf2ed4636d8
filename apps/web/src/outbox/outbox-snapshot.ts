import type { OutboxEntry } from './outbox-entry.ts'
import type { OutboxStore } from './outbox-store.ts'
import type { PauseState } from './pause.ts'

/** What the page shows of the outbox. */
export interface OutboxSnapshot {
  /** Every unsent write by its id (`<run>/<result>`). Lists show these values in place of the server's. */
  readonly entries: ReadonlyMap<string, OutboxEntry>
  /**
   * - `idle`: nothing waits
   * - `saving`: a request is under way, or about to be
   * - `retrying`: the last request failed, the next one is at `retryAt`
   * - `session-ended`, `other-user`: nothing is sent until this user signs in
   * - `stopped`: by the user
   */
  readonly phase: 'idle' | 'saving' | PauseState['phase']
  /** Number of writes that will be sent without a decision of the user. */
  readonly waitingCount: number
  /** Writes that the server refused. The user decides. */
  readonly refused: readonly OutboxEntry[]
  /** When something was last saved, in milliseconds since 1970. */
  readonly savedAt: number | null
  /** With `retrying`: in milliseconds since 1970. */
  readonly retryAt: number | null
  /** With `retrying`: why. */
  readonly message: string | null
  /** Number of writes that would be lost if the tab were closed now: ask before that. */
  readonly unstoredCount: number
}

/** Builds what the page shows from the entries and the pause between two attempts. */
export function buildSnapshot(
  store: Pick<OutboxStore, 'list' | 'countUnstored'>,
  pause: PauseState | null,
  savedAt: number | null,
): OutboxSnapshot {
  const entries = store.list()
  const refused = entries.filter(({ problem }) => problem !== null)
  const waitingCount = entries.length - refused.length
  return {
    entries: new Map(entries.map((entry) => [entry.id, entry])),
    phase: waitingCount === 0 ? 'idle' : (pause?.phase ?? 'saving'),
    waitingCount,
    refused,
    savedAt,
    retryAt: pause?.retryAt ?? null,
    message: pause?.message ?? null,
    unstoredCount: store.countUnstored(),
  }
}
