import { describe, expect, it } from 'vitest'

import { type Receipt, sumReceipts, sumTests } from './receipts.ts'
import { formatStatusCounts, pluralize } from './wording.ts'

const receipt = (passed: number, notTested: number): Receipt => ({
  success: true,
  uploaded_count: passed + notTested,
  failed_count: 0,
  stats: { passed, failed: 0, blocked: 0, retest: 0, not_tested: notTested },
})
const tests = { total: 3, matched: 1, unmatched: 2, flaky: 1, created: 0 }

describe('sumReceipts', () => {
  it('adds up the results of several uploads', () => {
    expect(sumReceipts([receipt(2, 1), receipt(3, 0)])).toEqual({
      uploaded_count: 6,
      failed_count: 0,
      stats: { passed: 5, failed: 0, blocked: 0, retest: 0, not_tested: 1 },
    })
  })
})

describe('sumTests', () => {
  it('adds up the tests of the uploads that have any', () => {
    expect(sumTests([{ ...receipt(1, 0), tests }, receipt(1, 0), { ...receipt(1, 0), tests }])).toEqual({
      total: 6,
      matched: 2,
      unmatched: 4,
      flaky: 2,
      created: 0,
    })
  })

  it('adds up repeated tests and unknown statuses, with up to three examples', () => {
    const counts = (examples: string[]) => ({ ...tests, repeated: 2, unknown_status: { count: 4, examples } })
    const receipts = [counts(['status="a"', 'status="b"']), counts(['status="b"', 'status="c"', 'status="d"'])]
    expect(sumTests(receipts.map((sent) => ({ ...receipt(1, 0), tests: sent })))).toMatchObject({
      repeated: 4,
      unknown_status: { count: 8, examples: ['status="a"', 'status="b"', 'status="c"'] },
    })
  })

  it('names each field that created test cases lack once', () => {
    const receipts = [['risk'], ['risk', 'due']].map((keys) => ({
      ...receipt(1, 0),
      tests: { ...tests, lacking_fields: keys },
    }))
    expect(sumTests(receipts)).toMatchObject({ lacking_fields: ['risk', 'due'] })
  })

  it('returns null when no upload has any', () => {
    expect(sumTests([receipt(1, 0)])).toBeNull()
  })
})

describe('formatStatusCounts', () => {
  it('names only the statuses that have results', () => {
    const { stats } = receipt(3, 1)
    expect(formatStatusCounts(stats)).toBe('3 passed, 1 not tested')
    expect(formatStatusCounts(stats, ['failed', 'not_tested'])).toBe('1 not tested')
  })
})

describe('pluralize', () => {
  it('adds an s to the noun unless the number is 1', () => {
    expect([0, 1, 2].map((number) => pluralize(number, 'test'))).toEqual(['0 tests', '1 test', '2 tests'])
  })
})
