import type { ResultDetail, ResultRow } from '@caseward/client/endpoints'
import type { QueryClient } from '@tanstack/react-query'

import { queryKeys } from '../query-keys.ts'
import { applyLiveRows, type RowIndex } from '../row-index/row-index.ts'
import type { OutboxEntry } from './outbox-entry.ts'
import { applyEntry } from './apply-entry.ts'
import { applyStepChanges } from './step-changes.ts'

/**
 * Puts a stored write into the cache, so that the page does not show the old result until the live update arrives.
 * @param testedAt null if the server did not return it
 */
export function patchSavedResult(
  queryClient: QueryClient,
  userId: string,
  entry: OutboxEntry,
  testedAt: string | null,
): void {
  if (entry.place !== undefined) {
    // Few runs have combinations.
    void import('./patch-saved-combination.ts').then(({ patchSavedCombination }) =>
      patchSavedCombination(queryClient, userId, entry, testedAt),
    )
    return
  }
  const patch = <Row extends ResultRow>(row: Row): Row => ({
    ...row,
    ...applyEntry(row, entry),
    tested_by: userId,
    tested_at: testedAt ?? row.tested_at,
  })
  queryClient.setQueryData<RowIndex<ResultRow>>(queryKeys.results(entry.runId), (index) => {
    const row = index?.rows.find((candidate) => candidate.id === entry.resultId)
    return index === undefined || row === undefined ? index : applyLiveRows(index, [patch(row)])
  })
  queryClient.setQueryData<ResultDetail>(queryKeys.result(entry.runId, entry.resultId), (detail) =>
    detail === undefined
      ? detail
      : {
          ...patch(detail),
          note: entry.note === undefined ? detail.note : entry.note,
          ...(entry.caseVersion !== undefined && entry.caseVersion === detail.tested_case?.version
            ? { tested_steps: [...applyStepChanges(detail.tested_steps ?? [], entry.steps)] }
            : { steps: [...applyStepChanges(detail.steps, entry.steps)] }),
        },
  )
}
