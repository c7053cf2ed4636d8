import type { TestCase, TestCaseRow } from '@caseward/client/endpoints'
import type { QueryClient } from '@tanstack/react-query'

import { isArchived } from '../../queries.ts'
import { queryKeys } from '../../query-keys.ts'
import { applyLiveRows, removeRows, type RowIndex } from '../../row-index/row-index.ts'

/** Shows changed or new test cases in the lists of their project at once, and removes archived ones. */
export function patchCaseRows(queryClient: QueryClient, projectId: string, rows: readonly TestCaseRow[]): void {
  queryClient.setQueryData<RowIndex<TestCaseRow>>(queryKeys.cases(projectId), (index) =>
    index === undefined
      ? index
      : removeRows(
          applyLiveRows(index, rows.filter((row) => !isArchived(row)).map(toRow)),
          new Set(rows.filter(isArchived).map(({ id }) => id)),
        ),
  )
}

/** Leaves out what lists do not show, so that they stay small. */
function toRow(testCase: TestCase | TestCaseRow): TestCaseRow {
  if (!('steps' in testCase)) return testCase
  const {
    precondition: _,
    steps: __,
    expected_result: ___,
    automation_keys: ____,
    created_by: _____,
    ...row
  } = testCase
  return row
}
