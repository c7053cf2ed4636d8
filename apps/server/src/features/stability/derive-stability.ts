import type { Stability } from '@caseward/contract/stability'

const DAY_MS = 86_400_000
/** Flake events and commits are counted over this time. */
export const WINDOW_DAYS = 30
/** A test leaves flaky after this long without a flake event, if it was executed often enough since. */
export const QUIET_DAYS = 14
export const QUIET_EXECUTIONS = 100
/** Events that make a test flaky. */
const FLAKY_EVENTS = 2
/** The newest base runs of the default branch that must all have failed. */
export const BROKEN_RUNS = 3

/** Quantile of the normal distribution that the score leaves out on the lower side: 10 %. */
const Z = 1.28

/**
 * Computes the order of flaky tests: 100 times the lower Wilson bound of the share of commits on which a test flaked, so that
 * 10 of 20 come before 2 of 2 of a test that has hardly run.
 * https://www.itl.nist.gov/div898/handbook/prc/section2/prc241.htm
 * @param commits at least `flakeCommits`
 */
export function computeScore(flakeCommits: number, commits: number): number {
  if (flakeCommits === 0) return 0
  const share = flakeCommits / commits
  const spread = Z * Math.sqrt((share * (1 - share)) / commits + Z ** 2 / (4 * commits ** 2))
  return Math.round((100 * (share + Z ** 2 / (2 * commits) - spread)) / (1 + Z ** 2 / commits))
}

/** A time without flake events, after which a test may have left flaky. */
export interface QuietPeriod {
  readonly from: Date
  /** The next event; now for the last period. */
  readonly to: Date
}

const getDays = ({ from, to }: QuietPeriod): number => (to.getTime() - from.getTime()) / DAY_MS
const isRecent = (at: Date, now: Date): boolean => getDays({ from: at, to: now }) < WINDOW_DAYS

/** Counts the flake events of the window. */
export const countRecent = (events: readonly Date[], now: Date): number =>
  events.filter((at) => isRecent(at, now)).length

/** Returns the time after each event, the oldest first. */
function toPeriods(events: readonly Date[], now: Date): QuietPeriod[] {
  const sorted = events.toSorted((left, right) => left.getTime() - right.getTime())
  return sorted.map((from, index) => ({ from, to: sorted[index + 1] ?? now }))
}

/** Lists the periods in which the number of executions decides whether the events before them still count. */
export const listQuietPeriods = (events: readonly Date[], now: Date): QuietPeriod[] =>
  toPeriods(events, now).filter((period) => getDays(period) >= QUIET_DAYS && getDays(period) < WINDOW_DAYS)

/** An outcome in a base run of the default branch in which the test was executed. */
export interface BaseOutcome {
  readonly hasFailed: boolean
  readonly isFlaky: boolean
}

export interface StabilityEvidence {
  /** Times of its flake events, at least those since {@link WINDOW_DAYS} days passed without one. */
  readonly events: readonly Date[]
  /** Its newest base outcomes, the newest first. */
  readonly baseOutcomes: readonly BaseOutcome[]
  /** Returns how often the test was executed within a period of {@link listQuietPeriods}. */
  readonly countExecutions: (period: QuietPeriod) => number
}

/** Derives how reliable a test is. It depends on the evidence alone: when it was last derived makes no difference. */
export function deriveStability({ events, baseOutcomes, countExecutions }: StabilityEvidence, now: Date): Stability {
  if (isBroken(baseOutcomes)) return 'broken'
  let counted: Date[] = []
  let isFlaky = false
  for (const period of toPeriods(events, now)) {
    counted = [...counted.filter((at) => isRecent(at, period.from)), period.from]
    isFlaky ||= counted.length >= FLAKY_EVENTS
    const days = getDays(period)
    const hasLeft = days >= WINDOW_DAYS || (days >= QUIET_DAYS && countExecutions(period) >= QUIET_EXECUTIONS)
    if (!isFlaky || !hasLeft) continue
    // Two newer events are required to be flaky again.
    isFlaky = false
    counted = []
  }
  return isFlaky ? 'flaky' : countRecent(counted, now) > 0 ? 'suspect' : 'stable'
}

function isBroken(outcomes: readonly BaseOutcome[]): boolean {
  const newest = outcomes.slice(0, BROKEN_RUNS)
  return newest.length === BROKEN_RUNS && newest.every(({ hasFailed, isFlaky }) => hasFailed && !isFlaky)
}
