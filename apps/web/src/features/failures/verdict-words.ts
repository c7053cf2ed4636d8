import type { Evaluation, ListedVerdict } from './failure-queries.ts'

interface VerdictWords {
  readonly name: string
  /** What it means, in a sentence. */
  readonly meaning: string
}

/** Verdicts in the order in which they are shown: what blocks first. */
export const verdictWords: Readonly<Record<ListedVerdict, VerdictWords>> = {
  new: { name: 'New', meaning: 'It passed in the base run, or was not there.' },
  changed: { name: 'Changed', meaning: 'It failed in the base run, too, but otherwise.' },
  new_test: { name: 'New test', meaning: 'The test is newer than the base run.' },
  environment: { name: 'One cause', meaning: 'Most failures have this cause: run the build again.' },
  not_run: { name: 'Not run', meaning: 'It was blocked or interrupted, which it was not in the base run.' },
  known_flaky: {
    name: 'Known flaky',
    meaning: 'The test is flaky, and failed so before. That explains it, and excuses nothing.',
  },
  already_red: { name: 'Already red', meaning: 'The same failure as in the base run.' },
  quarantined: { name: 'Quarantined', meaning: 'A quarantine entry excuses it.' },
  flaked: { name: 'Flaked', meaning: 'It passed after another attempt had failed.' },
  fixed: { name: 'Fixed', meaning: 'It failed in the base run, and passed here.' },
  missing: { name: 'Missing', meaning: 'The base run executed it, and this run does not have it.' },
}

export const verdictOrder = Object.keys(verdictWords) as ListedVerdict[]

/** The counts that are not zero, in the order of {@link verdictWords}: "2 new · 1 fixed". */
export const describeCounts = (counts: Partial<Record<ListedVerdict, number>>): string =>
  verdictOrder
    .flatMap((verdict) => {
      const count = counts[verdict] ?? 0
      return count === 0 ? [] : [`${count.toLocaleString('en')} ${verdictWords[verdict].name.toLowerCase()}`]
    })
    .join(' · ')

/** What an evaluation says in one line. */
export function describeEvaluation({ blocking_count: blocking, tests, suite_error_count: errors }: Evaluation): string {
  if (blocking > 0) {
    const what = errors > 0 ? 'failure or error' : 'failure'
    return blocking === 1
      ? `1 ${what} blocks`
      : `${blocking.toLocaleString('en')} ${what.replace('failure', 'failures').replace('error', 'errors')} block`
  }
  if (tests.executed === 0) return 'No test was executed'
  if (tests.failed === 0)
    return tests.executed === 1 ? 'The test passed' : `All ${tests.executed.toLocaleString('en')} tests passed`
  return tests.failed === 1
    ? 'The failure does not block'
    : `None of ${tests.failed.toLocaleString('en')} failures blocks`
}
