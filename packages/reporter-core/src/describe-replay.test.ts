import { describe, expect, it } from 'vitest'

import type { Delivery } from './deliver.ts'
import { noFiles } from './deliver-files.ts'
import { describeReplay } from './summary.ts'
import { createErrors, delivered } from './summary.test.helper.ts'

describe('describeReplay', () => {
  const startedAt = new Date('2026-11-21T09:30:00.000Z')
  const nothing = { replayed: [], forOtherServer: 0, withoutRun: 0, unreadable: 0, files: noFiles }
  const failed = {
    kind: 'failed',
    storedCount: 0,
    reason: 'No such run.',
    isPermanent: true,
    affectsAllSuites: false,
  } as const
  const suite = 'the jest suite of 2026-11-21T09:30:00.000Z'

  it('returns no lines for an empty spool', () => {
    expect(describeReplay(nothing)).toEqual([])
  })

  it.each<[string, Delivery, string]>([
    ['a delivery', delivered({ passed: 3 }), `stored 3 results of ${suite}`],
    [
      'tests without a test case',
      delivered({}, [], { tests: { total: 9, matched: 2, created: 2, unmatched: 7, unmatched_failed: 1 } }),
      `stored 0 results of ${suite}; 2 test cases created; 7 tests match no test case, and 1 of them failed`,
    ],
    [
      'a delivery with errors',
      delivered({ passed: 3 }, createErrors('newer_result', 'WEB-1')),
      `stored 3 results of ${suite}; not stored: 1 newer result was kept (WEB-1)`,
    ],
    ['a failure', failed, `nothing was stored of ${suite}: No such run.`],
    [
      'a failure after an upload',
      { ...failed, storedCount: 2 },
      `stored 2 results of ${suite}, then failed: No such run.`,
    ],
  ])('formats one line for %s', (_, delivery, line) => {
    expect(describeReplay({ ...nothing, replayed: [{ startedAt, framework: 'jest', errors: [], delivery }] })).toEqual([
      line,
    ])
  })

  it('mentions errors outside of tests', () => {
    const errors = [{ location: 'a.test.js', message: 'SyntaxError: no' }]
    const replayedSuite = { startedAt, framework: 'jest', errors, delivery: delivered({}) }
    expect(describeReplay({ ...nothing, replayed: [replayedSuite] })).toEqual([
      `stored 0 results of ${suite}; the suite is incomplete: 1 error outside of tests (a.test.js: SyntaxError: no)`,
    ])
  })

  it('describes three of many suites and counts the others', () => {
    const stored = { startedAt, framework: 'jest', errors: [], delivery: delivered({ passed: 1 }) }
    const replayed = [stored, stored, stored, stored, { ...stored, delivery: failed }]
    expect(describeReplay({ ...nothing, replayed }).slice(3)).toEqual([
      'and 2 more earlier suites, 1 of which could not be stored',
    ])
    expect(describeReplay({ ...nothing, replayed: replayed.slice(0, 4) }).slice(3)).toEqual([
      'and 1 more earlier suite',
    ])
  })

  it('counts suites that were skipped and files that are unreadable', () => {
    expect(describeReplay({ ...nothing, forOtherServer: 1, withoutRun: 1, unreadable: 1 })).toEqual([
      'skipped 1 saved suite for another server; it remains in the spool.',
      'skipped 1 saved suite without a run: set SERVICE_RUN_ID and run “caseward replay” to send it.',
      '1 spool file is unreadable and was moved to .caseward/spool/refused.',
    ])
    expect(describeReplay({ ...nothing, forOtherServer: 2, withoutRun: 2, unreadable: 2 })).toEqual([
      'skipped 2 saved suites for another server; they remain in the spool.',
      'skipped 2 saved suites without a run: set SERVICE_RUN_ID and run “caseward replay” to send them.',
      '2 spool files are unreadable and were moved to .caseward/spool/refused.',
    ])
  })
})
