import type { Combination, ResultRow } from '@caseward/client/endpoints'
import { useQuery } from '@tanstack/react-query'

import { getEntryId, type OutboxEntry } from '../../outbox/outbox-entry.ts'
import { queryKeys } from '../../query-keys.ts'
import type { OpenCombination } from './use-open-steps.ts'

/**
 * The combination of the open result that is chosen.
 * @returns null for the result as a whole, undefined until the combination is read
 */
export function useOpenCombination(
  runId: string,
  row: ResultRow | null,
  place: number | null,
  entries: ReadonlyMap<string, OutboxEntry>,
): OpenCombination | null | undefined {
  const isCombined = row?.combination_statuses !== undefined && place !== null
  // The part with the combinations reads them: pages without any do not load its code.
  const queryKey = queryKeys.combinations(runId, row?.id ?? '')
  const { data } = useQuery<readonly Combination[]>({ queryKey, enabled: false })
  if (!isCombined) return null
  const find = (at: number) => entries.get(getEntryId({ runId, resultId: row.id, place: at }))
  const all = data?.map((one) => {
    const entry = find(one.place)
    return {
      place: one.place,
      status: entry?.problem?.kind === 'newer-result' ? one.status : (entry?.status ?? one.status),
    }
  })
  const stored = data?.find((one) => one.place === place)
  if (stored === undefined || all === undefined) return undefined
  const { name, steps = [], tested_steps: testedSteps, tested_at: base } = stored
  const status = all.find((one) => one.place === place)?.status ?? stored.status
  return { place, name, status, base, all, steps, testedSteps, entry: find(place) }
}
