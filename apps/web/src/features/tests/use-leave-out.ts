import { leaveOutSuiteError, leaveOutTest, putBackLeftOut } from '@caseward/client/endpoints'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'

import { api } from '../../api.ts'
import { refreshQueries } from '../../live/refresh-queries.ts'
import { refreshTests } from '../../live/refresh-tests.ts'
import { describeFailure } from '../../problems.ts'
import { queryKeys } from '../../query-keys.ts'
import { request } from '../../request-failed.ts'
import { showToast } from '../../ui/toast.ts'
import { undoStack } from '../../undo/use-undo.ts'

/** An outcome of a test, or an error outside of tests. */
export interface LeftOutItem {
  readonly kind: 'test' | 'suite_error'
  readonly id: string
  readonly name: string
}

/** Leaves tests and errors out of a run, which can be undone, and puts them back. */
export function useLeaveOut({ projectId, runId: run_id }: { projectId: string; runId: string }) {
  const queryClient = useQueryClient()
  const [busyId, setBusyId] = useState<string | null>(null)
  const refresh = () => {
    refreshTests(queryClient, projectId, run_id)
    refreshQueries(queryClient, queryKeys.inRun(run_id))
    refreshQueries(queryClient, queryKeys.allRuns(projectId))
  }
  const putBack = async ({ id }: LeftOutItem) => {
    await request(api, putBackLeftOut, { params: { run_id, id } })
    refresh()
  }
  const send = ({ kind, id }: LeftOutItem) =>
    kind === 'test'
      ? request(api, leaveOutTest, { params: { run_id, test_id: id } })
      : request(api, leaveOutSuiteError, { params: { run_id, error_id: id } })
  /** @returns whether it was done */
  async function run(item: LeftOutItem, act: () => Promise<unknown>): Promise<boolean> {
    setBusyId(item.id)
    try {
      await act()
      return true
    } catch (error) {
      showToast({ message: `Not done: ${describeFailure(error, { noun: 'test or error' }).message}` })
      return false
    } finally {
      setBusyId(null)
    }
  }
  return {
    /** The id of what is being sent. */
    busyId,
    leaveOut: (item: LeftOutItem) =>
      run(item, async () => {
        await send(item)
        refresh()
        undoStack.push({ words: `“${item.name}” left out`, undo: () => putBack(item) })
      }),
    putBack: (item: LeftOutItem) => run(item, () => putBack(item)),
  }
}
