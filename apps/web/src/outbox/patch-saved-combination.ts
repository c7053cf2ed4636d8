import type { Combination, CombinationRow, ResultDetail, ResultRow } from '@caseward/client/endpoints'
import { rollUpSteps } from '@caseward/matching/roll-up-steps'
import type { QueryClient } from '@tanstack/react-query'

import { refreshQueries } from '../live/refresh-queries.ts'
import { queryKeys } from '../query-keys.ts'
import { applyLiveRows, type RowIndex } from '../row-index/row-index.ts'
import { applyEntry } from './apply-entry.ts'
import type { OutboxEntry } from './outbox-entry.ts'
import { applyStepChanges } from './step-changes.ts'
import { applyToCombinations } from './show-unsent.ts'

/** The parts with combinations show what was stored before they are read again, and base on it what is set next. */
export function patchSavedCombination(
  queryClient: QueryClient,
  userId: string,
  entry: OutboxEntry,
  testedAt: string | null,
): void {
  const { runId, resultId, place, status, note, caseVersion } = entry
  const detail = queryClient.getQueryData<ResultDetail>(queryKeys.result(runId, resultId))
  const isTestedText = caseVersion !== undefined && caseVersion === detail?.tested_case?.version
  queryClient.setQueryData<readonly Combination[]>(queryKeys.combinations(runId, resultId), (all) =>
    all?.map((one) =>
      one.place === place
        ? {
            ...one,
            status,
            note: note === undefined ? one.note : note,
            ...(isTestedText
              ? { tested_steps: [...applyStepChanges(one.tested_steps ?? [], entry.steps)] }
              : { steps: [...applyStepChanges(one.steps ?? [], entry.steps)] }),
            step_state: entry.stepState === undefined ? one.step_state : entry.stepState,
            tested_by: userId,
            tested_at: testedAt,
          }
        : one,
    ),
  )
  const key = queryKeys.combinationRows(runId)
  const known = queryClient.getQueryData<RowIndex<CombinationRow>>(key)?.rows.find(({ id }) => id === resultId)
  const combined = known === undefined ? undefined : applyToCombinations(known, entry)
  if (combined !== undefined) {
    const saved = { ...combined, tested_at: testedAt ?? combined.tested_at }
    queryClient.setQueryData<RowIndex<CombinationRow>>(key, (index) => index && applyLiveRows(index, [saved]))
  }
  queryClient.setQueryData<RowIndex<ResultRow>>(queryKeys.results(runId), (index) => {
    const row = index?.rows.find(({ id }) => id === resultId)
    if (index === undefined || row === undefined) return index
    const combinations = combined?.statuses ?? entry.combinations ?? []
    const values = { combinations, resultStatus: rollUpSteps(combinations), place, status }
    const saved = { ...applyEntry(row, values), tested_by: userId, tested_at: testedAt ?? row.tested_at }
    return applyLiveRows(index, [saved])
  })
  // Others may have set other combinations, from which something else follows.
  refreshQueries(queryClient, key)
  refreshQueries(queryClient, queryKeys.results(runId))
}
