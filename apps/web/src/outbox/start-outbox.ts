import type { QueryClient } from '@tanstack/react-query'

import { outboxApi } from '../api.ts'
import { browserStorage } from '../browser-storage.ts'
import { createTabLock } from '../tab-lock.ts'
import { wouldLoseWrites } from './describe-outbox.ts'
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
  const stop = outbox.start()
  return {
    outbox,
    stop() {
      window.removeEventListener('beforeunload', askBeforeLoss)
      stop()
    },
  }
}
