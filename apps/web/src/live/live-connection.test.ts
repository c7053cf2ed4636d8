import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { sleep, waitUntil } from '../start-server.test.helper.ts'
import { TestLocks } from '../test-locks.test.helper.ts'
import { type EventServer, startEventServer } from './event-server.test.helper.ts'
import { TestEventSource } from './event-source.test.helper.ts'
import { connectLive, type LiveState } from './live-connection.ts'
import type { LiveEvent } from './live-events.ts'

let server: EventServer
let closes: (() => void)[] = []
beforeEach(async () => {
  server = await startEventServer()
})
afterEach(async () => {
  closes.forEach((close) => close())
  closes = []
  await server.close()
})

/** Opens a tab that shows a run. Tabs with the same locks are those of one browser. */
function openTab(locks?: TestLocks) {
  const visibility = new EventTarget()
  const tab = {
    isVisible: true,
    state: 'off' as LiveState,
    states: [] as LiveState[],
    events: [] as LiveEvent[],
    gaps: 0,
    show(isVisible: boolean) {
      tab.isVisible = isVisible
      visibility.dispatchEvent(new Event('visibilitychange'))
    },
    close: () => {},
  }
  tab.close = connectLive({
    url: `${server.url}/v1/runs/1/events`,
    browser: {
      createSource: (url) => new TestEventSource(url),
      locks,
      createChannel: (name) => new BroadcastChannel(name + server.url),
      isVisible: () => tab.isVisible,
      visibility,
    },
    onEvent: (event) => tab.events.push(event),
    onGap: () => {
      tab.gaps += 1
    },
    onState: (state) => {
      tab.state = state
      tab.states.push(state)
    },
    delays: { hidden: 40, poll: 30, syncTimeout: server.mode === 'silent' ? 60 : 3000, retry: 80 },
  })
  closes.push(tab.close)
  return tab
}

describe('connectLive in one tab', () => {
  it('is live after sync, reads what has changed, and passes events on', async () => {
    const tab = openTab()
    await waitUntil(() => tab.state === 'live')
    expect(tab.states).toEqual(['connecting', 'live'])
    expect(tab.gaps).toBe(1)
    server.send('run', { id: 'r', status: 'completed' }, 't7')
    await waitUntil(() => tab.events.length === 1)
    expect(tab.events[0]).toEqual({ name: 'run', data: { id: 'r', status: 'completed' }, id: 't7' })
  })

  it('says that it reconnects, continues after the last event, and reads what has changed meanwhile', async () => {
    const tab = openTab()
    await waitUntil(() => tab.state === 'live')
    server.send('run', { id: 'r' }, 't7')
    await waitUntil(() => tab.events.length === 1)
    server.disconnect()
    await waitUntil(() => tab.gaps === 2)
    expect(tab.states).toEqual(['connecting', 'live', 'reconnecting', 'live'])
    expect(server.lastEventIds).toEqual([undefined, 't7'])
  })

  it('polls when the server has no stream left, and goes back to the stream when it has', async () => {
    server.mode = 'full'
    const tab = openTab()
    await waitUntil(() => tab.state === 'polling' && tab.gaps >= 2)
    server.mode = 'open'
    await waitUntil(() => tab.state === 'live')
    const { gaps } = tab
    await sleep(80)
    expect(tab.gaps).toBe(gaps)
  })

  it('polls behind a proxy that holds events back, and closes that stream', async () => {
    server.mode = 'silent'
    const tab = openTab()
    await waitUntil(() => tab.state === 'polling')
    await waitUntil(() => server.countStreams() === 0)
    await waitUntil(() => tab.gaps >= 2)
    expect(tab.states).toEqual(['connecting', 'polling'])
  })

  it('leaves the stream some time after the tab is hidden, and returns when it is visible', async () => {
    const tab = openTab()
    await waitUntil(() => tab.state === 'live')
    tab.show(false)
    await sleep(10)
    tab.show(true)
    await sleep(60)
    expect(server.countStreams()).toBe(1)
    tab.show(false)
    await waitUntil(() => tab.state === 'off' && server.countStreams() === 0)
    tab.show(true)
    await waitUntil(() => tab.state === 'live')
    expect(tab.gaps).toBe(2)
  })
})

describe('connectLive in several tabs', () => {
  it('opens one stream, and passes its events to all tabs', async () => {
    const locks = new TestLocks()
    const tabs = Array.from({ length: 8 }, () => openTab(locks))
    await waitUntil(() => tabs.every((tab) => tab.state === 'live'))
    server.send('run', { id: 'r' })
    await waitUntil(() => tabs.every((tab) => tab.events.length === 1))
    expect(server.requestCount).toBe(1)
  })

  it('lets the next tab take over when the leader is closed, and all read what has changed', async () => {
    const locks = new TestLocks()
    const leader = openTab(locks)
    const tabs = [openTab(locks), openTab(locks)]
    await waitUntil(() => tabs.every((tab) => tab.state === 'live'))
    const gaps = tabs.map((tab) => tab.gaps)
    leader.close()
    await waitUntil(() => server.requestCount === 2)
    await waitUntil(() => tabs.every((tab, index) => tab.gaps > (gaps[index] ?? 0)))
    server.send('run', { id: 'r' })
    await waitUntil(() => tabs.every((tab) => tab.events.length === 1))
    expect(server.countStreams()).toBe(1)
  })

  it('tells a tab that opens later the state, and that it may have missed events', async () => {
    const locks = new TestLocks()
    const leader = openTab(locks)
    await waitUntil(() => leader.state === 'live')
    const tab = openTab(locks)
    await waitUntil(() => tab.state === 'live' && tab.gaps === 1)
    expect(server.requestCount).toBe(1)
  })

  it('tells all tabs that the stream is unavailable', async () => {
    server.mode = 'full'
    const locks = new TestLocks()
    const tabs = [openTab(locks), openTab(locks)]
    await waitUntil(() => tabs.every((tab) => tab.state === 'polling' && tab.gaps >= 2))
    expect(server.countStreams()).toBe(0)
  })
})
