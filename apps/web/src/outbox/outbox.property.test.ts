import type { ResultStatus } from '@caseward/client/endpoints'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import { sleep, waitUntil } from '../start-server.test.helper.ts'
import { createProfile, openTab, type TestBrowserProfile, writeTo } from './outbox-tab.test.helper.ts'
import { type Fault, type ResultServer, startResultServer } from './result-server.test.helper.ts'

type Action =
  | {
      kind: 'write'
      tab: number
      numbers: number[]
      status: ResultStatus
      note: string | undefined
      elapsed: number | undefined
    }
  | { kind: 'fault'; fault: Fault }
  | { kind: 'reload'; tab: number }
  | { kind: 'session'; isSignedIn: boolean }
  | { kind: 'wait'; ms: number }

const status = fc.constantFrom<ResultStatus>('passed', 'failed', 'blocked', 'retest', 'not_tested')
const action: fc.Arbitrary<Action> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant('write' as const),
      tab: fc.nat(1),
      numbers: fc.uniqueArray(fc.integer({ min: 1, max: 4 }), { minLength: 1, maxLength: 3 }),
      status,
      note: fc.option(fc.constantFrom('', 'a', 'b'), { nil: undefined }),
      elapsed: fc.option(fc.integer({ min: 1, max: 3 }), { nil: undefined }),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('fault' as const),
      fault: fc.constantFrom<Fault>('unavailable', 'crash', 'drop', 'lose', 'late'),
    }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('reload' as const), tab: fc.nat(1) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('session' as const), isSignedIn: fc.boolean() }) },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('wait' as const), ms: fc.integer({ min: 0, max: 25 }) }) },
)

// Requests, timers and reloads take real time.
const parameters = { numRuns: 25, endOnFailure: true }
const actions = fc.array(action, { minLength: 2, maxLength: 25 })

describe('outbox', { timeout: 120_000 }, () => {
  it('ends with the last writes on the server after any sequence of writes, failures, sign-outs and reloads', async () => {
    await fc.assert(
      fc.asyncProperty(actions, (steps) => checkActions(steps, 1)),
      parameters,
    )
  })

  it('ends with the last writes of two tabs on the server', async () => {
    await fc.assert(
      fc.asyncProperty(actions, (steps) => checkActions(steps, 2)),
      parameters,
    )
  })
})

const numbers = [1, 2, 3, 4]

/** A tab and the `tested_at` of the results that its page shows. */
function openPage(server: ResultServer, profile: TestBrowserProfile) {
  const bases = new Map(numbers.map((number) => [number, server.results.get(`r${number}`)?.tested_at ?? null]))
  const tab = openTab(server, profile, {
    onSaved: ({ resultId }, testedAt) => {
      if (testedAt !== null) bases.set(Number(resultId.slice(1)), testedAt)
    },
  })
  return { ...tab, bases }
}

/** @param tabCount with several tabs, live updates show each of them what the others have saved */
async function checkActions(steps: readonly Action[], tabCount: number): Promise<void> {
  const server = await startResultServer()
  const profile = createProfile()
  const expected = new Map<string, { status: ResultStatus; note: string | null; elapsed: number | null }>()
  const tabs = Array.from({ length: tabCount }, () => openPage(server, profile))
  const getBase = (page: (typeof tabs)[number], number: number) =>
    (tabCount === 1 ? page.bases.get(number) : server.results.get(`r${number}`)?.tested_at) ?? null
  profile.storage.onChange = (key) => setTimeout(() => tabs.forEach((tab) => tab.dispatchStorage(key)), 1)

  function write(step: Extract<Action, { kind: 'write' }>): void {
    const page = tabs[step.tab % tabCount]
    if (page === undefined) return
    const { status: newStatus, note, elapsed } = step
    const more = { ...(note === undefined ? {} : { note }), ...(elapsed === undefined ? {} : { elapsed }) }
    page.outbox.write(
      ...step.numbers.map((number) => writeTo(number, newStatus, { ...more, base: getBase(page, number) })),
    )
    for (const number of step.numbers) {
      const before = expected.get(`r${number}`)
      expected.set(`r${number}`, {
        status: newStatus,
        note: (note ?? before?.note ?? '') || null,
        elapsed: elapsed ?? before?.elapsed ?? null,
      })
    }
  }
  async function run(step: Action): Promise<void> {
    if (step.kind === 'wait') await sleep(step.ms)
    if (step.kind === 'fault') server.faults.push(step.fault)
    if (step.kind === 'session') server.user = step.isSignedIn ? 'ada' : null
    if (step.kind === 'write') write(step)
    if (step.kind !== 'reload') return
    tabs[step.tab % tabCount]?.close()
    tabs[step.tab % tabCount] = openPage(server, profile)
  }

  try {
    for (const step of steps) await run(step)
    server.faults = []
    server.user = 'ada'
    await waitUntil(() => tabs.every((tab) => tab.isIdle()) && server.lateCount === 0)
    // What arrives late must not replace what came after it.
    await sleep(20)
    expect(tabs.flatMap((tab) => tab.outbox.getSnapshot().refused)).toEqual([])
    const stored = [...server.results].map(([id, result]) => [
      id,
      // An empty note is none: it is not sent over a result that is equal without it.
      { status: result.status, note: result.note === '' ? null : result.note, elapsed: result.elapsed },
    ])
    expect(Object.fromEntries(stored)).toEqual(Object.fromEntries(expected))
  } finally {
    profile.storage.onChange = () => {}
    tabs.forEach((tab) => tab.close())
    await server.close()
  }
}
