import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { createBrowserStorage } from '../browser-storage.ts'
import { sleep, waitUntil } from '../start-server.test.helper.ts'
import { createTabLock } from '../tab-lock.ts'
import { describeOutbox } from './describe-outbox.ts'
import { createProfile, openTab, type TestBrowserProfile, writeTo } from './outbox-tab.test.helper.ts'
import { type ResultServer, startResultServer } from './result-server.test.helper.ts'

let server: ResultServer
let profile: TestBrowserProfile
let closes: (() => void)[] = []
beforeEach(async () => {
  server = await startResultServer()
  profile = createProfile()
})
afterEach(async () => {
  closes.forEach((close) => close())
  closes = []
  await server.close()
})
function open(options?: Parameters<typeof openTab>[2]) {
  const tab = openTab(server, profile, options)
  closes.push(tab.close)
  return tab
}

describe('outbox, when the session ends', () => {
  it('keeps writes, and sends them after the user has signed in again', async () => {
    server.user = null
    const tab = open()
    tab.outbox.write(writeTo(1, 'failed', { note: 'Kept' }))
    await waitUntil(() => tab.outbox.getSnapshot().phase === 'session-ended')
    expect(describeOutbox(tab.outbox.getSnapshot())).toEqual({
      text: 'Your session ended. Sign in to save (1 waiting)',
      tone: 'problem',
    })
    server.user = 'ada'
    await waitUntil(tab.isIdle)
    expect(server.results.get('r1')).toMatchObject({ status: 'failed', note: 'Kept', tested_by: 'ada' })
  })

  it('says that writes are saved which another tab has sent, also if it looks before the event of the storage', async () => {
    server.user = null
    const first = open({ delays: { session: 60_000 } })
    first.outbox.write(writeTo(1, 'failed'))
    await waitUntil(() => first.outbox.getSnapshot().phase === 'session-ended')
    server.user = 'ada'
    const second = open()
    await waitUntil(() => second.isIdle() && server.writes.length === 1)
    first.dispatch('focus')
    expect(describeOutbox(first.outbox.getSnapshot())?.text).toMatch(/^All saved/)
  })

  it('never sends the writes of a user with the session of another one', async () => {
    const ada = open()
    server.user = 'bob'
    ada.outbox.write(writeTo(1, 'failed'))
    await waitUntil(() => ada.outbox.getSnapshot().phase === 'other-user')
    const bob = open({ userId: 'bob' })
    bob.outbox.write(writeTo(2, 'passed'))
    await waitUntil(bob.isIdle)
    await sleep(30)
    expect(server.writes).toEqual([{ id: 'r2', status: 'passed', by: 'bob' }])
    expect(bob.outbox.countOthers()).toBe(1)
    server.user = 'ada'
    await waitUntil(ada.isIdle)
    expect(server.writes.at(-1)).toEqual({ id: 'r1', status: 'failed', by: 'ada' })
  })

  it('checks the session again after the tab has lost the focus', async () => {
    const tab = open({ hasFocus: () => true })
    tab.outbox.write(writeTo(1, 'passed'))
    await waitUntil(tab.isIdle)
    // The user signs in as somebody else in another window.
    tab.dispatch('blur')
    server.user = 'bob'
    tab.outbox.write(writeTo(2, 'passed'))
    await waitUntil(() => tab.outbox.getSnapshot().phase === 'other-user')
    expect(server.writes.map(({ id }) => id)).toEqual(['r1'])
  })
})

describe('outbox, when the network is back', () => {
  it('sends at once', async () => {
    server.faults = ['drop']
    const tab = open({ delays: { firstRetry: 60_000, longestRetry: 60_000 } })
    tab.outbox.write(writeTo(1, 'passed'), writeTo(2, 'passed'))
    await waitUntil(() => tab.outbox.getSnapshot().phase === 'retrying')
    expect(tab.outbox.getSnapshot().waitingCount).toBe(2)
    tab.dispatch('online')
    await waitUntil(tab.isIdle)
    expect(server.writes).toHaveLength(2)
  })
})

describe('outbox in two tabs', () => {
  it('sends each write once', async () => {
    const tabs = [open(), open()]
    profile.storage.onChange = (key) => tabs.forEach((tab) => tab.dispatchStorage(key))
    for (let number = 1; number <= 40; number += 1) tabs[number % 2]?.outbox.write(writeTo(number, 'passed'))
    await waitUntil(() => tabs.every((tab) => tab.isIdle()))
    await sleep(30)
    expect(server.writes.map(({ id }) => id).toSorted()).toEqual(
      Array.from({ length: 40 }, (_, index) => `r${index + 1}`).toSorted(),
    )
  })

  it('sends the writes of a tab that was closed', async () => {
    const other = open()
    const tab = open()
    profile.storage.onChange = (key) => other.dispatchStorage(key)
    server.faults = ['drop']
    tab.outbox.write(writeTo(1, 'passed'))
    tab.close()
    await waitUntil(() => server.writes.length === 1)
    await waitUntil(other.isIdle)
    expect(other.outbox.getSnapshot().savedAt).not.toBeNull()
  })

  it('sends each write once where the browser has no locks (HTTP)', async () => {
    const createLock = () =>
      createTabLock(
        undefined,
        createBrowserStorage(() => profile.storage),
      )
    const tabs = [open({ lock: createLock() }), open({ lock: createLock() })]
    for (let number = 1; number <= 6; number += 1) tabs[number % 2]?.outbox.write(writeTo(number, 'passed'))
    await waitUntil(() => server.writes.length >= 6)
    await waitUntil(() => tabs.every((tab) => tab.outbox.getSnapshot().phase !== 'retrying'))
    expect(server.writes).toHaveLength(6)
  })
})
