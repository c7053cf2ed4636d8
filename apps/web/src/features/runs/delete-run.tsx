import { deleteRun, type Run } from '@caseward/client/endpoints'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from 'react-router'

import { api } from '../../api.ts'
import { paths } from '../../paths.ts'
import { describeFailure } from '../../problems.ts'
import { queryKeys } from '../../query-keys.ts'
import { request } from '../../request-failed.ts'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { formatNumberOf } from '../../ui/format-count.ts'
import { showToast } from '../../ui/toast.ts'
import { countTested } from './count-statuses.ts'
import type { RunData } from './use-run-data.ts'

interface DeleteRunProps {
  data: RunData
  run: Run
  isOpen: boolean
  onClose: () => void
}

/** Asks, deletes the run, and opens the list of runs. */
export function DeleteRun({ data, run, isOpen, onClose }: DeleteRunProps) {
  const navigate = useNavigate()
  const queryClient = useQueryClient()
  const { mutate, isPending } = useMutation({
    mutationFn: () => request(api, deleteRun, { params: { run_id: run.id } }),
    onSuccess: async () => {
      void queryClient.invalidateQueries({ queryKey: queryKeys.allRuns(run.project_id) })
      await navigate(paths.runs(run.project_id))
      queryClient.removeQueries({ queryKey: queryKeys.inRun(run.id) })
    },
    onError: (error) => {
      onClose()
      showToast({ message: `Not deleted: ${describeFailure(error, { noun: 'run' }).message}` })
    },
  })
  const tested = countTested(data.counts)
  return (
    <ConfirmDialog
      isOpen={isOpen}
      onClose={onClose}
      title={`Delete “${run.name}”?`}
      confirmLabel="Delete run"
      onConfirm={() => mutate()}
      isBusy={isPending}
    >
      {tested === 0
        ? 'Its test cases stay in the project. This cannot be undone.'
        : `${formatNumberOf(tested, 'result')} with notes will be lost. The test cases stay in the project. This cannot be undone.`}
    </ConfirmDialog>
  )
}
