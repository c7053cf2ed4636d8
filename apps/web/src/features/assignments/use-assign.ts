import { assignResults, type CombinationRow, type ResultRow } from '@caseward/client/endpoints'
import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useMemo } from 'react'

import { api } from '../../api.ts'
import { refreshQueries } from '../../live/refresh-queries.ts'
import { queryKeys } from '../../query-keys.ts'
import { request } from '../../request-failed.ts'
import { formatNumberOf } from '../../ui/format-count.ts'
import { undoStack } from '../../undo/use-undo.ts'
import { combinationRowsQuery } from '../runs/use-run-data.ts'

/** The server assigns so many results with one request. */
const MAX_BATCH = 10_000

/**
 * Returns what assigns results of a run to people in turn, or to nobody. It can be undone.
 * @throws {RequestFailed}
 */
export function useAssign(runId: string) {
  const queryClient = useQueryClient()
  return useMemo(() => createAssign(queryClient, runId), [queryClient, runId])
}

function createAssign(queryClient: QueryClient, run_id: string) {
  /** @param configurations assigns the combinations with these, instead of the results */
  async function send(
    rows: readonly Pick<ResultRow, 'id'>[],
    userIds: readonly string[],
    configurations: readonly number[] = [],
  ): Promise<void> {
    for (let start = 0; start < rows.length; start += MAX_BATCH) {
      // The next batch goes on where this one ends.
      const first = userIds.length === 0 ? 0 : start % userIds.length
      const user_ids = [...userIds.slice(first), ...userIds.slice(0, first)]
      const result_ids = rows.slice(start, start + MAX_BATCH).map(({ id }) => id)
      const places = configurations.length === 0 ? {} : { configurations: [...configurations] }
      await request(api, assignResults, { params: { run_id }, body: { result_ids, user_ids, ...places } })
    }
    refreshQueries(queryClient, queryKeys.results(run_id))
    refreshQueries(queryClient, queryKeys.combinationRows(run_id))
    // The combinations of open results have assignees, too.
    refreshQueries(queryClient, [...queryKeys.inRun(run_id), 'result'])
    refreshQueries(queryClient, queryKeys.work())
  }
  async function restore(rows: readonly ResultRow[]): Promise<void> {
    const byAssignee = Map.groupBy(rows, ({ assigned_to }) => assigned_to)
    for (const [assignee, own] of byAssignee) await send(own, assignee === null ? [] : [assignee])
  }
  /** @param names of the people, for the toast */
  return async (
    rows: readonly ResultRow[],
    userIds: readonly string[],
    names: readonly string[],
    configurations: readonly number[],
  ): Promise<void> => {
    const before = configurations.length === 0 ? null : await readAssignees(queryClient, run_id, rows, configurations)
    await send(rows, userIds, configurations)
    const noun =
      before === null ? formatNumberOf(rows.length, 'test case') : formatNumberOf(countAll(before), 'combination')
    undoStack.push({
      words: `${noun} assigned to ${describe(names)}`,
      undo: async () => {
        if (before === null) return restore(rows)
        for (const { assignee, place, results } of before)
          await send(results, assignee === null ? [] : [assignee], [place])
      },
    })
  }
}

/** Combinations of one configuration that are assigned to the same user, or to nobody. */
interface AssignedGroup {
  readonly assignee: string | null
  readonly place: number
  readonly results: readonly CombinationRow[]
}

/** Reads to whom combinations are assigned, so that it can be restored. */
async function readAssignees(
  queryClient: QueryClient,
  runId: string,
  rows: readonly ResultRow[],
  configurations: readonly number[],
): Promise<AssignedGroup[]> {
  const index = await queryClient.fetchQuery({ ...combinationRowsQuery(runId), staleTime: 0 })
  const ids = new Set(rows.map(({ id }) => id))
  const own = index.rows.filter(({ id }) => ids.has(id))
  return configurations.flatMap((place) => {
    const withPlace = own.filter((row) => row.configurations.includes(place))
    const byAssignee = Map.groupBy(withPlace, (row) => row.assigned_to?.[row.configurations.indexOf(place)] ?? null)
    return [...byAssignee].map(([assignee, results]) => ({ assignee, place, results }))
  })
}

const countAll = (groups: readonly AssignedGroup[]) => groups.reduce((sum, { results }) => sum + results.length, 0)

const describe = (names: readonly string[]) =>
  names.length === 0
    ? 'nobody'
    : names.length <= 2
      ? names.join(' and ')
      : formatNumberOf(names.length, 'person', 'people')
