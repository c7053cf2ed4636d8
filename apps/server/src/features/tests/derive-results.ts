import type { Attempt, AttemptStatus, ReportedTest } from '@caseward/matching/attempt'
import { getFullKey } from '@caseward/matching/cases-for-tests'
import { MAX_NOTE_LENGTH, truncateNote } from '@caseward/matching/note'
import { combineTestOutcomes } from '@caseward/matching/test-note'
import { toWholeSeconds } from '@caseward/matching/outcome'
import { getTestOutcome } from '@caseward/matching/test-outcome'
import { BODY_LIMIT } from '@caseward/contract/endpoint'

import type { RunRef } from '../../access/project-cache.ts'
import type { Database } from '../../platform/database/connect.ts'
import { parseAttempts } from './encode-attempts.ts'
import { addToGroup, type OneOrMore, toList } from '../../platform/one-or-more.ts'
import { createYielder } from '../../platform/yielder.ts'
import { splitByCombination } from '../combinations/split-tests.ts'
import { tryOut } from '../combinations/try-out.ts'
import type { ResultWrite, WriteOptions } from '../results/result-write.ts'
import { type WrittenResults, writeResults } from '../results/write-results.ts'
import type { LinkedOutcome } from './outcomes.queries.ts'

/** A test of a test case in a run. */
export interface CaseTest {
  test: Pick<ReportedTest, 'suite' | 'name'> & {
    readonly attempts: readonly Attempt[]
    /** What follows from the reports of all sources; without it, the attempts decide. */
    readonly status?: AttemptStatus | undefined
  }
  testedAt: Date
  variant: string
  /** Whether it was stored before, and is not part of the upload. */
  isStored?: true
}

/** Tests that decide a result, or one combination of it. */
interface Deciding {
  caseNumber: number
  place?: number
  tests: readonly CaseTest[]
}

/** A test case, each only once, with its tests. Nearly every test case has one. */
export type TestsOfCase = readonly [caseNumber: number, tests: OneOrMore<CaseTest>]

/**
 * Maximum number of characters of all notes together. A note goes to every test case that its test names, so a small
 * report could grow to gigabytes. Reports of real tools stay far below this limit.
 */
const MAX_TOTAL_NOTE_LENGTH = 2 * BODY_LIMIT.upload

/** Adds the stored outcomes of tests to their test cases. */
export function addStoredOutcomes(
  testsByCase: readonly TestsOfCase[],
  outcomes: readonly LinkedOutcome[],
): readonly TestsOfCase[] {
  if (outcomes.length === 0) return testsByCase
  const all = new Map(testsByCase)
  for (const outcome of outcomes) {
    const { case_number, suite, name, variant, status, tested_at: testedAt } = outcome
    const test = { suite, name, status, attempts: parseAttempts(outcome) }
    addToGroup(all, case_number, { test, testedAt, variant, isStored: true })
  }
  return [...all]
}

/**
 * Writes the results of test cases: the worst outcome of all their tests in the run. Each has the time of its newest
 * outcome that was not skipped, so that the order of uploads does not matter. The caller holds the lock on the run.
 * @param options.keepsNewer keeps results that are newer than all outcomes of their tests, such as those set by hand
 */
export async function writeDerivedResults(
  tx: Database,
  run: RunRef,
  testsByCase: readonly TestsOfCase[],
  options: DerivedOptions,
): Promise<WrittenResults> {
  const write = () => splitAndWrite(tx, run, testsByCase, options)
  // Tests that fit no combination add one.
  return options.dryRun && options.changes.hasCombinations ? await tryOut(tx, write) : await write()
}

type DerivedOptions = Omit<WriteOptions, 'finishedAt' | 'testedBy'> & { keepsNewer: boolean }

async function splitAndWrite(
  tx: Database,
  run: RunRef,
  testsByCase: readonly TestsOfCase[],
  { keepsNewer, ...options }: DerivedOptions,
): Promise<WrittenResults> {
  const written: WrittenResults = {
    stats: { passed: 0, failed: 0, blocked: 0, retest: 0, not_tested: 0 },
    missing: new Set(),
    newer: new Map(),
  }
  const split = options.changes.hasCombinations ? await splitByCombination(tx, run, testsByCase) : null
  const deciding = toDeciding(split?.plain ?? testsByCase, split?.placed ?? [])
  for (const [time, writes] of await groupByTime(deciding, keepsNewer)) {
    const finishedAt = keepsNewer ? new Date(time) : null
    const part = await writeResults(tx, run, writes, {
      ...options,
      testedBy: null,
      finishedAt,
      replacesUntested: true,
    })
    for (const status of ['passed', 'failed', 'blocked', 'retest', 'not_tested'] as const) {
      written.stats[status] += part.stats[status]
    }
    for (const number of part.missing) written.missing.add(number)
    for (const [number, testedAt] of part.newer) written.newer.set(number, testedAt)
  }
  return written
}

function* toDeciding(testsByCase: Iterable<TestsOfCase>, placed: readonly Deciding[]): Generator<Deciding> {
  for (const [caseNumber, oneOrMore] of testsByCase) yield { caseNumber, tests: toList(oneOrMore) }
  yield* placed
}

/** In the order of their names, so that the note is the same whichever upload came first. */
function combine(tests: readonly CaseTest[]) {
  const [only] = tests
  if (only !== undefined && tests.length === 1) {
    return combineTestOutcomes([only.test])
  }
  const named = tests.map(({ test }) => ({ ...test, name: getFullKey(test) }))
  return combineTestOutcomes(named.toSorted((a, b) => (a.name < b.name ? -1 : Number(a.name > b.name))))
}

/** A test that was skipped later says nothing about the result that the others decide. */
function getNewestTime(tests: readonly CaseTest[]): number {
  const executed = tests.length === 1 ? tests : tests.filter(wasExecuted)
  return Math.max(...(executed.length > 0 ? executed : tests).map(({ testedAt }) => testedAt.getTime()))
}

const wasExecuted = ({ test: { status, attempts } }: CaseTest): boolean =>
  (status ?? getTestOutcome(attempts).status) !== 'skipped'

/** The results by the time of their newest outcome; all together if the time does not matter. */
async function groupByTime(all: Iterable<Deciding>, keepsNewer: boolean): Promise<Map<number, ResultWrite[]>> {
  const groups = new Map<number, ResultWrite[]>()
  const yielder = createYielder()
  let remainingLength = MAX_TOTAL_NOTE_LENGTH
  for (const { caseNumber, place, tests } of all) {
    if (yielder.shouldYield()) await yielder.yield()
    const { status, note: fullNote, seconds } = combine(tests)
    const note = fullNote === null ? null : truncateNote(fullNote, Math.min(MAX_NOTE_LENGTH, remainingLength))
    remainingLength = Math.max(0, remainingLength - (note?.length ?? 0))
    const time = keepsNewer ? getNewestTime(tests) : 0
    const group = groups.get(time)
    const write = { caseNumber, place, status, note, elapsed: toWholeSeconds(seconds) }
    if (group === undefined) groups.set(time, [write])
    else group.push(write)
  }
  return groups
}
