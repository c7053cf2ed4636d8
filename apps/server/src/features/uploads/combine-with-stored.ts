import type { ReportedTest } from '@caseward/matching/attempt'
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
  /** Returns the number of the source that a report file of the upload is. */
  getNumber: (report: string | undefined) => number
}

/** Which parts of an upload were not stored, and why. */
export interface CombinedUpload {
  /** Tests whose newer part of the same source was kept, with its time. */
  newer: Map<string, Date>
  /** Tests that were skipped, and whose earlier execution by the same source was kept. */
  executed: Set<string>
  /** Of these and others, the parts that were kept: a test can be stored for one report, and kept for another. */
  keptParts: Set<string>
}

/** The key of what a source reported of a test, in {@link CombinedUpload.keptParts}. */
export const toPartKey = (testId: string, source: number): string => `${testId} ${source}`

/**
 * Compares the tests of an upload with what other sources of the run have reported of them, and stores the parts of those that
 * several have reported. Sets `combined` of these tests. The caller holds the lock on the run.
 */
export async function combineWithStored(
  tx: Database,
  run: RunRef,
  tests: readonly UploadTest[],
  { testedAt, keepsNewer, getNumber }: CombineOptions,
): Promise<CombinedUpload> {
  const upload: CombinedUpload = { newer: new Map(), executed: new Set(), keptParts: new Set() }
  const stored = await selectStoredParts(
    tx,
    run,
    tests.map(({ id }) => id),
  )
  if (stored.size === 0 && tests.every(({ repeats }) => repeats.length === 0)) return upload
  const several: { test: UploadTest; reports: readonly SourceReport[]; others: StoredPart[] }[] = []
  const numbers = new Set<number>()
  const yielder = createYielder()
  for (const test of tests) {
    if (yielder.shouldYield()) await yielder.yield()
    const parts = stored.get(test.id) ?? []
    const reports: SourceReport[] = []
    for (const report of getReports(test, getNumber)) {
      const previous = parts.find(({ source }) => source === report.number)
      const kept = previous === undefined ? null : checkKept(report.test, previous, keepsNewer ? testedAt : null)
      if (kept === 'newer') upload.newer.set(test.id, previous?.tested_at ?? testedAt)
      if (kept === 'executed') upload.executed.add(test.id)
      if (kept === null) reports.push(report)
      else upload.keptParts.add(toPartKey(test.id, report.number))
    }
    if (reports.length === 0) continue
    // One of several reports of the test is stored.
    upload.newer.delete(test.id)
    upload.executed.delete(test.id)
    const others = parts.filter(({ source }) => reports.every(({ number }) => number !== source))
    if (others.length === 0 && reports.length === 1) {
      test.combined = null
      continue
    }
    several.push({ test, reports, others })
    for (const { source } of others) numbers.add(source)
    for (const { number } of reports) numbers.add(number)
  }
  const sources = await selectSources(tx, run, [...numbers])
  const writes: PartWrite[] = []
  for (const { test, reports, others } of several) {
    if (yielder.shouldYield()) await yielder.yield()
    const own = reports.map(({ test: reported, number }) => toPart(reported, getSource(sources, number), testedAt))
    test.combined = combineParts([...own, ...others.map((part) => toStoredPart(part, getSource(sources, part.source)))])
    for (const [index, part] of own.entries()) {
      writes.push(toPartWrite(test.id, reports[index]?.number ?? test.sourceNumber, part))
    }
    // The outcome was the only part until now.
    const [only] = others
    if (only !== undefined && others.length === 1) {
      writes.push(toPartWrite(test.id, only.source, toStoredPart(only, UNKNOWN_SOURCE)))
    }
  }
  await writeParts(tx, run, writes)
  return upload
}

/** What one report file of the upload says of a test. */
interface SourceReport {
  test: ReportedTest
  number: number
}

const getReports = (
  { test, repeats, sourceNumber }: UploadTest,
  getNumber: CombineOptions['getNumber'],
): SourceReport[] => [
  { test, number: sourceNumber },
  ...repeats.map((repeat) => ({ test: repeat, number: getNumber(repeat.report) })),
]

const getSource = (sources: ReadonlyMap<number, Source>, number: number): Source =>
  sources.get(number) ?? UNKNOWN_SOURCE

/** Why the stored part of the same source stays; null when it is replaced. */
function checkKept(
  test: ReportedTest,
  { status, tested_at: previousTime }: StoredPart,
  testedAt: Date | null,
): 'newer' | 'executed' | null {
  const isSkipped = getTestOutcome(test.attempts).status === 'skipped'
  if (isSkipped !== (status === 'skipped')) return isSkipped ? 'executed' : null
  return testedAt !== null && previousTime > testedAt ? 'newer' : null
}

/** What a source reports of a test. */
export const toPart = (test: ReportedTest, source: Source, testedAt: Date): Part => ({
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
