import { describe, expect, it } from 'vitest'

import { type FileOutcome, formatErrors, formatOutcome, formatTotals, getExitCode, isEmpty } from './file-outcome.ts'

const noStats = { passed: 0, failed: 0, blocked: 0, retest: 0, not_tested: 0 }
const stored = (name: string, passed: number): FileOutcome => ({
  kind: 'uploaded',
  name,
  receipt: { success: true, uploaded_count: passed, failed_count: 0, stats: { ...noStats, passed } },
})
const partial: FileOutcome = {
  kind: 'uploaded',
  name: 'pay.xml',
  receipt: {
    success: false,
    partial_failure: true,
    uploaded_count: 3,
    failed_count: 2,
    stats: { ...noStats, passed: 1, failed: 1, not_tested: 1 },
    errors: [
      { test_case_id: 'WEB-99', error: 'WEB-99 is not in this run.', code: 'not_in_run' },
      { test_case_id: 'shop.Pay.pays', error: 'No test case id found.', code: 'no_test_case_id' },
    ],
  },
}
const nothingMatched = {
  kind: 'uploaded',
  name: 'other.xml',
  receipt: {
    success: false,
    partial_failure: true,
    uploaded_count: 0,
    failed_count: 1,
    stats: noStats,
    errors: [{ test_case_id: 'WEB-99', error: 'WEB-99 is not in this run.', code: 'not_in_run' }],
  },
} as const satisfies FileOutcome
const broken: FileOutcome = { kind: 'not-stored', name: 'broken.xml', reasons: ['It is not well-formed.', 'Line 3.'] }

const withSuiteError: FileOutcome = {
  kind: 'uploaded',
  name: 'a.xml',
  receipt: {
    success: false,
    partial_failure: true,
    uploaded_count: 1,
    failed_count: 1,
    stats: { ...noStats, passed: 1 },
    errors: [{ test_case_id: 'shop', error: 'This suite failed outside of its tests: no', code: 'suite_error' }],
  },
}
const batch: FileOutcome = {
  kind: 'batch',
  files: [
    { name: 'a.xml', testCount: 2 },
    { name: 'b.xml', testCount: 0 },
  ],
  receipt: { success: true, uploaded_count: 2, failed_count: 0, stats: { ...noStats, passed: 2 } },
}
const skipped: FileOutcome = { kind: 'skipped', name: 'coverage.xml', reason: 'Not JUnit.' }

const tests = { total: 3, matched: 0, unmatched: 3, flaky: 0, created: 0 }
const onlyUnmatched: FileOutcome = {
  kind: 'uploaded',
  name: 'new.xml',
  receipt: { success: true, uploaded_count: 0, failed_count: 0, stats: noStats, tests },
}

describe('formatOutcome', () => {
  it('counts the stored results by status', () => {
    expect(formatOutcome(stored('a.xml', 42), false)).toEqual(['a.xml: 42 stored (42 passed)'])
  })

  it('counts the results that were not stored', () => {
    expect(formatOutcome(partial, false)).toEqual([
      'pay.xml: 3 stored (1 passed, 1 failed, 1 not tested), 2 not stored',
    ])
    expect(formatOutcome(nothingMatched, false)).toEqual(['other.xml: 1 not stored'])
    expect(formatOutcome(broken, false)).toEqual(['broken.xml: not stored'])
  })

  it('states in a dry run what would be stored', () => {
    expect(formatOutcome(partial, true)).toEqual([
      'pay.xml: 3 would be stored (1 passed, 1 failed, 1 not tested), 2 would not be stored',
    ])
    expect(formatOutcome(broken, true)).toEqual(['broken.xml: would not be stored'])
  })

  it('counts the tests of a file in which none matches a test case', () => {
    expect(formatOutcome(onlyUnmatched, false)).toEqual(['new.xml: 3 unmatched tests stored'])
  })

  it('counts errors outside of tests apart from results that were not stored', () => {
    expect(formatOutcome(withSuiteError, false)).toEqual(['a.xml: 1 stored (1 passed), 1 error outside of tests'])
    expect(formatTotals([withSuiteError], 0, false)).toBe(
      'Stored 1 result from 1 file (1 passed); 1 error outside of tests.',
    )
  })

  it('counts the tests of each file that was stored together with others', () => {
    expect(formatOutcome(batch, false)).toEqual(['a.xml: 2 tests stored', 'b.xml: no results found'])
    expect(formatTotals([batch], 0, false)).toBe('Stored 2 results from 2 files (2 passed).')
  })

  it('states why a file was skipped', () => {
    expect(formatOutcome(skipped, false)).toEqual(['coverage.xml: skipped. Not JUnit.'])
  })

  it('states that a file contains no results', () => {
    expect(formatOutcome(stored('empty.xml', 0), false)).toEqual(['empty.xml: no results found'])
  })

  it('prints - as standard input, and no control characters', () => {
    expect(formatOutcome(stored('-', 1), false)).toEqual(['standard input: 1 stored (1 passed)'])
    expect(formatOutcome(stored('x\u0007', 1), false)).toEqual(['x: 1 stored (1 passed)'])
  })
})

describe('formatErrors', () => {
  it('lists each result that was not stored, with its reason', () => {
    expect(formatErrors(partial)).toEqual(['WEB-99 is not in this run.', 'shop.Pay.pays: No test case id found.'])
  })

  it('lists the reasons why a file was not stored', () => {
    expect(formatErrors(broken)).toEqual(['It is not well-formed.', 'Line 3.'])
  })

  it('removes control characters and sequences that a terminal would interpret', () => {
    const errors = [{ test_case_id: 'a\u001b[2Jb\nc', error: 'no\u009b1mt', code: 'not_in_run' as const }]
    const receipt = { ...nothingMatched.receipt, errors }
    expect(formatErrors({ kind: 'uploaded', name: 'x', receipt })).toEqual(['ab c: not'])
  })
})

describe('formatTotals', () => {
  it('sums results over files and counts what was not stored', () => {
    expect(formatTotals([stored('a.xml', 1), partial, broken], 1, false)).toBe(
      'Stored 4 results from 2 files (2 passed, 1 failed, 1 not tested); not stored: 2 results, 2 files.',
    )
    expect(formatTotals([stored('a.xml', 1)], 0, false)).toBe('Stored 1 result from 1 file (1 passed).')
  })

  it('states that nothing was stored, and why', () => {
    expect(formatTotals([broken], 2, false)).toBe('Stored nothing; not stored: 3 files.')
    expect(formatTotals([stored('a.xml', 0), stored('b.xml', 0)], 0, true)).toBe(
      'Would store nothing: no file contains results.',
    )
  })
})

describe('isEmpty', () => {
  it.each([
    ['no file contains a result', [stored('a.xml', 0), skipped], true],
    ['there is no file', [], true],
    ['a file contains a result', [stored('a.xml', 0), stored('b.xml', 1)], false],
    ['a file contains a test without a test case', [onlyUnmatched], false],
    ['a file could not be read, which is a failure of its own', [stored('a.xml', 0), broken], false],
  ] as const)('tells whether nothing was tested: %s', (_, outcomes, expected) => {
    expect(isEmpty(outcomes)).toBe(expected)
  })
})

describe('getExitCode', () => {
  it.each([
    [0, 'all files were stored', [stored('a.xml', 2), stored('b.xml', 1)], 0],
    [0, 'other XML was skipped', [stored('a.xml', 2), skipped], 0],
    [2, 'some results of a file were not stored', [partial], 0],
    [2, 'some files were not stored', [stored('a.xml', 2), broken], 0],
    [2, 'the server became unavailable after the first file', [stored('a.xml', 2)], 3],
    [1, 'no result of a file was stored', [nothingMatched], 0],
    [1, 'no file was stored', [broken], 0],
    [1, 'no file was sent', [], 1],
  ] as const)('returns %i when %s', (code, _, outcomes, unsent) => {
    expect(getExitCode(outcomes, unsent)).toBe(code)
  })
})
