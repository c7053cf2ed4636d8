import { pluralize } from '@caseward/ci-run/wording'
import type { ProjectTest } from '@caseward/client/endpoints'

import { toTerminalText } from '../../text.ts'

/** Between the suite and the name in the list of tests. */
const SUITE_SEPARATOR = ' › '

type NamedTest = Pick<ProjectTest, 'suite' | 'name' | 'variant'>

/** Returns suite, name and variant: `src/cart.spec.ts › Cart > adds up [chromium]`. */
export const formatTestName = ({ suite, name, variant }: NamedTest): string =>
  toTerminalText(`${suite === '' ? '' : `${suite}${SUITE_SEPARATOR}`}${name}${variant === '' ? '' : ` [${variant}]`}`)

interface ListedOutcome {
  readonly outcome: string
  readonly is_flaky: boolean
}

/** Formats a test in one line: its id, outcome, name and test cases. */
export function formatTest(
  test: NamedTest & Pick<ProjectTest, 'id' | 'test_case_ids'>,
  result: ListedOutcome | null,
): string {
  const outcome = result === null ? 'not run' : `${result.outcome}${result.is_flaky ? ' (flaky)' : ''}`
  const testCases = test.test_case_ids.length === 0 ? 'unmatched' : test.test_case_ids.join(', ')
  return `${test.id}  ${outcome}  ${formatTestName(test)}  ${testCases}`
}

/** Formats a test of a project in one line, with how reliable it is if that was read. */
export function formatProjectTest(test: ProjectTest): string {
  const { latest, stability, quarantine } = test
  const last = stability?.last_flake_at
  const parts = [
    formatTest(test, latest),
    ...(stability === undefined || stability === null
      ? []
      : stability.flake_commits === 0
        ? [`${stability.state} since ${stability.since.slice(0, 10)}`]
        : [`flaked on ${stability.flake_commits} of ${pluralize(stability.commits, 'commit')}`]),
    ...(last === undefined || last === null ? [] : [`last on ${last.slice(0, 10)}`]),
    ...(quarantine === undefined || quarantine === null
      ? []
      : [`in quarantine until ${quarantine.expires_at.slice(0, 10)}`]),
  ]
  return parts.join('  ')
}
