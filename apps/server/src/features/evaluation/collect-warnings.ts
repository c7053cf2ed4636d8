import type { EvaluationWarning } from '@caseward/contract/evaluation'

import type { BaseCandidate } from './base-candidates.queries.ts'
import type { EvaluatedRun } from './evaluated-run.queries.ts'

interface WarningSources {
  run: EvaluatedRun
  base: { branch: string | null; isKnown: boolean }
  candidates: readonly BaseCandidate[]
  missing: number
  excluded: EvaluatedRun['excluded']
  executed: number
}

/** Collects what limits what an evaluation can say, and what to do about it. */
export function collectWarnings({
  run,
  base,
  candidates,
  missing,
  excluded,
  executed,
}: WarningSources): EvaluationWarning[] {
  const warnings: EvaluationWarning[] = []
  const warn = (code: EvaluationWarning['code'], detail: string) => void warnings.push({ code, detail })
  if (executed === 0) warn('no_tests', 'No test was executed. Check that the report was uploaded and contains tests.')
  if (!run.is_complete) {
    warn('incomplete', 'Not all CI jobs that have begun are done: shards are missing. More failures may come.')
  }
  if (!base.isKnown) {
    warn(
      'no_default_branch',
      'The default branch is unknown, so that nothing can be compared. Set it in the settings of the project.',
    )
  }
  if (candidates.length === 0) {
    const branch = base.isKnown && base.branch !== null ? `the branch ${base.branch}` : 'the base branch'
    warn(
      'no_base',
      `There is no settled run of ${branch} in the 14 days before this run, so that every failure is new. The next one will be its base.`,
    )
  }
  if (missing > 0) {
    const tests = missing === 1 ? '1 test was executed' : `${missing} tests were executed`
    warn('missing_tests', `${tests} in the base run and did not report here. Check that none was left out by mistake.`)
  }
  if (excluded === 'mass_failure') {
    warn(
      'mass_failure',
      'At least 80 % of the tests failed. The run is no base for others, and makes no test flaky. If that is wrong, include it (PATCH excluded false).',
    )
  }
  if (run.is_imported) {
    warn('imported', 'The run was imported: it is no base for others, and makes no test flaky.')
  } else if (excluded === 'by_hand') {
    warn('excluded_by_hand', 'A user has excluded the run: it is no base for others, and makes no test flaky.')
  }
  if (!run.is_trusted) {
    warn('untrusted', 'The run is not trusted: it is no base for others, and makes no test flaky.')
  }
  return warnings
}
