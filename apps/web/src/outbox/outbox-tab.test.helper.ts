import type { ResultStatus } from '@caseward/client/endpoints'

import { createBrowserStorage } from '../browser-storage.ts'
import { MemoryStorage } from '../memory-storage.test.helper.ts'
import { createTabLock } from '../tab-lock.ts'
import { TestLocks } from '../test-locks.test.helper.ts'
import { createOutbox, type OutboxOptions } from './outbox.ts'
import type { OutboxEntry, ResultWrite } from './outbox-entry.ts'
import type { ResultServer } from './result-server.test.helper.ts'

/** What tabs of one browser share. */
export interface TestBrowserProfile {
  readonly storage: MemoryStorage
  readonly locks: TestLocks
}

export const createProfile = (): TestBrowserProfile => ({ storage: new MemoryStorage(), locks: new TestLocks() })

const delays = { firstRetry: 4, longestRetry: 20, session: 8, takeover: 10 }

/** Opens the outbox of a user in a new tab. */
export function openTab(server: ResultServer, profile: TestBrowserProfile, options: Partial<OutboxOptions> = {}) {
  const events = new EventTarget()
  let isCrashed = false
  const saved: { entry: OutboxEntry; testedAt: string | null }[] = []
  const outbox = createOutbox({
    userId: 'ada',
    client: server.client,
    storage: createBrowserStorage(() => {
      if (isCrashed) throw new Error('The tab has crashed')
      return profile.storage
    }),
    lock: createTabLock(profile.locks.manager),
    events,
    hasFocus: () => false,
    onSaved: (entry, testedAt) => saved.push({ entry, testedAt }),
    delays,
    ...options,
  })
  const stop = outbox.start()
  return {
    outbox,
    /** What the page was told to show. */
    saved,
    /** Ends the tab, as a crash does: nothing runs before it. */
    close() {
      isCrashed = true
      stop()
    },
    dispatch: (name: string) => events.dispatchEvent(new Event(name)),
    /** Tells the tab that another one has changed the storage. */
    dispatchStorage: (key: string) => events.dispatchEvent(Object.assign(new Event('storage'), { key })),
    isIdle: () => outbox.getSnapshot().waitingCount === 0,
  }
}

/** A write to result `r<number>` of a run. */
export const writeTo = (
  number: number,
  status: ResultStatus,
  more: Partial<Pick<ResultWrite, 'note' | 'elapsed' | 'steps' | 'stepState' | 'base' | 'runId'>> = {},
) => ({
  runId: 'run1',
  resultId: `r${number}`,
  testCaseId: `WEB-${number}`,
  title: `Test case ${number}`,
  status,
  base: null,
  ...more,
})
