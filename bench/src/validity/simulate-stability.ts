import { createRandom } from '@caseward/server/features/demo/random'
import { findFlakeInRun } from '@caseward/server/features/evaluation/derive-flake-events'
import { type BaseOutcome, deriveStability } from '@caseward/server/features/stability/derive-stability'

const DAYS = 30
const COMMITS_PER_DAY = 10
const MAX_ATTEMPTS = 3
const DAY_MS = 86_400_000
const START = Date.UTC(2026, 0, 1)
/** So long, every attempt of a regression fails. */
const REGRESSION_DAYS = 3

const source = {
  job: 'test',
  instance: '',
  shard: '',
  variant: '',
  report: '',
  label: '',
  jobUrl: '',
  buildAttempt: 1,
  isRerun: false,
}

/** Whether a test was ever called flaky in a month of commits, each with two retries. */
function wasCalledFlaky(fails: (day: number) => boolean): boolean {
  const events: Date[] = []
  const commits: number[] = []
  const outcomes: BaseOutcome[] = []
  for (let commit = 0; commit < DAYS * COMMITS_PER_DAY; commit += 1) {
    const day = commit / COMMITS_PER_DAY
    const at = START + day * DAY_MS
    let failedAttempts = 0
    while (failedAttempts < MAX_ATTEMPTS && fails(day)) failedAttempts += 1
    const hasFailed = failedAttempts === MAX_ATTEMPTS
    const isFlaky = failedAttempts > 0 && !hasFailed
    const part = {
      source,
      status: hasFailed ? ('failed' as const) : ('passed' as const),
      isFlaky,
      testedAt: at,
      isExcluded: false,
    }
    commits.push(at)
    outcomes.unshift({ hasFailed, isFlaky })
    if (findFlakeInRun([part]) !== null) events.push(new Date(at))
    const countExecutions = ({ from, to }: { from: Date; to: Date }) =>
      commits.filter((time) => time > from.getTime() && time <= to.getTime()).length
    if (deriveStability({ events, baseOutcomes: outcomes, countExecutions }, new Date(at)) === 'flaky') return true
  }
  return false
}

/** Returns the share of simulations in which a test that fails at this rate is called flaky. */
export function measureRecall(failureRates: readonly number[], seeds: number): number {
  let found = 0
  for (let seed = 1; seed <= seeds; seed += 1) {
    failureRates.forEach((rate, index) => {
      const random = createRandom(seed * 100_003 + index)
      if (wasCalledFlaky(() => random() < rate)) found += 1
    })
  }
  return found / (failureRates.length * seeds)
}

/** Returns how many regressions are called flaky: tests of which every attempt fails for three days. */
export function countRegressionsCalledFlaky(regressions: number, seeds: number): number {
  let found = 0
  for (let seed = 1; seed <= seeds; seed += 1) {
    const random = createRandom(seed)
    for (let index = 0; index < regressions; index += 1) {
      const start = random() * (DAYS - REGRESSION_DAYS)
      if (wasCalledFlaky((day) => day >= start && day < start + REGRESSION_DAYS)) found += 1
    }
  }
  return found
}
