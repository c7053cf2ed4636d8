import type { DeclaredAttachment } from '@caseward/contract/declared-attachments'
import type { UploadedAttempt, UploadedLink, UploadedStep, UploadedTest } from '@caseward/contract/uploaded-tests'
import type { Attempt, ReportedAttachment, ReportedLink, ReportedStep, ReportedTest } from '@caseward/matching/attempt'
import { createRootRemover } from '@caseward/matching/checkout-root'
import { cutText, truncateNote } from '@caseward/matching/note'

import { createYielder } from '../../platform/yielder.ts'
import { cutSteps } from '../tests/cut-steps.ts'

const MAX_LENGTH = { name: 2000, suite: 2000, variant: 255, file: 1000, message: 10_000, step: 1000 }

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
    const linked = test.links === undefined ? reported : { ...reported, links: test.links.map(toLink) }
    const named = test.fields === undefined ? linked : { ...linked, fields: test.fields }
    read.push(removeRoot === null ? named : removeRoot(named))
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

function toAttempt({ attachments, steps, ...uploaded }: UploadedAttempt): Attempt {
  const { status, elapsed_ms: elapsedMs = null, message = '', details = '', started_at: startedAt = null } = uploaded
  const attempt = {
    status,
    elapsedMs,
    message: truncateNote(message, MAX_LENGTH.message),
    details: truncateNote(details),
    startedAt,
  }
  const hasAttachments = attachments !== undefined && attachments.length > 0
  const hasSteps = steps !== undefined && steps.length > 0
  // Nearly all attempts have neither, and the same fields.
  if (!hasAttachments && !hasSteps) return attempt
  return {
    ...attempt,
    attachments: hasAttachments ? attachments.map(toAttachment) : undefined,
    ...(hasSteps ? cutSteps(steps.map(toStep)) : {}),
  }
}

export const toLink = ({ url, kind = 'defect' }: UploadedLink): ReportedLink => ({ kind, url: url.trim() })

export const toAttachment = ({ name, sha256, byte_count, kind }: DeclaredAttachment): ReportedAttachment => ({
  name,
  sha256,
  byteCount: byte_count,
  kind,
})

const toStep = ({ title, status, depth, elapsed_ms, message = '' }: UploadedStep): ReportedStep => ({
  title: truncate(title, MAX_LENGTH.step),
  status,
  depth,
  elapsedMs: elapsed_ms ?? null,
  message: truncateNote(message, MAX_LENGTH.message),
})
