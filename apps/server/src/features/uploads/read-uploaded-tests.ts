import type { UploadedAttempt, UploadedTest } from '@caseward/contract/upload-body'
import type { Attempt, ReportedTest } from '@caseward/matching/attempt'
import { createRootRemover } from '@caseward/matching/checkout-root'
import { cutText, truncateNote } from '@caseward/matching/note'

import { createYielder } from '../../platform/yielder.ts'

const MAX_LENGTH = { name: 2000, suite: 2000, variant: 255, file: 1000, message: 10_000 }

/** Reads the tests of a JSON body, which the schema has validated. */
export async function readUploadedTests(
  tests: readonly UploadedTest[],
  { root, module }: { root?: string | undefined; module?: string | undefined } = {},
): Promise<ReportedTest[]> {
  const removeRoot = root === undefined ? null : createRootRemover(root)
  const yielder = createYielder()
  const read: ReportedTest[] = []
  for (const test of tests) {
    if (yielder.shouldYield()) await yielder.yield()
    const [first, ...others] = test.attempts
    if (first === undefined) continue
    const reported: ReportedTest = {
      suite: truncate(test.suite ?? '', MAX_LENGTH.suite),
      name: truncate(test.name, MAX_LENGTH.name),
      variant: truncate(test.variant ?? '', MAX_LENGTH.variant),
      file: truncate(test.file ?? '', MAX_LENGTH.file),
      testCaseIds: test.test_case_ids ?? NONE,
      tags: test.tags ?? NONE,
      attempts: others.length === 0 ? [toAttempt(first)] : [toAttempt(first), ...others.map(toAttempt)],
      module,
      isOnlyIfReported: test.only_if_reported === true ? true : undefined,
    }
    read.push(removeRoot === null ? reported : removeRoot(reported))
  }
  return read
}

/** Shared, because a report can have 250,000 tests. */
const NONE: readonly string[] = []

/** Truncates a text and removes white space around it. */
function truncate(text: string, maxLength: number): string {
  const trimmed = text.trim()
  return trimmed.length <= maxLength ? trimmed : cutText(trimmed, maxLength).trim()
}

const toAttempt = ({ status, elapsed_ms, message = '', details = '', started_at }: UploadedAttempt): Attempt => ({
  status,
  elapsedMs: elapsed_ms ?? null,
  message: truncateNote(message, MAX_LENGTH.message),
  details: truncateNote(details),
  startedAt: started_at ?? null,
})
