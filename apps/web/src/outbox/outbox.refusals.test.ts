import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { sleep, waitUntil } from '../start-server.test.helper.ts'
import { createProfile, openTab, writeTo } from './outbox-tab.test.helper.ts'
import { type ResultServer, startResultServer } from './result-server.test.helper.ts'

let server: ResultServer
let tab: ReturnType<typeof openTab>
beforeEach(async () => {
  server = await startResultServer()
  tab = openTab(server, createProfile())
})
afterEach(async () => {
  tab.close()
  await server.close()
})
const getRefused = () => tab.outbox.getSnapshot().refused

describe('outbox, when the server refuses a write', () => {
  it('keeps the write to a completed run, and sends it after the run is reopened', async () => {
    server.completedRuns.add('run1')
    tab.outbox.write(writeTo(1, 'failed', { note: 'Kept' }), writeTo(2, 'passed'))
    await waitUntil(tab.isIdle)
    expect(getRefused().map(({ problem, note }) => [problem?.kind, note])).toEqual([
      ['run-completed', 'Kept'],
      ['run-completed', undefined],
    ])
    server.completedRuns.clear()
    tab.outbox.retryRun('run1')
    await waitUntil(() => getRefused().length === 0 && tab.isIdle())
    expect(server.results.get('r1')).toMatchObject({ status: 'failed', note: 'Kept' })
    expect(server.results.get('r2')?.status).toBe('passed')
  })

  it('asks about the result of somebody else with the same status if there are steps, which could be other ones', async () => {
    server.set('r1', 'passed', 'bob')
    server.set('r2', 'passed', 'bob')
    tab.outbox.write(writeTo(1, 'passed', { steps: [{ position: 1, status: 'passed' }] }), writeTo(2, 'passed'))
    await waitUntil(tab.isIdle)
    expect(getRefused().map(({ resultId, problem }) => [resultId, problem?.kind])).toEqual([['r1', 'newer-result']])
  })

  it('sends the writes to other runs while one is completed', async () => {
    server.completedRuns.add('run1')
    tab.outbox.write(writeTo(1, 'failed'), writeTo(2, 'passed', { runId: 'run2' }))
    await waitUntil(tab.isIdle)
    expect(server.writes.map(({ id }) => id)).toEqual(['r2'])
  })

  it('shows a newer result of somebody else instead of overwriting it', async () => {
    server.set('r1', 'blocked', 'bob')
    server.set('r2', 'blocked', 'bob')
    tab.outbox.write(writeTo(1, 'passed', { note: 'Mine' }), writeTo(2, 'passed'), writeTo(3, 'passed'))
    await waitUntil(tab.isIdle)
    expect(server.results.get('r1')).toMatchObject({ status: 'blocked', tested_by: 'bob' })
    expect(server.results.get('r3')?.status).toBe('passed')
    expect(getRefused()[0]).toMatchObject({
      note: 'Mine',
      problem: { kind: 'newer-result', newer: { status: 'blocked', tested_by: 'bob' } },
    })
    expect(getRefused()).toHaveLength(2)
  })

  it('overwrites the newer result when the user keeps the own one', async () => {
    server.set('r1', 'blocked', 'bob')
    tab.outbox.write(writeTo(1, 'passed', { note: 'Mine' }))
    await waitUntil(tab.isIdle)
    tab.outbox.keepOwn('run1/r1')
    await waitUntil(() => tab.isIdle() && getRefused().length === 0)
    expect(server.results.get('r1')).toMatchObject({ status: 'passed', note: 'Mine', tested_by: 'ada' })
  })

  it('keeps the newer result when the user discards the own one', async () => {
    server.set('r1', 'blocked', 'bob')
    tab.outbox.write(writeTo(1, 'passed'))
    await waitUntil(tab.isIdle)
    tab.outbox.discard('run1/r1')
    await sleep(20)
    expect(tab.outbox.getSnapshot().entries.size).toBe(0)
    expect(server.results.get('r1')?.status).toBe('blocked')
  })

  it('does not ask when both have set the same result', async () => {
    server.set('r1', 'passed', 'bob')
    tab.outbox.write(writeTo(1, 'passed', { elapsed: 5 }))
    await waitUntil(tab.isIdle)
    expect(getRefused()).toEqual([])
    expect(server.results.get('r1')?.tested_by).toBe('bob')
  })

  it('does not ask about a write whose response was lost, also when the user changes it before the next request', async () => {
    server.faults = ['lose', 'unavailable']
    tab.outbox.write(writeTo(1, 'passed', { note: 'First' }))
    await waitUntil(() => server.writes.length === 1)
    tab.outbox.write(writeTo(1, 'failed', { note: 'Second' }))
    await waitUntil(tab.isIdle)
    expect(server.results.get('r1')).toMatchObject({ status: 'failed', note: 'Second' })
    expect(getRefused()).toEqual([])
  })

  it('shows the whole note of a newer result, of which the response has 1,000 characters', async () => {
    const note = 'x'.repeat(3000)
    server.results.set('r1', {
      status: 'failed',
      note,
      elapsed: null,
      tested_by: 'bob',
      tested_at: '2026-11-21T08:00:00.000Z',
    })
    tab.outbox.write(writeTo(1, 'passed'), writeTo(2, 'passed'))
    await waitUntil(tab.isIdle)
    expect(getRefused()[0]?.problem?.newer?.note).toBe(note)
  })

  it('asks when somebody else has set another result after a write whose response was lost', async () => {
    server.faults = ['lose', 'unavailable', 'unavailable']
    tab.outbox.write(writeTo(1, 'passed'))
    await waitUntil(() => server.writes.length === 1)
    server.set('r1', 'failed', 'bob')
    await waitUntil(tab.isIdle)
    expect(getRefused()[0]?.problem?.kind).toBe('newer-result')
    expect(server.results.get('r1')?.status).toBe('failed')
  })

  it.each([
    ['one result', [writeTo(1, 'passed', { note: 'Kept' })]],
    ['one of several results', [writeTo(1, 'passed', { note: 'Kept' }), writeTo(2, 'passed')]],
  ])('keeps the note of a test case that was removed from the run, for %s', async (_, writes) => {
    server.removed.add('r1')
    tab.outbox.write(...writes)
    await waitUntil(tab.isIdle)
    expect(getRefused().map(({ note, problem }) => [note, problem?.kind])).toEqual([['Kept', 'not-found']])
    expect(server.writes).toHaveLength(writes.length - 1)
  })

  it('sends the other results when one of them makes the server fail', async () => {
    // The request with all fails, then smaller ones, then the first result alone.
    server.faults = ['crash', 'crash', 'crash']
    tab.outbox.write(...[1, 2, 3, 4].map((number) => writeTo(number, 'passed')))
    await waitUntil(tab.isIdle)
    expect(server.requestSizes.slice(0, 3)).toEqual([4, 2, 1])
    expect(server.writes.map(({ id }) => id).toSorted()).toEqual(['r1', 'r2', 'r3', 'r4'])
    expect(server.writes.at(-1)?.id).toBe('r1')
  })
})
