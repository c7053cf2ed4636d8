import type { Attempt, AttemptStatus } from '@caseward/matching/attempt'
import { getFullKey } from '@caseward/matching/cases-for-tests'
import { MAX_NOTE_LENGTH, truncateNote } from '@caseward/matching/note'
import { combineTestOutcomes } from '@caseward/matching/test-note'
import { toWholeSeconds } from '@caseward/matching/outcome'
import { BODY_LIMIT } from '@caseward/contract/endpoint'

import type { RunRef } from '../../access/project-cache.ts'
import type { Database } from '../../platform/database/connect.ts'
import { createYielder } from '../../platform/yielder.ts'
import type { ResultWrite, WriteOptions } from '../results/result-write.ts'
import { type WrittenResults, writeResults } from '../results/write-results.ts'
import type { LinkedOutcome } from './outcomes.queries.ts'

/** A test of a test case in a run. */
export interface CaseTest {
  /** Suite and name, for the note of a test case with several tests. */
  name: string
  attempts: readonly Attempt[]
  testedAt: Date
}

/** The tests of each test case, by case number. Nearly every test case has one, which needs no list. */
export type TestsByCase = Map<number, CaseTest | CaseTest[]>

/**
 * Maximum number of characters of all notes together. A note goes to every test case that its test names, so a small
 * report could grow to gigabytes. Reports of real tools stay far below this limit.
 */
const MAX_TOTAL_NOTE_LENGTH = 2 * BODY_LIMIT.upload

export function addCaseTest(testsByCase: TestsByCase, caseNumber: number, test: CaseTest): void {
  const earlier = testsByCase.get(caseNumber)
  if (earlier === undefined) testsByCase.set(caseNumber, test)
  else if (Array.isArray(earlier)) earlier.push(test)
  else testsByCase.set(caseNumber, [earlier, test])
}

/** A stored outcome as a test of its test case. */
export const toCaseTest = (outcome: LinkedOutcome): CaseTest => ({
  name: getFullKey(outcome),
  attempts: outcome.attempts?.map(toAttempt) ?? [toPlainAttempt(outcome.status, outcome.elapsed_ms)],
  testedAt: outcome.tested_at,
})

const toPlainAttempt = (status: AttemptStatus, elapsedMs: number | null): Attempt => ({
  status,
  elapsedMs,
  message: '',
  details: '',
  startedAt: null,
})

const toAttempt = (attempt: NonNullable<LinkedOutcome['attempts']>[number]): Attempt => ({
  status: attempt.status,
  elapsedMs: attempt.elapsed_ms,
  message: attempt.message,
  details: attempt.details,
  startedAt: attempt.started_at,
})

/**
 * Writes the results of test cases: the worst outcome of all their tests in the run. Each has the time of its newest
 * outcome, so that the order of uploads does not matter. The caller holds the lock on the run.
 * @param options.keepsNewer keeps results that are newer than all outcomes of their tests, such as those set by hand
 */
export async function writeDerivedResults(
  tx: Database,
  run: RunRef,
  testsByCase: TestsByCase,
  { keepsNewer, ...options }: Omit<WriteOptions, 'finishedAt' | 'testedBy'> & { keepsNewer: boolean },
): Promise<WrittenResults> {
  const written: WrittenResults = {
    stats: { passed: 0, failed: 0, blocked: 0, retest: 0, not_tested: 0 },
    missing: new Set(),
    newer: new Map(),
  }
  for (const [time, writes] of await groupByTime(testsByCase, keepsNewer)) {
    const finishedAt = keepsNewer ? new Date(time) : null
    const part = await writeResults(tx, run, writes, { ...options, testedBy: null, finishedAt })
    for (const status of ['passed', 'failed', 'blocked', 'retest', 'not_tested'] as const) {
      written.stats[status] += part.stats[status]
    }
    for (const number of part.missing) written.missing.add(number)
    for (const [number, testedAt] of part.newer) written.newer.set(number, testedAt)
  }
  return written
}

const compareNames = (a: CaseTest, b: CaseTest): number => (a.name < b.name ? -1 : Number(a.name > b.name))

/** The results by the time of their newest outcome; all together if the time does not matter. */
async function groupByTime(testsByCase: TestsByCase, keepsNewer: boolean): Promise<Map<number, ResultWrite[]>> {
  const groups = new Map<number, ResultWrite[]>()
  const yielder = createYielder()
  let remainingLength = MAX_TOTAL_NOTE_LENGTH
  for (const [caseNumber, oneOrMore] of testsByCase) {
    if (yielder.shouldYield()) await yielder.yield()
    // In the order of their names, so that the note is the same whichever upload came first.
    const tests = Array.isArray(oneOrMore) ? oneOrMore.toSorted(compareNames) : [oneOrMore]
    const { status, note: fullNote, seconds } = combineTestOutcomes(tests)
    const note = fullNote === null ? null : truncateNote(fullNote, Math.min(MAX_NOTE_LENGTH, remainingLength))
    remainingLength = Math.max(0, remainingLength - (note?.length ?? 0))
    let time = 0
    if (keepsNewer) for (const { testedAt } of tests) time = Math.max(time, testedAt.getTime())
    const group = groups.get(time)
    const write = { caseNumber, status, note, elapsed: toWholeSeconds(seconds) }
    if (group === undefined) groups.set(time, [write])
    else group.push(write)
  }
  return groups
}
