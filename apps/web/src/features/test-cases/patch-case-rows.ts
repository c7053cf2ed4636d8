import type { TestCase, TestCaseRow } from '@caseward/client/endpoints'
import type { QueryClient } from '@tanstack/react-query'

import { queryKeys } from '../../query-keys.ts'
import { applyLiveRows, type RowIndex } from '../../row-index/row-index.ts'

/** Shows changed or new test cases in the lists of their project at once. */
export function patchCaseRows(queryClient: QueryClient, projectId: string, rows: readonly TestCaseRow[]): void {
  queryClient.setQueryData<RowIndex<TestCaseRow>>(queryKeys.cases(projectId), (index) =>
    index === undefined ? index : applyLiveRows(index, rows.map(toRow)),
  )
}

/** The fields of a test case that lists show. */
const toRow = (testCase: TestCase | TestCaseRow): TestCaseRow => ({
  id: testCase.id,
  title: testCase.title,
  folder_id: testCase.folder_id,
  position: testCase.position,
  priority: testCase.priority,
  type: testCase.type,
  tags: testCase.tags,
  automation_key: testCase.automation_key,
  updated_at: testCase.updated_at,
  version: testCase.version,
  // A row has these only if they are set.
  ...(isSet(testCase.owner_id) ? { owner_id: testCase.owner_id } : {}),
  ...(isSet(testCase.estimate) ? { estimate: testCase.estimate } : {}),
})

const isSet = <T>(value: T | null | undefined): value is T => value !== null && value !== undefined
