import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { sleep, waitUntil } from '../start-server.test.helper.ts'
import { buildUndo } from './build-undo.ts'
import { describeOutbox, hasUnsavedWrites, wouldLoseWrites } from './describe-outbox.ts'
import { createProfile, openTab, writeTo } from './outbox-tab.test.helper.ts'
import { type ResultServer, startResultServer } from './result-server.test.helper.ts'

let server: ResultServer
let closes: (() => void)[] = []
beforeEach(async () => {
  server = await startResultServer()
})
afterEach(async () => {
  closes.forEach((close) => close())
  closes = []
  await server.close()
})
const open = (...args: Parameters<typeof openTab> extends [unknown, ...infer Rest] ? Rest : never) => {
  const tab = openTab(server, ...args)
  closes.push(tab.close)
  return tab
}

describe('outbox', () => {
  it('stores a write in the browser before write returns', () => {
    const profile = createProfile()
    open(profile).outbox.write(writeTo(1, 'failed', { note: 'The page is empty.' }))
    expect([...profile.storage.items.values()].join()).toContain('The page is empty.')
  })

  it('sends a write, removes it, and reports the stored time', async () => {
    const profile = createProfile()
    const tab = open(profile)
    tab.outbox.write(writeTo(1, 'passed', { note: 'Fine', elapsed: 12 }))
    expect(tab.outbox.getSnapshot().phase).toBe('saving')
    await waitUntil(tab.isIdle)
    expect(server.results.get('r1')).toMatchObject({ status: 'passed', note: 'Fine', elapsed: 12, tested_by: 'ada' })
    expect(tab.saved[0]?.testedAt).toBe(server.results.get('r1')?.tested_at)
    expect([...profile.storage.items.keys()].filter((key) => key.startsWith('caseward:outbox:'))).toEqual([])
    expect(tab.outbox.getSnapshot()).toMatchObject({ phase: 'idle', savedAt: expect.any(Number) as number })
  })

  it('merges writes to one result that wait, and keeps the fields that the later one does not set', async () => {
    server.faults = ['unavailable']
    const tab = open(createProfile())
    tab.outbox.write(writeTo(1, 'failed', { note: 'The page is empty.' }))
    tab.outbox.write(writeTo(1, 'blocked', { elapsed: 3 }))
    await waitUntil(tab.isIdle)
    expect(server.results.get('r1')).toMatchObject({ status: 'blocked', note: 'The page is empty.', elapsed: 3 })
  })

  it('sends 250 results of a run in three requests, in their order', async () => {
    const tab = open(createProfile())
    tab.outbox.write(...Array.from({ length: 250 }, (_, index) => writeTo(index + 1, 'passed')))
    await waitUntil(tab.isIdle)
    expect(server.requestSizes).toEqual([100, 100, 50])
    expect(server.writes.map(({ id }) => id)).toEqual(Array.from({ length: 250 }, (_, index) => `r${index + 1}`))
  })

  it('sends long notes in several requests, because a request body is limited to 1 MB', async () => {
    const tab = open(createProfile())
    const note = 'x'.repeat(60_000)
    tab.outbox.write(...Array.from({ length: 5 }, (_, index) => writeTo(index + 1, 'failed', { note })))
    await waitUntil(tab.isIdle)
    expect(server.requestSizes.length).toBeGreaterThan(2)
    expect(server.writes).toHaveLength(5)
  })

  it('sends the result of a deleted test case by its own id', async () => {
    const tab = open(createProfile())
    tab.outbox.write({ ...writeTo(1, 'passed'), testCaseId: null }, writeTo(2, 'passed'))
    await waitUntil(tab.isIdle)
    expect(server.writes.map(({ id }) => id)).toEqual(['r1', 'r2'])
  })

  it('stores 30 of 30 results after three 503 responses', async () => {
    server.faults = ['unavailable', 'unavailable', 'unavailable']
    const tab = open(createProfile())
    for (let number = 1; number <= 30; number += 1) tab.outbox.write(writeTo(number, 'passed'))
    await waitUntil(tab.isIdle)
    expect(server.writes).toHaveLength(30)
  })

  it('sends a write that was made while the one before was under way, with the base that was just stored', async () => {
    const tab = open(createProfile())
    tab.outbox.write(writeTo(1, 'failed'))
    await waitUntil(() => server.requestSizes.length === 1)
    tab.outbox.write(writeTo(1, 'passed'))
    await waitUntil(tab.isIdle)
    expect(server.writes.map(({ status }) => status)).toEqual(['failed', 'passed'])
    expect(tab.outbox.getSnapshot().refused).toEqual([])
  })

  it('does not take its own earlier result for a newer one of somebody else, when the page still shows the old base', async () => {
    const tab = open(createProfile())
    tab.outbox.write(writeTo(1, 'failed'), writeTo(2, 'failed'))
    await waitUntil(tab.isIdle)
    tab.outbox.write(writeTo(1, 'passed', { base: null }), writeTo(2, 'passed', { base: null }))
    await waitUntil(tab.isIdle)
    expect(server.results.get('r1')?.status).toBe('passed')
    expect(server.results.get('r2')?.status).toBe('passed')
    expect(tab.outbox.getSnapshot().refused).toEqual([])
  })

  it('undoes a write that is stored, or still waits', async () => {
    const tab = open(createProfile())
    const before = { status: 'blocked', note: 'Before', elapsed: 7 } as const
    tab.outbox.write(writeTo(1, 'blocked', { note: 'Before', elapsed: 7 }), writeTo(2, 'blocked'))
    await waitUntil(tab.isIdle)
    const writes = [writeTo(1, 'failed', { note: 'After', elapsed: 9 }), writeTo(2, 'passed')] as const
    tab.outbox.write(...writes)
    await waitUntil(tab.isIdle)
    server.faults = ['unavailable']
    tab.outbox.write(writeTo(3, 'failed', { note: 'Waits' }))
    const untested = { status: 'not_tested', note: null, elapsed: null } as const
    tab.outbox.write(buildUndo(writes[0], before), buildUndo(writes[1], before))
    tab.outbox.write(buildUndo(writeTo(3, 'failed', { note: 'Waits' }), untested))
    await waitUntil(tab.isIdle)
    expect(server.results.get('r1')).toMatchObject(before)
    expect(server.results.get('r2')).toMatchObject({ status: 'blocked', note: null })
    expect(server.results.get('r3')).toMatchObject(untested)
    expect(tab.outbox.getSnapshot().refused).toEqual([])
  })

  it('sends what an earlier visit left', async () => {
    const profile = createProfile()
    server.faults = ['drop']
    const first = open(profile)
    first.outbox.write(writeTo(1, 'failed', { note: 'Before the crash' }))
    first.close()
    await sleep(20)
    expect(server.writes).toEqual([])
    const second = open(profile)
    await waitUntil(second.isIdle)
    expect(server.results.get('r1')).toMatchObject({ status: 'failed', note: 'Before the crash' })
  })

  it('keeps writes that the full storage does not take, and asks before the tab is closed', async () => {
    const profile = createProfile()
    profile.storage.limit = 10
    server.faults = Array.from({ length: 50 }, () => 'unavailable' as const)
    const tab = open(profile)
    tab.outbox.write(writeTo(1, 'failed', { note: 'Long' }))
    await waitUntil(() => tab.outbox.getSnapshot().phase === 'retrying')
    expect(wouldLoseWrites(tab.outbox.getSnapshot())).toBe(true)
    expect(describeOutbox(tab.outbox.getSnapshot())?.text).toContain('storage is full')
    server.faults = []
    await waitUntil(tab.isIdle)
    expect(server.results.get('r1')?.note).toBe('Long')
    expect(wouldLoseWrites(tab.outbox.getSnapshot())).toBe(false)
  })

  it('stays stopped when a request under way ends', async () => {
    const tab = open(createProfile())
    tab.outbox.write(writeTo(1, 'passed'))
    tab.outbox.stop()
    await sleep(20)
    tab.outbox.write(writeTo(2, 'passed'))
    await sleep(20)
    expect(tab.outbox.getSnapshot().phase).toBe('stopped')
    expect(server.writes.map(({ id }) => id)).not.toContain('r2')
  })

  it('describes its state in words', async () => {
    server.faults = Array.from({ length: 50 }, () => 'unavailable' as const)
    const tab = open(createProfile())
    const say = () => describeOutbox(tab.outbox.getSnapshot(), { timeZone: 'UTC' })?.text
    expect(say()).toBeUndefined()
    tab.outbox.write(writeTo(1, 'passed'), writeTo(2, 'passed'), writeTo(3, 'passed'))
    expect(say()).toBe('Saving…')
    expect(hasUnsavedWrites(tab.outbox.getSnapshot())).toBe(true)
    await waitUntil(() => tab.outbox.getSnapshot().phase === 'retrying')
    expect(say()).toBe('Not saved yet, trying again (3 waiting)')
    tab.outbox.stop()
    expect(say()).toBe('Saving is stopped (3 waiting)')
    server.faults = []
    await sleep(30)
    expect(server.writes).toEqual([])
    tab.outbox.retryNow()
    await waitUntil(tab.isIdle)
    expect(say()).toMatch(/^All saved \d\d:\d\d$/)
    expect(hasUnsavedWrites(tab.outbox.getSnapshot())).toBe(false)
  })
})
