import type { ResultStatus } from '@caseward/client/endpoints'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import { sleep, waitUntil } from '../start-server.test.helper.ts'
import { createProfile, openTab, writeTo } from './outbox-tab.test.helper.ts'
import { type Fault, startResultServer } from './result-server.test.helper.ts'

type Action =
  | { kind: 'write'; numbers: number[]; status: ResultStatus; note: string | undefined; elapsed: number | undefined }
  | { kind: 'fault'; fault: Fault }
  | { kind: 'reload' }
  | { kind: 'session'; isSignedIn: boolean }
  | { kind: 'wait'; ms: number }

const status = fc.constantFrom<ResultStatus>('passed', 'failed', 'blocked', 'retest', 'not_tested')
const action: fc.Arbitrary<Action> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant('write' as const),
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
  { weight: 2, arbitrary: fc.constant({ kind: 'reload' as const }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('session' as const), isSignedIn: fc.boolean() }) },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('wait' as const), ms: fc.integer({ min: 0, max: 25 }) }) },
)

describe('outbox', () => {
  it(
    'ends with the last writes on the server after any sequence of writes, failures, sign-outs and reloads',
    { timeout: 120_000 },
    async () => {
      await fc.assert(
        fc.asyncProperty(fc.array(action, { minLength: 2, maxLength: 25 }), checkActions),
        // Requests, timers and reloads take real time.
        { numRuns: 60, endOnFailure: true },
      )
    },
  )
})

async function checkActions(actions: readonly Action[]): Promise<void> {
  const server = await startResultServer()
  const profile = createProfile()
  /** `tested_at` of the results that the page shows. */
  let bases = new Map<number, string | null>()
  const expected = new Map<string, { status: ResultStatus; note: string | null; elapsed: number | null }>()
  const open = () => {
    bases = new Map([1, 2, 3, 4].map((number) => [number, server.results.get(`r${number}`)?.tested_at ?? null]))
    const pageBases = bases
    return openTab(server, profile, {
      onSaved: ({ resultId }, testedAt) => {
        const number = Number(resultId.slice(1))
        if (testedAt !== null) pageBases.set(number, testedAt)
      },
    })
  }
  let tab = open()
  try {
    for (const step of actions) {
      if (step.kind === 'wait') await sleep(step.ms)
      if (step.kind === 'fault') server.faults.push(step.fault)
      if (step.kind === 'session') server.user = step.isSignedIn ? 'ada' : null
      if (step.kind === 'reload') {
        tab.close()
        tab = open()
      }
      if (step.kind === 'write') {
        const { numbers, status: newStatus, note, elapsed } = step
        const more = { ...(note === undefined ? {} : { note }), ...(elapsed === undefined ? {} : { elapsed }) }
        tab.outbox.write(
          ...numbers.map((number) => writeTo(number, newStatus, { ...more, base: bases.get(number) ?? null })),
        )
        for (const number of numbers) {
          const before = expected.get(`r${number}`)
          expected.set(`r${number}`, {
            status: newStatus,
            note: note ?? before?.note ?? null,
            elapsed: elapsed ?? before?.elapsed ?? null,
          })
        }
      }
    }
    server.faults = []
    server.user = 'ada'
    await waitUntil(() => tab.isIdle() && server.lateCount === 0)
    // What arrives late must not replace what came after it.
    await sleep(20)
    expect(tab.outbox.getSnapshot().refused).toEqual([])
    const stored = [...server.results].map(([id, result]) => [
      id,
      { status: result.status, note: result.note, elapsed: result.elapsed },
    ])
    expect(Object.fromEntries(stored)).toEqual(Object.fromEntries(expected))
  } finally {
    tab.close()
    await server.close()
  }
}
