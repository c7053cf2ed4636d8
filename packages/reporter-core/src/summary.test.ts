import type { PartialReceipt, Run } from '@caseward/client/endpoints'
import { describe, expect, it } from 'vitest'

import type { Delivery } from './deliver.ts'
import { countNotStored, describeErrors, describeFailure, describeReplay, formatSummary } from './summary.ts'
import { toSuiteRecord, type JournalEntry } from './suite-record.ts'

type Delivered = Extract<Delivery, { kind: 'delivered' }>
type ItemError = PartialReceipt['errors'][number]

const header = { caseward: 1, framework: 'jest', url: null, target: null, shard: null, startedAt: 0 } as const
const attempt: JournalEntry = { attempt: { testId: 'a', titlePath: ['a'], status: 'passed' }, at: 0 }
const errorAt = (location: string, message: string): JournalEntry => ({ error: { location, message }, at: 0 })
const recordWith = (...entries: JournalEntry[]) => toSuiteRecord(header, entries)
const none = { passed: 0, failed: 0, blocked: 0, retest: 0, not_tested: 0 }

function delivered(
  stats: Partial<typeof none>,
  errors: ItemError[] = [],
  {
    unknownIds = {},
    isRunCompleted = false,
    name = 'Nightly',
  }: { unknownIds?: Record<string, string>; isRunCompleted?: boolean; name?: string } = {},
): Delivered {
  const all = { ...none, ...stats }
  const uploaded_count = Object.values(all).reduce((sum, number) => sum + number, 0)
  const failed_count = errors.length
  const receipt = { success: false, partial_failure: true, uploaded_count, failed_count, stats: all, errors } as const
  return {
    kind: 'delivered',
    run: { id: 'r-1', name } as Run,
    receipts: [receipt],
    results: { items: [], unknownIds: new Map(Object.entries(unknownIds)) },
    isRunCompleted,
  }
}
const error = (code: ItemError['code'], ...ids: string[]): ItemError[] =>
  ids.map((test_case_id) => ({ test_case_id, error: `${test_case_id}: no.`, code }))

const say = (delivery: Delivered, ...entries: JournalEntry[]) =>
  formatSummary(recordWith(attempt, ...entries), delivery, 'https://caseward.example.com')
const where = '“Nightly”: https://caseward.example.com/runs/r-1'

describe('a suite that was sent', () => {
  it('is told of in one line where all was stored', () => {
    expect(say(delivered({ passed: 1 }))).toEqual([`stored 1 result (1 passed) in ${where}`])
    expect(say(delivered({ passed: 10, failed: 2, not_tested: 3 }))).toEqual([
      `stored 15 results (10 passed, 2 failed, 3 not tested) in ${where}`,
    ])
  })

  it('adds up its uploads', () => {
    const [one, two] = [delivered({ passed: 2 }), delivered({ passed: 1, failed: 1 })]
    expect(say({ ...one, receipts: [...one.receipts, ...two.receipts] })).toEqual([
      `stored 4 results (3 passed, 1 failed) in ${where}`,
    ])
  })

  it('says when the run is complete with it', () => {
    expect(say(delivered({ passed: 1 }, [], { isRunCompleted: true }))).toEqual([
      'stored 1 result (1 passed) in “Nightly”, which is complete: https://caseward.example.com/runs/r-1',
    ])
  })

  it('says when nothing was stored, and when that is because no test ran', () => {
    expect(say(delivered({}))).toEqual([`stored nothing in ${where}`])
    expect(formatSummary(recordWith(), delivered({}), 'https://caseward.example.com')).toEqual([
      `stored nothing, as no test ran, in ${where}`,
    ])
  })

  it.each<[string, Delivered, string]>([
    ['a test that names none', delivered({}, error('no_test_case_id', 'a > b')), '1 test names no test case (“a > b”)'],
    [
      'four tests that name none',
      delivered({}, error('no_test_case_id', 'a', 'b', 'c', 'd')),
      '4 tests name no test case (“a”, “b”, “c”, …)',
    ],
    ['a case that is not in the run', delivered({}, error('not_in_run', 'WEB-7')), '1 is not in the run (WEB-7)'],
    ['two of them', delivered({}, error('not_in_run', 'WEB-7', 'WEB-8')), '2 are not in the run (WEB-7, WEB-8)'],
    [
      'an id of another project',
      delivered({}, [], { unknownIds: { 'APP-1': 'Shop > opens' } }),
      '1 is no id of this project (APP-1 of “Shop > opens”)',
    ],
    ['a newer result', delivered({}, error('newer_result', 'WEB-1')), '1 newer result was kept (WEB-1)'],
    [
      'newer results',
      delivered({}, error('newer_result', 'WEB-1', 'WEB-2')),
      '2 newer results were kept (WEB-1, WEB-2)',
    ],
    ['something else', delivered({}, error('ambiguous', 'a')), 'a: no.'],
    ['much else', delivered({}, error('ambiguous', 'a', 'b', 'c', 'd', 'e')), 'a: no.; b: no.; c: no.; and 2 more'],
    [
      'all of this',
      delivered(
        {},
        [...error('not_in_run', 'WEB-7'), ...error('newer_result', 'WEB-1'), ...error('no_test_case_id', 'a')],
        {
          unknownIds: { 'APP-1': 'b' },
        },
      ),
      '1 test names no test case (“a”); 1 is not in the run (WEB-7); 1 is no id of this project (APP-1 of “b”); 1 newer result was kept (WEB-1)',
    ],
  ])('says in a second line what was not stored: %s', (_what, delivery, missed) => {
    expect(say(delivery)).toEqual([`stored nothing in ${where}`, `not stored: ${missed}`])
  })

  it('says in a third what went wrong outside of its tests', () => {
    const lines = say(
      delivered({ passed: 1 }, error('not_in_run', 'WEB-7')),
      errorAt('a.test.ts', 'SyntaxError: no\n    at x'),
    )
    expect(lines).toEqual([
      `stored 1 result (1 passed) in ${where}`,
      'not stored: 1 is not in the run (WEB-7)',
      'the suite is not complete: 1 error outside of tests (a.test.ts: SyntaxError: no)',
    ])
  })

  it('names three of many errors', () => {
    const errors = ['a', 'b', 'c', 'd', 'e'].map((name) => errorAt(name, 'no'))
    expect(describeErrors(recordWith(...errors))).toEqual([
      'the suite is not complete: 5 errors outside of tests (a: no; b: no; c: no; and 2 more)',
    ])
  })

  it('never moves the cursor, colours the terminal, begins a line or fills the screen with what others have named', () => {
    const evil = `\x1B[2J\x1B[31mx\r\n::error::y\x07\u202E${'z'.repeat(10_000)}`
    const delivery = delivered(
      { passed: 1 },
      [...error('no_test_case_id', evil), ...error('not_in_run', evil), ...error('ambiguous', evil)],
      { unknownIds: { [evil]: evil }, name: evil },
    )
    const lines = [
      ...say(delivery, errorAt(evil, evil)),
      ...describeReplay({
        replayed: [{ startedAt: new Date(0), framework: evil, errors: [], delivery }],
        forOtherServer: 0,
        withoutRun: 0,
        unreadable: 0,
      }),
      describeFailure({ kind: 'failed', storedCount: 0, reason: evil, isPermanent: false, affectsAllSuites: false }),
    ]
    expect(lines).toHaveLength(5)
    expect(lines.join('')).not.toMatch(/\p{Cc}|\u202E/u)
    expect(Math.max(...lines.map(({ length }) => length))).toBeLessThan(2000)
  })
})

describe('what counts as missed', () => {
  it.each<[string, Delivered, number]>([
    ['nothing', delivered({ passed: 1 }), 0],
    ['newer results do not', delivered({}, error('newer_result', 'WEB-1')), 0],
    ['all else does', delivered({}, [...error('not_in_run', 'WEB-7'), ...error('no_test_case_id', 'a')]), 2],
    ['also ids of other projects', delivered({}, [], { unknownIds: { 'APP-1': 'a', 'APP-2': 'b' } }), 2],
  ])('%s', (_what, delivery, missed) => {
    expect(countNotStored(delivery)).toBe(missed)
  })
})

describe('a suite that could not be sent', () => {
  it.each([
    [0, 'Nobody listens.', 'nothing was stored: Nobody listens.'],
    [0, 'fetch failed', 'nothing was stored: fetch failed.'],
    [1, 'It broke.', 'stored 1 result, but not all is done: It broke.'],
    [20, 'It broke.', 'stored 20 results, but not all is done: It broke.'],
  ])('says how much was stored, and why not all: %d, %s', (stored, reason, line) => {
    expect(
      describeFailure({ kind: 'failed', storedCount: stored, reason, isPermanent: false, affectsAllSuites: true }),
    ).toBe(line)
  })
})

describe('what earlier suites had left', () => {
  const startedAt = new Date('2026-11-21T09:30:00.000Z')
  const nothing = { replayed: [], forOtherServer: 0, withoutRun: 0, unreadable: 0 }
  const failed = {
    kind: 'failed',
    storedCount: 0,
    reason: 'No such run.',
    isPermanent: true,
    affectsAllSuites: false,
  } as const
  const kept = 'the results of jest kept since 2026-11-21T09:30:00.000Z'

  it('is not told of where there was nothing', () => {
    expect(describeReplay(nothing)).toEqual([])
  })

  it.each<[Delivery, string]>([
    [delivered({ passed: 3 }), `${kept} are stored: 3`],
    [
      delivered({ passed: 3 }, error('newer_result', 'WEB-1')),
      `${kept} are stored: 3; not stored: 1 newer result was kept (WEB-1)`,
    ],
    [failed, `${kept} were not stored: No such run.`],
    [{ ...failed, storedCount: 2 }, `${kept} are stored: 2, but not all is done: No such run.`],
  ])('is told of in a line', (delivery, line) => {
    expect(describeReplay({ ...nothing, replayed: [{ startedAt, framework: 'jest', errors: [], delivery }] })).toEqual([
      line,
    ])
  })

  it('is not told of as if it were all when something went wrong outside of its tests', () => {
    const errors = [{ location: 'a.test.js', message: 'SyntaxError: no' }]
    const one = { startedAt, framework: 'jest', errors, delivery: delivered({}) }
    expect(describeReplay({ ...nothing, replayed: [one] })).toEqual([
      `${kept} are stored: 0; the suite is not complete: 1 error outside of tests (a.test.js: SyntaxError: no)`,
    ])
  })

  it('is told of in few lines, however much it is', () => {
    const one = { startedAt, framework: 'jest', errors: [], delivery: delivered({ passed: 1 }) }
    const replayed = [one, one, one, one, { ...one, delivery: failed }]
    expect(describeReplay({ ...nothing, replayed }).slice(3)).toEqual([
      'and 2 earlier suites more, of which 1 could not be stored',
    ])
    expect(describeReplay({ ...nothing, replayed: replayed.slice(0, 4) }).slice(3)).toEqual([
      'and 1 earlier suite more',
    ])
  })

  it('is told of where it stays', () => {
    expect(describeReplay({ ...nothing, forOtherServer: 1, withoutRun: 1, unreadable: 1 })).toEqual([
      '1 suite kept for another server stays in the spool.',
      '1 suite kept without a run stays in the spool: “caseward replay” takes SERVICE_RUN_ID.',
      '1 file of the spool cannot be read and now lies in .caseward/spool/refused.',
    ])
    expect(describeReplay({ ...nothing, forOtherServer: 2, withoutRun: 2, unreadable: 2 })).toEqual([
      '2 suites kept for another server stay in the spool.',
      '2 suites kept without a run stay in the spool: “caseward replay” takes SERVICE_RUN_ID.',
      '2 files of the spool cannot be read and now lie in .caseward/spool/refused.',
    ])
  })
})
