import { bulkDeleteTestCases } from '@caseward/client/endpoints'

import { api } from '../../api.ts'
import { request } from '../../request-failed.ts'
import { splitCases } from './use-case-actions.ts'
import type { CasesPageState } from './use-cases-page.ts'

/** As many ids as the browser sends while a page is being closed; see `canOutlivePage`. */
export const MAX_DELAYED = 3000

/**
 * Deletes test cases later. Asks first if results in runs would lose them, which archiving would not do, or if there are so many
 * that the request would not survive closing the page.
 */
export async function deleteCases(page: CasesPageState, ids: readonly string[]): Promise<void> {
  const resultCount = await countResults(page.projectId, ids)
  if (resultCount === 0 && ids.length <= MAX_DELAYED) page.remove(ids)
  else page.setDialog({ kind: 'delete', ids, resultCount })
}

/** The results in runs of test cases; null if the server does not say. */
export async function countResults(project_id: string, ids: readonly string[]): Promise<number | null> {
  let count = 0
  try {
    for (const test_case_ids of splitCases(ids)) {
      const body = { test_case_ids, dry_run: true }
      const { data } = await request(api, bulkDeleteTestCases, { params: { project_id }, body })
      count += data.data.result_count ?? 0
    }
  } catch {
    // The dialog says less, and the deletion itself reports what is wrong.
    return null
  }
  return count
}
