import { MAX_NOTE_LENGTH } from './note.ts'

export type ResultStatus = 'passed' | 'failed' | 'blocked' | 'retest' | 'not_tested'

/** The outcome of one or several tests. */
export interface TestOutcome {
  readonly status: ResultStatus
  readonly note: string | null
  /** Not rounded; null when the duration is unknown. */
  readonly seconds: number | null
}

/** The worst status first. It decides when several tests match one test case. */
const STATUSES_BY_SEVERITY: readonly ResultStatus[] = ['failed', 'blocked', 'retest', 'passed', 'not_tested']

/**
 * Combines the outcomes of several tests: the worst status, the sum of the times, and each note with its test's name.
 */
export function combineOutcomes(
  tests: readonly { readonly name: string; readonly outcome: TestOutcome }[],
): TestOutcome {
  const [only] = tests
  if (only !== undefined && tests.length === 1) return only.outcome
  // Not sorted: a report can contain hundreds of thousands of tests of one test case.
  const worstFirst = STATUSES_BY_SEVERITY.flatMap((status) => tests.filter(({ outcome }) => outcome.status === status))
  return {
    status: worstFirst[0]?.outcome.status ?? 'not_tested',
    note: joinNotes(formatNotes(worstFirst)),
    seconds: sumSeconds(tests.map(({ outcome }) => outcome.seconds)),
  }
}

function* formatNotes(tests: Parameters<typeof combineOutcomes>[0]): Generator<string> {
  for (const { name, outcome } of tests) if (outcome.note !== null) yield `${name}: ${outcome.note}`
}

/** Describes the attempts at a test for its note; '' when there was only one. */
export function describeAttempts(status: ResultStatus, attempts: number, failed: number): string {
  if (attempts <= 1) return ''
  if (status === 'passed') {
    return failed > 0
      ? `Flaky: passed after ${failed} of ${attempts} attempts failed.`
      : `Passed in ${attempts} attempts.`
  }
  return status === 'failed' ? `Failed in ${attempts} attempts.` : `${attempts} attempts.`
}

/**
 * Joins notes with an empty line between them; null when all are empty. Stops beyond the maximum length, because the
 * notes of thousands of tests would exceed the longest possible string. A generator makes only the notes that are used.
 */
export function joinNotes(notes: Iterable<string>): string | null {
  let joined = ''
  for (const note of notes) {
    if (note !== '') joined += joined === '' ? note : `\n\n${note}`
    // A character has at most two units.
    if (joined.length > 2 * MAX_NOTE_LENGTH) break
  }
  return joined === '' ? null : joined
}

/** Returns the sum of all known times; null when none is known. */
export function sumSeconds(values: readonly (number | null)[]): number | null {
  let total: number | null = null
  for (const value of values) if (value !== null) total = (total ?? 0) + value
  return total
}

/** Rounds to whole seconds, limited to 32 bits, as results store them. */
export function toWholeSeconds(seconds: number | null): number | null {
  return seconds === null ? null : Math.min(Math.round(seconds), 2_147_483_647)
}
