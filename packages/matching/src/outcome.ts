import { MAX_NOTE_LENGTH } from './note.ts'

/** The spec's words for what came of a test. */
export type ResultStatus = 'passed' | 'failed' | 'blocked' | 'retest' | 'not_tested'

/** What one or several tests say of a case. */
export interface TestOutcome {
  readonly status: ResultStatus
  readonly note: string | null
  /** Not yet rounded; null when nothing says how long it took. */
  readonly seconds: number | null
}

// The worst first: when different tests bear on one case, this one speaks.
const STATUSES_BY_SEVERITY: readonly ResultStatus[] = ['failed', 'blocked', 'retest', 'passed', 'not_tested']

/** The outcome of several different tests on one case: the worst status, times added up, each note under its test's name. */
export function combineOutcomes(
  tests: readonly { readonly name: string; readonly outcome: TestOutcome }[],
): TestOutcome {
  const [only] = tests
  if (only !== undefined && tests.length === 1) return only.outcome
  const rank = (status: ResultStatus) => STATUSES_BY_SEVERITY.indexOf(status)
  const ordered = [...tests].sort((a, b) => rank(a.outcome.status) - rank(b.outcome.status))
  const notes = ordered.flatMap(({ name, outcome }) => (outcome.note === null ? [] : [`${name}: ${outcome.note}`]))
  return {
    status: ordered[0]?.outcome.status ?? 'not_tested',
    note: joinNotes(notes),
    seconds: sumSeconds(tests.map(({ outcome }) => outcome.seconds)),
  }
}

/** What a note says of several attempts at one test; '' when there was only one. */
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
 * Notes as one, with an empty line between them; null when there is nothing to say. It ends where it is longer than any
 * note that is kept: all that thousands of tests on one case have to say would not fit into a string.
 */
export function joinNotes(notes: readonly string[]): string | null {
  let joined = ''
  for (const note of notes) {
    if (note !== '') joined += joined === '' ? note : `\n\n${note}`
    // A character has at most two units.
    if (joined.length > 2 * MAX_NOTE_LENGTH) break
  }
  return joined === '' ? null : joined
}

/** The sum of those times that are known; null when none is. */
export function sumSeconds(values: readonly (number | null)[]): number | null {
  let total: number | null = null
  for (const value of values) if (value !== null) total = (total ?? 0) + value
  return total
}

/** Times as results hold them: whole seconds that fit into 32 bits. */
export function toWholeSeconds(seconds: number | null): number | null {
  return seconds === null ? null : Math.min(Math.round(seconds), 2_147_483_647)
}
