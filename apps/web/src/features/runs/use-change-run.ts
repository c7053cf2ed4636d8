import { type Run, type RunStatus, updateRun } from '@caseward/client/endpoints'
import { useMutation, useQueryClient } from '@tanstack/react-query'

import { api } from '../../api.ts'
import { describeFailure } from '../../problems.ts'
import { queryKeys } from '../../query-keys.ts'
import { request } from '../../request-failed.ts'
import { showToast } from '../../ui/toast.ts'
import { undoStack } from '../../undo/use-undo.ts'
import type { RunData } from './use-run-data.ts'

/** Completes and reopens a run. Both can be undone. */
export function useChangeRun({ run, projectId }: RunData) {
  const queryClient = useQueryClient()
  const runId = run.data?.id ?? ''
  const { mutateAsync, isPending } = useMutation({
    mutationFn: async (status: RunStatus) =>
      (await request(api, updateRun, { params: { run_id: runId }, body: { status } })).data.data,
    onSuccess: (changed) => {
      queryClient.setQueryData<Run>(queryKeys.run(runId), (known) =>
        known === undefined ? known : { ...known, ...changed },
      )
      if (projectId !== undefined) void queryClient.invalidateQueries({ queryKey: queryKeys.allRuns(projectId) })
    },
  })

  /** @returns whether it is done; otherwise the reason was shown */
  async function change(status: RunStatus): Promise<boolean> {
    const before = run.data?.status
    try {
      await mutateAsync(status)
    } catch (error) {
      showToast({ message: `Not done: ${describeFailure(error, { noun: 'run' }).message}` })
      return false
    }
    if (before !== undefined && before !== status) {
      undoStack.push({
        words: status === 'completed' ? 'Run completed' : 'Run reopened',
        undo: async () => void (await mutateAsync(before)),
      })
    }
    return true
  }
  return { change, isBusy: isPending }
}
