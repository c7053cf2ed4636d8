import { formatCreateCasesCommand, getUnmatchedTestsUrl, pluralize } from '@caseward/ci-run/wording'
import type { TestCounts } from '@caseward/client/endpoints'

/** Formats the counts unless all tests matched as usual, and what to do about tests that match no test case: a command, and where to see them. */
export function formatTests(tests: TestCounts, run: { id: string; url: string }, dryRun: boolean): string[] {
  const { total, matched, unmatched, unmatched_failed: failed = 0, flaky, created } = tests
  if (unmatched + flaky + created === 0) return []
  const parts = [
    `${matched} matched`,
    ...(unmatched > 0 ? [`${unmatched} unmatched${failed > 0 ? ` (${failed} failed)` : ''}`] : []),
    ...(flaky > 0 ? [`${flaky} flaky`] : []),
    ...(created > 0 ? [`${pluralize(created, 'test case')} ${dryRun ? 'would be created' : 'created'}`] : []),
  ]
  const counts = `${pluralize(total, 'test')}: ${parts.join(', ')}.`
  if (unmatched === 0) return [counts]
  if (dryRun) return [counts, 'Use --create-cases to create test cases for the unmatched tests.']
  return [
    counts,
    `Unmatched tests: ${getUnmatchedTestsUrl(run.url)}`,
    'To create test cases for them (with a personal token):',
    `  ${formatCreateCasesCommand(run.id)}`,
  ]
}
