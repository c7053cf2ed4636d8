import { type PartialReceipt, RESULT_STATUSES, type TestCounts, type UploadReceipt } from '@caseward/client/endpoints'

/** The reply to an upload that was stored, in whole or in part. */
export type Receipt = UploadReceipt | PartialReceipt

/** Counts over several uploads. */
export interface UploadTotals {
  readonly uploaded_count: number
  readonly failed_count: number
  readonly stats: Receipt['stats']
}

/** Adds up the counts of results. */
export function sumReceipts(receipts: readonly Receipt[]): UploadTotals {
  const sum = (getCount: (receipt: Receipt) => number) =>
    receipts.reduce((total, receipt) => total + getCount(receipt), 0)
  const stats = { passed: 0, failed: 0, blocked: 0, retest: 0, not_tested: 0 }
  for (const status of RESULT_STATUSES) stats[status] = sum((receipt) => receipt.stats[status])
  return {
    uploaded_count: sum(({ uploaded_count: count }) => count),
    failed_count: sum(({ failed_count: count }) => count),
    stats,
  }
}

/** Adds up the counts of tests; null if no receipt has any, as those of results by id. */
export function sumTests(receipts: readonly Receipt[]): TestCounts | null {
  const counts = receipts.flatMap(({ tests }) => (tests === undefined ? [] : [tests]))
  if (counts.length === 0) return null
  const sum = (name: 'total' | 'matched' | 'unmatched' | 'flaky' | 'created' | 'repeated' | 'unmatched_failed') =>
    counts.reduce((total, tests) => total + (tests[name] ?? 0), 0)
  const unknown = counts.flatMap(({ unknown_status: status }) => status ?? [])
  const lacking = new Set(counts.flatMap(({ lacking_fields: keys }) => keys ?? []))
  const skippedText = counts.find(({ skipped_text: text }) => text !== undefined)?.skipped_text
  return {
    total: sum('total'),
    matched: sum('matched'),
    unmatched: sum('unmatched'),
    flaky: sum('flaky'),
    created: sum('created'),
    ...(sum('unmatched_failed') === 0 ? {} : { unmatched_failed: sum('unmatched_failed') }),
    // Servers of earlier versions do not count them.
    ...(counts.some(({ repeated }) => repeated !== undefined) ? { repeated: sum('repeated') } : {}),
    ...(unknown.length === 0 ? {} : { unknown_status: sumUnknown(unknown) }),
    ...(lacking.size === 0 ? {} : { lacking_fields: [...lacking] }),
    ...(skippedText === undefined ? {} : { skipped_text: skippedText }),
  }
}

const MAX_EXAMPLES = 3

const sumUnknown = (unknown: readonly NonNullable<TestCounts['unknown_status']>[]) => ({
  count: unknown.reduce((total, { count }) => total + count, 0),
  examples: [...new Set(unknown.flatMap(({ examples }) => examples))].slice(0, MAX_EXAMPLES),
})
