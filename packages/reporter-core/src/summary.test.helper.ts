import type { PartialReceipt, Run, UploadReceipt } from '@caseward/client/endpoints'

import type { Delivery } from './deliver.ts'

export type Delivered = Extract<Delivery, { kind: 'delivered' }>
type ItemError = PartialReceipt['errors'][number]
export type TestCounts = NonNullable<UploadReceipt['tests']>

export const none = { passed: 0, failed: 0, blocked: 0, retest: 0, not_tested: 0 }

/** Creates the delivery of a suite whose results were stored. */
export function delivered(
  stats: Partial<typeof none>,
  errors: ItemError[] = [],
  {
    isRunCompleted = false,
    name = 'Nightly',
    tests,
  }: { isRunCompleted?: boolean; name?: string; tests?: Partial<TestCounts> } = {},
): Delivered {
  const all = { ...none, ...stats }
  const uploaded_count = Object.values(all).reduce((sum, number) => sum + number, 0)
  const failed_count = errors.length
  const receipt = {
    success: false,
    partial_failure: true,
    uploaded_count,
    failed_count,
    stats: all,
    ...(tests === undefined ? {} : { tests: { total: 0, matched: 0, unmatched: 0, flaky: 0, created: 0, ...tests } }),
    errors,
  } as const
  return {
    kind: 'delivered',
    run: { id: 'r-1', name } as Run,
    receipts: [receipt],
    isRunCompleted,
    missingFiles: [],
    unsupportedFileCount: 0,
  }
}

/** Creates the errors of test cases of a receipt. */
export const createErrors = (code: ItemError['code'], ...ids: string[]): ItemError[] =>
  ids.map((test_case_id) => ({ test_case_id, error: `${test_case_id}: no.`, code }))
