import { describe, expect, it } from 'vitest'

import { formatTests } from './format-tests.ts'

const run = { id: 'run-1', url: 'https://cases.example.com/runs/run-1' }

describe('formatTests', () => {
  it('counts the failures of unmatched tests', () => {
    const counts = { total: 3, matched: 1, unmatched: 2, unmatched_failed: 1, flaky: 0, created: 0 }
    expect(formatTests(counts, run, false)[0]).toBe('3 tests: 1 matched, 2 unmatched (1 failed).')
  })

  it('counts matched, flaky and created ones', () => {
    const tests = { total: 5, matched: 5, unmatched: 0, flaky: 1, created: 2 }
    expect(formatTests(tests, run, false)).toEqual(['5 tests: 5 matched, 1 flaky, 2 test cases created.'])
  })

  it('returns nothing when every test matched as usual', () => {
    expect(formatTests({ total: 5, matched: 5, unmatched: 0, flaky: 0, created: 0 }, run, false)).toEqual([])
  })

  it('ends with one command and one address when tests are unmatched', () => {
    const tests = { total: 3, matched: 1, unmatched: 2, flaky: 0, created: 0 }
    expect(formatTests(tests, run, false)).toEqual([
      '3 tests: 1 matched, 2 unmatched.',
      'Unmatched tests: https://cases.example.com/runs/run-1/tests?matched=false',
      'To create test cases for them (with a personal token):',
      '  caseward tests create-cases --run run-1',
    ])
  })

  it('names the option in a dry run, which has stored no tests', () => {
    const tests = { total: 2, matched: 0, unmatched: 2, flaky: 0, created: 0 }
    expect(formatTests(tests, run, true)).toEqual([
      '2 tests: 0 matched, 2 unmatched.',
      'Use --create-cases to create test cases for the unmatched tests.',
    ])
  })
})
