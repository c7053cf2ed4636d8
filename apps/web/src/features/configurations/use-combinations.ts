import {
  type Combination,
  listResultCombinations,
  type ResultRow,
  type ResultStatus,
  setCombination,
} from '@caseward/client/endpoints'
import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'

import { api } from '../../api.ts'
import { refreshQueries } from '../../live/refresh-queries.ts'
import { queryKeys } from '../../query-keys.ts'
import { request } from '../../request-failed.ts'
import { describeFailure } from '../../problems.ts'
import { showToast } from '../../ui/toast.ts'
import { statusNames } from '../../ui/status/statuses.ts'
import { undoStack } from '../../undo/use-undo.ts'

/** What a user sets for one combination. */
interface CombinationWrite {
  place: number
  status: ResultStatus
  /** Undefined keeps it. */
  note?: string | null | undefined
  /** `tested_at` of the combination that the user has seen; undefined overwrites any, to take back one's own write. */
  base?: string | null | undefined
  /** What it was before, so that it can be undone; missing for what takes back a write. */
  before?: { words: string; status: ResultStatus; note: string | null } | undefined
}

/** What a result is tested with, and what came of it. */
export const combinationsQuery = (run_id: string, result_id: string) =>
  queryOptions({
    queryKey: queryKeys.combinations(run_id, result_id),
    queryFn: async ({ signal }) =>
      (await request(api, listResultCombinations, { params: { run_id, result_id }, signal })).data
        .data as readonly Combination[],
  })

/**
 * The combinations of a result, and how to set one of them. What is being saved is shown at once.
 * @param onFailure called when one was not saved, perhaps after another test case was opened
 */
export function useCombinations(run_id: string, row: ResultRow, onFailure: () => void) {
  const queryClient = useQueryClient()
  const query = useQuery(combinationsQuery(run_id, row.id))
  const { queryKey } = combinationsQuery(run_id, row.id)
  const mutation = useMutation({
    // One after another: the second write to a combination is based on the first.
    scope: { id: `combinations ${row.id}` },
    // Without a connection, it fails at once: what waits would look as if it was saved.
    networkMode: 'always',
    mutationFn: async ({ place, status, note, base }: CombinationWrite) => {
      const params = { run_id, result_id: row.id, place: String(place) }
      const body = {
        status,
        ...(note === undefined ? {} : { note }),
        ...(base === undefined ? {} : { base_tested_at: base }),
      }
      return (await request(api, setCombination, { params, body })).data.data
    },
    onMutate: async ({ place, status, note }) => {
      await queryClient.cancelQueries({ queryKey })
      const previous = queryClient.getQueryData(queryKey)
      queryClient.setQueryData(queryKey, (all: readonly Combination[] | undefined) =>
        all?.map((one) => (one.place === place ? { ...one, status, note: note === undefined ? one.note : note } : one)),
      )
      return { previous }
    },
    // Also if another test case is open by now.
    onSuccess: (saved, { place, before }) => {
      queryClient.setQueryData(queryKey, (all: readonly Combination[] | undefined) =>
        all?.map((one) => (one.place === saved.place ? saved : one)),
      )
      if (before === undefined) return
      const { words, status, note } = before
      undoStack.push({ words, undo: () => mutation.mutate({ place, status, note }) })
    },
    onError: (error, { before }, context) => {
      if (context?.previous !== undefined) queryClient.setQueryData(queryKey, context.previous)
      showToast({ message: `Not saved: ${before?.words ?? row.test_case_title}. ${describeFailure(error).message}` })
      onFailure()
    },
    // After a failure, too: the page must not show what is not stored.
    onSettled: () => {
      refreshQueries(queryClient, queryKey)
      refreshQueries(queryClient, queryKeys.results(run_id))
      refreshQueries(queryClient, queryKeys.result(run_id, row.id))
      refreshQueries(queryClient, queryKeys.run(run_id))
    },
  })
  function set(combination: Combination, status: ResultStatus, note?: string | null): void {
    const { place, name, tested_at: base } = combination
    const words = `${row.test_case_id ?? row.test_case_title}, ${name}: ${statusNames[status].toLowerCase()}`
    mutation.mutate({
      place,
      status,
      note,
      base,
      before: { words, status: combination.status, note: combination.note },
    })
  }
  return { query, mutation, set }
}
