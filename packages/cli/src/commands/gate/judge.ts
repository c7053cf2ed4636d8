import { pluralize } from '@caseward/ci-run/wording'
import type { Evaluation, ListedVerdict, SuiteErrorInRun, TestVerdict } from '@caseward/client/endpoints'

/** Verdicts that block unless the workflow allows them, the most telling first. */
export const ALLOWABLE = [
  'new',
  'new_test',
  'changed',
  'known_flaky',
  'environment',
  'not_run',
  'already_red',
] as const satisfies readonly ListedVerdict[]
export type Allowable = (typeof ALLOWABLE)[number]

/** What blocks only where the workflow says so. */
export const BLOCKABLE = ['already_red', 'missing', 'first_flake'] as const
export type Blockable = (typeof BLOCKABLE)[number]

/** The rules of a workflow. */
export interface Rules {
  readonly scope: 'run' | 'job'
  readonly allow: readonly Allowable[]
  readonly block: readonly Blockable[]
  readonly minTests: number
  readonly allowIncomplete: boolean
}

/** What a run, or a job of it, has. */
export interface Evidence {
  readonly evaluation: Evaluation
  /** All tests that did not simply pass, and those that are missing. */
  readonly verdicts: readonly TestVerdict[]
  readonly suiteErrors: readonly SuiteErrorInRun[]
  /** Errors outside of tests that count. */
  readonly suiteErrorCount: number
  /** Executed tests. */
  readonly executed: number
  /** Shards of the CI jobs that have begun; null for none. */
  readonly shards: { readonly done: number; readonly expected: number } | null
  /** From the first report to the last; null if it is unknown, or there was one report. */
  readonly elapsedMs: number | null
  /** What the uploads of this CI job have; null if it is not needed. */
  readonly job: { readonly failed: number; readonly errors: number } | null
  /** Whether some reports of `--upload` were not stored. */
  readonly isUploadPartial: boolean
  /** How the test command ended; null if unknown. */
  readonly testExitCode: number | null
}

/** Why a run is blocked. */
interface Reason {
  readonly code: 'upload' | 'verdicts' | 'suite_errors' | 'crash' | 'incomplete' | 'no_tests' | 'too_few_tests'
  readonly detail: string
}

export interface Judgement {
  /** Why it is blocked; none if nothing blocks. */
  readonly reasons: readonly Reason[]
  readonly blocking: readonly TestVerdict[]
  /** Verdicts that do not block. */
  readonly others: readonly TestVerdict[]
}

/** Decides whether a run is blocked. */
export function judge(evidence: Evidence, rules: Rules): Judgement {
  const { evaluation, verdicts, suiteErrorCount, executed, job, testExitCode } = evidence
  const blocking = verdicts.filter((verdict) => blocks(verdict, rules))
  const others = verdicts.filter((verdict) => !blocks(verdict, rules))
  const reasons: Reason[] = []
  const add = (code: Reason['code'], detail: string) => void reasons.push({ code, detail })
  if (evidence.isUploadPartial) add('upload', 'not all reports could be stored')
  if (blocking.length > 0)
    add('verdicts', `${pluralize(blocking.length, 'test')} ${blocking.length === 1 ? 'blocks' : 'block'}`)
  if (suiteErrorCount > 0) add('suite_errors', `${pluralize(suiteErrorCount, 'error')} outside of tests`)
  // A crash is never excused by what was known before: no test says what happened.
  if (testExitCode !== null && testExitCode !== 0 && job !== null && job.failed + job.errors === 0) {
    add('crash', `the test command ended with exit code ${testExitCode}, and this CI job has reported no failure`)
  }
  // Other shards are not the matter of a job that judges itself.
  if (rules.scope === 'run' && !evaluation.is_complete && !rules.allowIncomplete) {
    add('incomplete', 'not all CI jobs that have begun are done: shards are missing')
  }
  if (executed === 0) add('no_tests', 'no test was executed')
  else if (executed < rules.minTests) {
    add('too_few_tests', `${pluralize(executed, 'test')} executed, fewer than ${rules.minTests}`)
  }
  return { reasons, blocking, others }
}

function blocks({ verdict, blocks: isBlocking, is_first_flake: isFirstFlake }: TestVerdict, rules: Rules): boolean {
  const { allow, block } = rules
  if (isIn(block, verdict) || (isFirstFlake && block.includes('first_flake'))) return true
  return isBlocking && !isIn(allow, verdict)
}

const isIn = (list: readonly string[], verdict: string): boolean => list.includes(verdict)
