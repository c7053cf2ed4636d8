import type { AttemptStatus, OutcomeInRun, ProjectTest, RunTest } from '@caseward/client/endpoints'

import type { TestView } from './test-words.ts'

/** A test in a list, of a run or of a project. */
export interface TestRow extends Pick<
  RunTest,
  'id' | 'suite' | 'name' | 'variant' | 'file' | 'test_case_ids' | 'linked_by'
> {
  /** In the run, or in the newest run of the project; null if it was in none. */
  readonly outcome: Pick<OutcomeInRun, 'outcome' | 'is_flaky' | 'elapsed_ms' | 'attempt_count' | 'tested_at'> | null
  /** Known in lists of a run only: up to 20. */
  readonly attempts: readonly AttemptStatus[] | null
  /** The newest run, in lists of a project. */
  readonly run: { readonly id: string; readonly name: string } | null
}

/** A page of a list as the server sends it. */
export interface TestPage {
  readonly data: readonly (RunTest | ProjectTest)[]
  readonly meta: { readonly next_after: string | null; readonly total: number }
}

export function toTestRow(test: RunTest | ProjectTest): TestRow {
  if (!('latest' in test)) return { ...test, outcome: test, attempts: test.attempt_statuses, run: null }
  const { latest } = test
  return {
    ...test,
    outcome: latest,
    attempts: null,
    run: latest === null ? null : { id: latest.run_id, name: latest.run_name },
  }
}

/** Returns the rows of all pages. A test that was linked a moment ago leaves the list of unmatched tests at once. */
export function collectRows(
  pages: readonly TestPage[],
  match: TestView['match'],
): { rows: readonly TestRow[]; total: number } {
  const tests = pages.flatMap(({ data }) => data)
  const shown = tests.filter(
    ({ test_case_ids }) => match === 'all' || (match === 'matched') === test_case_ids.length > 0,
  )
  const total = Math.max((pages.at(-1)?.meta.total ?? 0) - (tests.length - shown.length), shown.length)
  return { rows: shown.map(toTestRow), total }
}

/** Changes the links of tests in pages. @param links test case ids by test id */
export const patchLinks = <T extends Pick<RunTest, 'id' | 'test_case_ids' | 'linked_by'>>(
  tests: readonly T[],
  links: ReadonlyMap<string, readonly string[]>,
): T[] =>
  tests.map((test) => {
    const ids = links.get(test.id)
    return ids === undefined ? test : { ...test, test_case_ids: [...ids], linked_by: ids.length === 0 ? null : 'hand' }
  })
