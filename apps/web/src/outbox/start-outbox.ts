import type { QueryClient } from '@tanstack/react-query'

import { outboxApi } from '../api.ts'
import { browserStorage } from '../browser-storage.ts'
import { queryKeys } from '../query-keys.ts'
import { createTabLock } from '../tab-lock.ts'
import { wouldLoseWrites } from './describe-outbox.ts'
import type { OutboxEntry } from './outbox-entry.ts'
import { createOutbox, type Outbox } from './outbox.ts'
import { patchSavedResult } from './patch-saved-result.ts'

/**
 * Creates and starts the outbox of the user who is signed in, in this browser.
 * @returns the outbox, and a function that stops it
 */
export function startOutbox(userId: string, queryClient: QueryClient): { outbox: Outbox; stop: () => void } {
  const outbox = createOutbox({
    userId,
    client: outboxApi,
    storage: browserStorage,
    // Undefined on HTTP, which the types do not know.
    lock: createTabLock((navigator as Partial<Navigator>).locks),
    events: window,
    hasFocus: () => document.hasFocus(),
    onSaved: (entry, testedAt) => patchSavedResult(queryClient, userId, entry, testedAt),
  })
  const askBeforeLoss = (event: BeforeUnloadEvent) => {
    if (wouldLoseWrites(outbox.getSnapshot())) event.preventDefault()
  }
  window.addEventListener('beforeunload', askBeforeLoss)
  const stopRefreshing = refreshAfterRefusals(outbox, queryClient)
  const stop = outbox.start()
  return {
    outbox,
    stop() {
      window.removeEventListener('beforeunload', askBeforeLoss)
      stopRefreshing()
      stop()
    },
  }
}

/** Reads again what has changed when the server refuses a result: the user's rights, or the run, which was completed. */
function refreshAfterRefusals(outbox: Outbox, queryClient: QueryClient): () => void {
  const known = new Set(outbox.getSnapshot().refused.map(getKey))
  return outbox.subscribe(() => {
    const refused = outbox.getSnapshot().refused
    const added = refused.filter((entry) => !known.has(getKey(entry)))
    known.clear()
    for (const entry of refused) known.add(getKey(entry))
    for (const { problem, runId } of added) {
      if (problem?.kind === 'forbidden') void queryClient.invalidateQueries({ queryKey: queryKeys.projects() })
      if (problem?.kind === 'run-completed') void queryClient.invalidateQueries({ queryKey: queryKeys.run(runId) })
    }
  })
}

const getKey = ({ id, problem }: OutboxEntry) => `${id} ${problem?.kind}`
