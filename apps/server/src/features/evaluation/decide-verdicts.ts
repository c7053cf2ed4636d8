import { isExcusedBy, isSameFailure } from '@caseward/failures/same-failure'
import type { Verdict } from '@caseward/contract/verdicts'
import type { AttemptStatus } from '@caseward/contract/test-fields'

import { createYielder } from '../../platform/yielder.ts'

/** What identifies a failure. */
export interface FailureRef {
  readonly signature: string
  readonly kind: string
  readonly message: string
  readonly isWeak: boolean
  /** With its values; null where they were not read, as they decide nothing. */
  readonly exactMessage: string | null
}

/** The outcome of a test in the first base run in which it was executed. */
export interface BaseOutcome {
  readonly runId: string
  readonly hasFailed: boolean
  /** Null if it passed. */
  readonly failure: FailureRef | null
}

/** What is known of a test of a run that did not simply pass, or that failed in a base run. */
export interface TestEvidence {
  readonly testId: string
  readonly status: AttemptStatus
  readonly isFlaky: boolean
  /** The failure that decided its outcome; null if it did not fail. */
  readonly failure: FailureRef | null
  /** The id of the active entry whose branches match. */
  readonly quarantineId: string | null
  readonly base: BaseOutcome | null
  /** Its outcome in the first base run that has it, executed or not. */
  readonly firstBaseStatus: AttemptStatus | null
  /** Whether it became known after the first base run was created. */
  readonly isNewTest: boolean
  /** Its failures on commits on which it flaked in the last 90 days, if it was flaky before this run. */
  readonly knownFlakes: readonly FailureRef[]
}

/** How the run stands to its base. */
export interface VerdictContext {
  /** Whether there is a run to compare with. */
  readonly hasBase: boolean
  /** Whether the run is one of the base branch itself: what was red before blocks there, so that it does not look green. */
  readonly isOfBaseBranch: boolean
}

export interface DecidedVerdict {
  readonly testId: string
  readonly verdict: Verdict
  readonly blocks: boolean
}

/** Failures with one cause in so many tests are of the environment, if they are at least half of what is not explained. */
const ENVIRONMENT_TESTS = 20
const ENVIRONMENT_SHARE = 0.5

/**
 * Decides what each outcome of a run means: the first verdict that holds. Only a quarantine entry and the same failure on the base
 * branch excuse a failure. Pure: the order of the tests makes no difference.
 * @returns none for tests that passed here and in the base run, or could not run in both
 */
export async function decideVerdicts(
  tests: readonly TestEvidence[],
  context: VerdictContext,
): Promise<DecidedVerdict[]> {
  // Comparing two messages can take a tenth of a millisecond.
  const yielder = createYielder(1)
  const open: TestEvidence[] = []
  const decided: DecidedVerdict[] = []
  const decide = ({ testId }: TestEvidence, verdict: Verdict, blocks: boolean) =>
    void decided.push({ testId, verdict, blocks })
  for (const test of tests) {
    if (yielder.shouldYield()) await yielder.yield()
    const { status, isFlaky, base } = test
    if (status === 'passed' && isFlaky) decide(test, 'flaked', false)
    else if (status === 'passed') {
      if (base?.hasFailed === true) decide(test, 'fixed', false)
    } else if (status !== 'skipped') {
      if (test.quarantineId !== null) decide(test, 'quarantined', false)
      else if (status !== 'failed') {
        if (!isNotRun(test.firstBaseStatus)) decide(test, 'not_run', true)
      } else if (hasSameBaseFailure(test)) decide(test, 'already_red', context.isOfBaseBranch)
      else open.push(test)
    }
  }
  const environment = findEnvironmentSignatures(open)
  for (const test of open) {
    if (yielder.shouldYield()) await yielder.yield()
    decide(test, decideOpen(test, environment, context), true)
  }
  return decided
}

const isNotRun = (status: AttemptStatus | null): boolean => status === 'blocked' || status === 'interrupted'

const hasSameBaseFailure = ({ failure, base }: TestEvidence): boolean =>
  failure !== null && base?.hasFailed === true && base.failure !== null && isExcusedBy(failure, base.failure)

/** Every one of these blocks. */
function decideOpen(test: TestEvidence, environment: ReadonlySet<string>, { hasBase }: VerdictContext): Verdict {
  const { failure, base, knownFlakes, isNewTest } = test
  if (failure !== null && environment.has(failure.signature)) return 'environment'
  if (base?.hasFailed === true) return 'changed'
  if (failure !== null && knownFlakes.some((flake) => isSameFailure(failure, flake))) return 'known_flaky'
  return hasBase && base === null && isNewTest ? 'new_test' : 'new'
}

/** Returns the signatures that most of the failures have which nothing else explains: one, or two with a half each. */
function findEnvironmentSignatures(open: readonly TestEvidence[]): ReadonlySet<string> {
  const counts = new Map<string, number>()
  for (const { failure } of open) {
    if (failure === null || failure.isWeak) continue
    counts.set(failure.signature, (counts.get(failure.signature) ?? 0) + 1)
  }
  const needed = Math.max(ENVIRONMENT_TESTS, ENVIRONMENT_SHARE * open.length)
  return new Set([...counts].filter(([, count]) => count >= needed).map(([signature]) => signature))
}
