import { describe, expect, it } from 'vitest'

import { createBrowserStorage } from './browser-storage.ts'
import { MemoryStorage } from './memory-storage.test.helper.ts'
import { sleep, waitUntil } from './start-server.test.helper.ts'
import { createTabLock } from './tab-lock.ts'
import { TestLocks } from './test-locks.test.helper.ts'

const createLeaseTab = (storage: MemoryStorage) =>
  createTabLock(
    undefined,
    createBrowserStorage(() => storage),
  )

/** Records how many tasks run at the same time. */
function createTask(log: string[], name: string) {
  return async () => {
    log.push(`${name} begins`)
    await sleep(5)
    log.push(`${name} ends`)
    return name
  }
}

/** Whether each task ended before the next one began. */
const isSequential = (log: readonly string[]) =>
  log.every((line, index) => index % 2 === 0 || line === log[index - 1]?.replace('begins', 'ends'))

describe.each([
  ['leases in the storage', (storage: MemoryStorage, _locks: TestLocks) => createLeaseTab(storage)],
  ['locks of the browser', (_: MemoryStorage, locks: TestLocks) => createTabLock(locks.manager)],
])('tab lock with %s', (_, createTab) => {
  it('runs one task of all tabs at a time', async () => {
    const storage = new MemoryStorage()
    const locks = new TestLocks()
    const log: string[] = []
    const tabs = ['a', 'b', 'c'].map((name) => ({ name, lock: createTab(storage, locks) }))
    const results = await Promise.all(
      tabs.flatMap(({ name, lock }) => [
        lock.run('outbox', createTask(log, `${name}1`)),
        lock.run('outbox', createTask(log, `${name}2`)),
      ]),
    )
    expect(results).toEqual(['a1', 'a2', 'b1', 'b2', 'c1', 'c2'])
    expect(log).toHaveLength(12)
    expect(isSequential(log)).toBe(true)
  })

  it('runs tasks of different names at the same time', async () => {
    const lock = createTab(new MemoryStorage(), new TestLocks())
    let begun = 0
    // Ends only if both have begun.
    const task = async () => {
      begun += 1
      await waitUntil(() => begun === 2)
    }
    await Promise.all([lock.run('one', task), lock.run('two', task)])
    expect(begun).toBe(2)
  })

  it('is free again after a task has failed', async () => {
    const lock = createTab(new MemoryStorage(), new TestLocks())
    const fail = lock.run('outbox', () => Promise.reject(new Error('failed')))
    await expect(fail).rejects.toThrow('failed')
    expect(await lock.run('outbox', async () => 'done')).toBe('done')
  })
})

describe('tab lock with leases in the storage', () => {
  it('takes over the lease of a tab that has crashed', async () => {
    const storage = new MemoryStorage()
    storage.setItem('caseward:lock:outbox', JSON.stringify({ owner: 'crashed', until: Date.now() + 100 }))
    const start = Date.now()
    await createLeaseTab(storage).run('outbox', async () => {})
    expect(Date.now() - start).toBeGreaterThanOrEqual(99)
    expect(storage.length).toBe(0)
  })

  it('runs the task when there is no storage to share', async () => {
    const storage = new MemoryStorage()
    storage.limit = 0
    expect(await createLeaseTab(storage).run('outbox', async () => 'done')).toBe('done')
  })
})
