import { describe, expect, it } from 'vitest'

import { noFiles } from './deliver-files.ts'
import { countNotStored, describeErrors, describeFailure, describeReplay, formatSummary } from './summary.ts'
import { toSuiteRecord, type JournalEntry } from './suite-record.ts'
import { createErrors, type Delivered, delivered, type TestCounts } from './summary.test.helper.ts'

const header = {
  caseward: 1,
  framework: 'jest',
  url: null,
  target: null,
  shard: null,
  source: null,
  module: null,
  startedAt: 0,
} as const
const attempt: JournalEntry = { attempt: { testId: 'a', titlePath: ['a'], status: 'passed' }, at: 0 }
const errorAt = (location: string, message: string): JournalEntry => ({ error: { location, message }, at: 0 })
const recordWith = (...entries: JournalEntry[]) => toSuiteRecord(header, entries)
const summarize = (delivery: Delivered, ...entries: JournalEntry[]) =>
  formatSummary(recordWith(attempt, ...entries), delivery, 'https://caseward.example.com')
const link = '“Nightly”: https://caseward.example.com/runs/r-1'

describe('formatSummary', () => {
  it('formats one line when all results were stored', () => {
    expect(summarize(delivered({ passed: 1 }))).toEqual([`stored 1 result (1 passed) in ${link}`])
    expect(summarize(delivered({ passed: 10, failed: 2, not_tested: 3 }))).toEqual([
      `stored 15 results (10 passed, 2 failed, 3 not tested) in ${link}`,
    ])
  })

  it('adds up the results of several uploads', () => {
    const [first, second] = [delivered({ passed: 2 }), delivered({ passed: 1, failed: 1 })]
    expect(summarize({ ...first, receipts: [...first.receipts, ...second.receipts] })).toEqual([
      `stored 4 results (3 passed, 1 failed) in ${link}`,
    ])
  })

  it('formats a second line about tests that match no test case', () => {
    const unmatched = (total: number, fields: Partial<TestCounts>) =>
      summarize(delivered({}, [], { tests: { total, ...fields } }))
    expect(unmatched(1, { unmatched: 1 })).toEqual([
      `stored 1 test and no result in ${link}`,
      '1 test matches no test case: https://caseward.example.com/runs/r-1/tests?matched=false (to create test cases: npx caseward tests create-cases --run r-1)',
    ])
    const partly = delivered({ passed: 3 }, [], { tests: { total: 5, matched: 3, unmatched: 2, flaky: 1 } })
    expect(summarize(partly)).toEqual([
      `stored 3 results (3 passed), 1 flaky in ${link}`,
      expect.stringContaining('2 tests match no test case'),
    ])
  })

  it('mentions test cases that were created', () => {
    const created = delivered({ passed: 2 }, [], { tests: { total: 2, matched: 2, created: 2 } })
    expect(summarize(created)).toEqual([`stored 2 results (2 passed), 2 test cases created in ${link}`])
  })

  it('mentions that the run was completed', () => {
    expect(summarize(delivered({ passed: 1 }, [], { isRunCompleted: true }))).toEqual([
      'stored 1 result (1 passed) in “Nightly” (run completed): https://caseward.example.com/runs/r-1',
    ])
  })

  it('mentions that the run was opened again', () => {
    const { receipts, ...rest } = delivered({ passed: 1 })
    const reopened = { ...rest, receipts: receipts.map((receipt) => ({ ...receipt, reopened: true as const })) }
    expect(summarize(reopened)).toEqual([expect.stringContaining('in “Nightly” (run reopened): ')])
  })

  it('mentions that nothing was stored, and that no test ran', () => {
    expect(summarize(delivered({}))).toEqual([`stored nothing in ${link}`])
    expect(formatSummary(recordWith(), delivered({}), 'https://caseward.example.com')).toEqual([
      `stored nothing (no test ran) in ${link}`,
    ])
  })

  it.each<[string, Delivered, string]>([
    [
      'a test without an id',
      delivered({}, createErrors('no_test_case_id', 'a > b')),
      '1 test has no matching test case (“a > b”)',
    ],
    [
      'four tests without ids',
      delivered({}, createErrors('no_test_case_id', 'a', 'b', 'c', 'd')),
      '4 tests have no matching test case (“a”, “b”, “c”, …)',
    ],
    [
      'a test case that is not in the run',
      delivered({}, createErrors('not_in_run', 'WEB-7')),
      '1 test case is not in the run (WEB-7)',
    ],
    [
      'two test cases that are not in the run',
      delivered({}, createErrors('not_in_run', 'WEB-7', 'WEB-8')),
      '2 test cases are not in the run (WEB-7, WEB-8)',
    ],
    [
      'a test whose automation key is that of a test case outside of the run',
      delivered({}, createErrors('not_in_run', 'a > b')),
      '1 test matches a test case that is not in the run (“a > b”)',
    ],
    [
      'a test without a test case and tests whose test cases are not in the run',
      delivered({}, [...createErrors('not_in_run', 'b', 'c'), ...createErrors('no_test_case_id', 'a')]),
      '1 test has no matching test case (“a”); 2 tests match test cases that are not in the run (“b”, “c”)',
    ],
    [
      'a test with too many ids',
      delivered({}, createErrors('too_many_ids', 'a > b')),
      '1 test has more than 200 test case ids, of which only the first 200 were used (“a > b”)',
    ],
    ['a newer result', delivered({}, createErrors('newer_result', 'WEB-1')), '1 newer result was kept (WEB-1)'],
    [
      'newer results',
      delivered({}, createErrors('newer_result', 'WEB-1', 'WEB-2')),
      '2 newer results were kept (WEB-1, WEB-2)',
    ],
    ['another error', delivered({}, createErrors('ambiguous', 'a')), 'a: no.'],
    [
      'many other errors',
      delivered({}, createErrors('ambiguous', 'a', 'b', 'c', 'd', 'e')),
      'a: no.; b: no.; c: no.; and 2 more',
    ],
    [
      'errors of several kinds',
      delivered({}, [
        ...createErrors('not_in_run', 'WEB-7'),
        ...createErrors('newer_result', 'WEB-1'),
        ...createErrors('no_test_case_id', 'a'),
      ]),
      '1 test has no matching test case (“a”); 1 test case is not in the run (WEB-7); 1 newer result was kept (WEB-1)',
    ],
  ])('formats a second line about %s', (_, delivery, notStored) => {
    expect(summarize(delivery)).toEqual([`stored nothing in ${link}`, `not stored: ${notStored}`])
  })

  it('formats a third line about errors outside of tests', () => {
    const lines = summarize(
      delivered({ passed: 1 }, createErrors('not_in_run', 'WEB-7')),
      errorAt('a.test.ts', 'SyntaxError: no\n    at x'),
    )
    expect(lines).toEqual([
      `stored 1 result (1 passed) in ${link}`,
      'not stored: 1 test case is not in the run (WEB-7)',
      'the suite is incomplete: 1 error outside of tests (a.test.ts: SyntaxError: no)',
    ])
  })

  it('lists three of many errors outside of tests', () => {
    const errors = ['a', 'b', 'c', 'd', 'e'].map((name) => errorAt(name, 'no'))
    expect(describeErrors(recordWith(...errors))).toEqual([
      'the suite is incomplete: 5 errors outside of tests (a: no; b: no; c: no; and 2 more)',
    ])
  })

  it('removes control characters and line breaks from names, and truncates them', () => {
    const evil = `\x1B[2J\x1B[31mx\r\n::error::y\x07\u202E${'z'.repeat(10_000)}`
    const delivery = delivered(
      { passed: 1 },
      [
        ...createErrors('no_test_case_id', evil),
        ...createErrors('not_in_run', evil),
        ...createErrors('ambiguous', evil),
      ],
      { name: evil },
    )
    const lines = [
      ...summarize(delivery, errorAt(evil, evil)),
      ...describeReplay({
        replayed: [{ startedAt: new Date(0), framework: evil, errors: [], delivery }],
        forOtherServer: 0,
        withoutRun: 0,
        unreadable: 0,
        files: noFiles,
      }),
      describeFailure({ kind: 'failed', storedCount: 0, reason: evil, isPermanent: false, affectsAllSuites: false }),
    ]
    expect(lines).toHaveLength(5)
    expect(lines.join('')).not.toMatch(/\p{Cc}|\u202E/u)
    expect(Math.max(...lines.map(({ length }) => length))).toBeLessThan(2000)
  })
})

describe('countNotStored', () => {
  it.each<[string, Delivered, number]>([
    ['stored results', delivered({ passed: 1 }), 0],
    ['newer results', delivered({}, createErrors('newer_result', 'WEB-1')), 0],
    [
      'results with errors',
      delivered({}, [...createErrors('not_in_run', 'WEB-7'), ...createErrors('no_test_case_id', 'a')]),
      2,
    ],
    ['ids of other projects', delivered({}, createErrors('not_in_run', 'APP-1', 'APP-2')), 2],
    ['tests with too many ids', delivered({ passed: 200 }, createErrors('too_many_ids', 'a', 'b')), 2],
    ['errors outside of tests', delivered({}, createErrors('suite_error', 'a.test.ts')), 0],
    ['tests that match no test case', delivered({}, [], { tests: { total: 2, unmatched: 2 } }), 0],
  ])('counts the results that were not stored: %s', (_, delivery, expectedCount) => {
    expect(countNotStored(delivery)).toBe(expectedCount)
  })
})

describe('describeFailure', () => {
  it.each([
    [0, 'Connection refused.', 'nothing was stored: Connection refused.'],
    [0, 'fetch failed', 'nothing was stored: fetch failed.'],
    [1, 'Timed out.', 'stored 1 result, then failed: Timed out.'],
    [20, 'Timed out.', 'stored 20 results, then failed: Timed out.'],
  ])('formats %d stored results and the reason “%s”', (storedCount, reason, line) => {
    expect(describeFailure({ kind: 'failed', storedCount, reason, isPermanent: false, affectsAllSuites: true })).toBe(
      line,
    )
  })
})

describe('the summary of links that were not added', () => {
  it('names them with the reason, except for those of tests without a result', () => {
    const delivery = delivered({ passed: 1 })
    const refused = [
      { url: 'SHOP-41', code: 'invalid_link', error: 'The address must begin with https://.' },
      { url: 'SHOP-42', code: 'invalid_link', error: 'The address must begin with https://.' },
      { url: 'https://acme.test/1', code: 'result_not_stored', error: 'no result' },
    ] as const
    const links = { added: 0, known: 0, refused_count: 3, refused: [...refused] }
    const receipts = delivery.receipts.map((receipt) => ({ ...receipt, links }))
    expect(summarize({ ...delivery, receipts })).toContain(
      '2 links were not added (“SHOP-41”, “SHOP-42”): The address must begin with https://.',
    )
  })
})
