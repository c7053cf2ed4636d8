import { getTestOutcome } from '@caseward/matching/test-outcome'

import type { RunRef } from '../../access/project-cache.ts'
import type { Database } from '../../platform/database/connect.ts'
import { createYielder } from '../../platform/yielder.ts'
import { combineParts, type Part, type Source } from '../tests/combine-parts.ts'
import { encodeAttempts, parseAttempts, toWholeMs } from '../tests/encode-attempts.ts'
import { type PartWrite, selectStoredParts, type StoredPart, writeParts } from '../tests/outcome-parts.queries.ts'
import { selectSources, UNKNOWN_SOURCE } from '../tests/run-uploads.queries.ts'
import type { UploadTest } from './upload-test.ts'

export interface CombineOptions {
  /** When the upload was tested: at the end of its suite, or now. */
  testedAt: Date
  /** Whether parts of the same source that are newer are kept, as when a late upload says when it was tested. */
  keepsNewer: boolean
}

/** Which parts of an upload were not stored, and why. */
export interface CombinedUpload {
  /** Tests whose newer part of the same source was kept, with its time. */
  newer: Map<string, Date>
  /** Tests that were skipped, and whose earlier execution by the same source was kept. */
  executed: Set<string>
}

/**
 * Compares the tests of an upload with what other sources of the run have reported of them, and stores the parts of those that
 * several have reported. Sets `combined` of these tests. The caller holds the lock on the run.
 */
export async function combineWithStored(
  tx: Database,
  run: RunRef,
  tests: readonly UploadTest[],
  { testedAt, keepsNewer }: CombineOptions,
): Promise<CombinedUpload> {
  const upload: CombinedUpload = { newer: new Map(), executed: new Set() }
  const stored = await selectStoredParts(
    tx,
    run,
    tests.map(({ id }) => id),
  )
  if (stored.size === 0) return upload
  const several: { test: UploadTest; others: StoredPart[]; own: Part | null }[] = []
  const numbers = new Set<number>()
  const yielder = createYielder()
  for (const test of tests) {
    if (yielder.shouldYield()) await yielder.yield()
    const parts = stored.get(test.id) ?? []
    const previous = parts.find(({ source }) => source === test.sourceNumber)
    const kept = previous === undefined ? null : checkKept(test, previous, keepsNewer ? testedAt : null)
    if (kept === 'newer') upload.newer.set(test.id, previous?.tested_at ?? testedAt)
    if (kept === 'executed') upload.executed.add(test.id)
    const others = parts.filter(({ source }) => source !== test.sourceNumber)
    if (kept !== null || others.length === 0) continue
    several.push({ test, others, own: null })
    for (const { source } of others) numbers.add(source)
    numbers.add(test.sourceNumber)
  }
  const sources = await selectSources(tx, run, [...numbers])
  const writes: PartWrite[] = []
  for (const { test, others } of several) {
    if (yielder.shouldYield()) await yielder.yield()
    const own = toPart(test, getSource(sources, test.sourceNumber), testedAt)
    test.combined = combineParts([own, ...others.map((part) => toStoredPart(part, getSource(sources, part.source)))])
    writes.push(toPartWrite(test.id, test.sourceNumber, own))
    // The outcome was the only part until now.
    const [only] = others
    if (only !== undefined && others.length === 1) {
      writes.push(toPartWrite(test.id, only.source, toStoredPart(only, UNKNOWN_SOURCE)))
    }
  }
  await writeParts(tx, run, writes)
  return upload
}

const getSource = (sources: ReadonlyMap<number, Source>, number: number): Source =>
  sources.get(number) ?? UNKNOWN_SOURCE

/** Why the stored part of the same source stays; null when it is replaced. */
function checkKept(
  { test }: UploadTest,
  { status, tested_at: previousTime }: StoredPart,
  testedAt: Date | null,
): 'newer' | 'executed' | null {
  const isSkipped = getTestOutcome(test.attempts).status === 'skipped'
  if (isSkipped !== (status === 'skipped')) return isSkipped ? 'executed' : null
  return testedAt !== null && previousTime > testedAt ? 'newer' : null
}

const toPart = ({ test }: UploadTest, source: Source, testedAt: Date): Part => ({
  source,
  ...getTestOutcome(test.attempts),
  attempts: test.attempts,
  testedAt: testedAt.getTime(),
})

function toStoredPart(part: StoredPart, source: Source): Part {
  const { status, is_flaky: isFlaky, tested_at: testedAt } = part
  return { source, status, isFlaky, attempts: parseAttempts(part), testedAt: testedAt.getTime() }
}

const toPartWrite = (testId: string, source: number, { status, isFlaky, attempts, testedAt }: Part): PartWrite => ({
  testId,
  source,
  status,
  isFlaky,
  elapsedMs: toWholeMs(getTestOutcome(attempts).elapsedMs),
  attemptCount: attempts.length,
  attempts: encodeAttempts(attempts),
  testedAt: new Date(testedAt),
})
