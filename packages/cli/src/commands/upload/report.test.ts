import { describe, expect, it } from 'vitest'

import { describeOutcome, exitCode, formatTotals, type FileOutcome } from './report.ts'

const none = { passed: 0, failed: 0, blocked: 0, retest: 0, not_tested: 0 }
const stored = (name: string, passed: number): FileOutcome => ({
  kind: 'answered',
  name,
  receipt: { success: true, uploaded_count: passed, failed_count: 0, stats: { ...none, passed } },
})
const partly: FileOutcome = {
  kind: 'answered',
  name: 'pay.xml',
  receipt: {
    success: false,
    partial_failure: true,
    uploaded_count: 3,
    failed_count: 2,
    stats: { ...none, passed: 1, failed: 1, not_tested: 1 },
    errors: [
      { test_case_id: 'WEB-99', error: 'WEB-99 is not in this run.', code: 'not_in_run' },
      { test_case_id: 'shop.Pay.pays', error: 'The test names no test case.', code: 'no_test_case_id' },
    ],
  },
}
const nothingMatched = {
  kind: 'answered',
  name: 'other.xml',
  receipt: {
    success: false,
    partial_failure: true,
    uploaded_count: 0,
    failed_count: 1,
    stats: none,
    errors: [{ test_case_id: 'WEB-99', error: 'WEB-99 is not in this run.', code: 'not_in_run' }],
  },
} as const satisfies FileOutcome
const broken: FileOutcome = { kind: 'not-stored', name: 'broken.xml', reasons: ['It is not well-formed.', 'Line 3.'] }

describe('describeOutcome', () => {
  it('counts what was stored by status', () => {
    expect(describeOutcome(stored('a.xml', 42), false)).toEqual(['a.xml: 42 stored (42 passed)'])
  })

  it('lists each item that was not, with its reason', () => {
    expect(describeOutcome(partly, false)).toEqual([
      'pay.xml: 3 stored (1 passed, 1 failed, 1 not tested), 2 not stored',
      '  - WEB-99 is not in this run.',
      '  - shop.Pay.pays: The test names no test case.',
    ])
    expect(describeOutcome(nothingMatched, false)).toEqual([
      'other.xml: 1 not stored',
      '  - WEB-99 is not in this run.',
    ])
  })

  it('says why a file was not stored', () => {
    expect(describeOutcome(broken, false)).toEqual([
      'broken.xml: not stored',
      '  - It is not well-formed.',
      '  - Line 3.',
    ])
  })

  it('does not pretend in a dry run', () => {
    expect(describeOutcome(partly, true)[0]).toBe(
      'pay.xml: 3 would be stored (1 passed, 1 failed, 1 not tested), 2 would not be stored',
    )
    expect(describeOutcome(broken, true)[0]).toBe('broken.xml: would not be stored')
  })

  it('tells of a file without results', () => {
    expect(describeOutcome(stored('empty.xml', 0), false)).toEqual(['empty.xml: no results in it, nothing to store'])
  })

  it("keeps what stands in a file from steering the reader's terminal", () => {
    const errors = [{ test_case_id: 'a\u001b[2Jb\nc', error: 'no\u009b1mt', code: 'not_in_run' as const }]
    const receipt = { ...nothingMatched.receipt, errors }
    expect(describeOutcome({ kind: 'answered', name: 'x\u0007', receipt }, false)).toEqual([
      'x: 1 not stored',
      '  - a [2Jb c: no 1mt',
    ])
  })

  it('calls standard input by its name', () => {
    expect(describeOutcome(stored('-', 1), false)).toEqual(['standard input: 1 stored (1 passed)'])
  })
})

describe('summarise', () => {
  it('adds up the files', () => {
    expect(formatTotals([stored('a.xml', 1), partly, broken], 1, false)).toBe(
      'Stored 4 results of 2 files (2 passed, 1 failed, 1 not tested); not stored: 2 results, 2 files.',
    )
    expect(formatTotals([stored('a.xml', 1)], 0, false)).toBe('Stored 1 result of 1 file (1 passed).')
  })

  it('has a word for nothing', () => {
    expect(formatTotals([broken], 2, false)).toBe('Stored nothing; not stored: 3 files.')
    expect(formatTotals([stored('a.xml', 0), stored('b.xml', 0)], 0, true)).toBe(
      'Would store nothing, as no file has results.',
    )
  })
})

describe('exitCode', () => {
  it.each([
    ['everything', [stored('a.xml', 2), stored('b.xml', 1)], 0, 0],
    ['files that have no results', [stored('a.xml', 0)], 0, 0],
    ['some items of a file', [partly], 0, 2],
    ['some files', [stored('a.xml', 2), broken], 0, 2],
    ['the files before the server went', [stored('a.xml', 2)], 3, 2],
    ['no item of a file', [nothingMatched], 0, 1],
    ['no file', [broken], 0, 1],
    ['nothing at all', [], 1, 1],
  ] as const)('when what was stored is: %s', (_, outcomes, unsent, code) => {
    expect(exitCode(outcomes, unsent)).toBe(code)
  })
})
