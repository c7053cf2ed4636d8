import { assignResults, type ResultRow } from '@caseward/client/endpoints'
import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useMemo } from 'react'

import { api } from '../../api.ts'
import { refreshQueries } from '../../live/refresh-queries.ts'
import { queryKeys } from '../../query-keys.ts'
import { request } from '../../request-failed.ts'
import { formatNumberOf } from '../../ui/format-count.ts'
import { undoStack } from '../../undo/use-undo.ts'

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
  async function send(rows: readonly ResultRow[], userIds: readonly string[]): Promise<void> {
    for (let start = 0; start < rows.length; start += MAX_BATCH) {
      // The next batch goes on where this one ends.
      const first = userIds.length === 0 ? 0 : start % userIds.length
      const user_ids = [...userIds.slice(first), ...userIds.slice(0, first)]
      const result_ids = rows.slice(start, start + MAX_BATCH).map(({ id }) => id)
      await request(api, assignResults, { params: { run_id }, body: { result_ids, user_ids } })
    }
    refreshQueries(queryClient, queryKeys.results(run_id))
    refreshQueries(queryClient, queryKeys.work())
  }
  async function restore(rows: readonly ResultRow[]): Promise<void> {
    const byAssignee = Map.groupBy(rows, ({ assigned_to }) => assigned_to)
    for (const [assignee, own] of byAssignee) await send(own, assignee === null ? [] : [assignee])
  }
  /** @param names of the people, for the toast */
  return async (rows: readonly ResultRow[], userIds: readonly string[], names: readonly string[]): Promise<void> => {
    await send(rows, userIds)
    undoStack.push({
      words: `${formatNumberOf(rows.length, 'test case')} assigned to ${describe(names)}`,
      undo: () => restore(rows),
    })
  }
}

const describe = (names: readonly string[]) =>
  names.length === 0
    ? 'nobody'
    : names.length <= 2
      ? names.join(' and ')
      : formatNumberOf(names.length, 'person', 'people')
