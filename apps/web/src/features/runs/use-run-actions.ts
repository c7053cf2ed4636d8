import { deleteRun, type Run, type RunStatus, updateRun } from '@caseward/client/endpoints'
import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useMemo } from 'react'

import { api, keepaliveApi } from '../../api.ts'
import { type MissingFields, readMissingFields } from './missing-fields.ts'
import { refreshQueries } from '../../live/refresh-queries.ts'
import { describeFailure } from '../../problems.ts'
import { queryKeys } from '../../query-keys.ts'
import { request } from '../../request-failed.ts'
import { formatNumberOf } from '../../ui/format-count.ts'
import { showToast } from '../../ui/toast.ts'
import { deletions, undoStack } from '../../undo/use-undo.ts'

interface StatusOptions {
  /** Completes runs whose results lack fields. */
  force?: boolean
  /** Receives what is missing, in place of a message. */
  onMissing?: (missing: MissingFields) => void
}

export interface RunActions {
  /** Completes or reopens runs. @returns whether it is done; otherwise the reason was shown */
  setStatus(runs: readonly Run[], status: RunStatus, options?: StatusOptions): Promise<boolean>
  /** Hides runs without results now, and deletes them after 8 s or when the page is closed. */
  removeLater(runs: readonly Run[]): void
  /** Deletes runs at once. The user has been asked. @returns whether they are deleted; otherwise the reason was shown */
  remove(runs: readonly Run[]): Promise<boolean>
}

/** What can be done with several runs of a project. What can be undone offers it, and failures are shown. */
export function useRunActions(projectId: string): RunActions {
  const queryClient = useQueryClient()
  return useMemo(() => createRunActions(queryClient, projectId), [queryClient, projectId])
}

function createRunActions(queryClient: QueryClient, projectId: string): RunActions {
  function refresh(): void {
    refreshQueries(queryClient, queryKeys.allRuns(projectId))
    refreshQueries(queryClient, queryKeys.projects())
  }
  function show(changed: Run): void {
    queryClient.setQueriesData<{ data: Run[] }>({ queryKey: queryKeys.allRuns(projectId) }, (page) =>
      page === undefined ? page : { ...page, data: page.data.map((run) => (run.id === changed.id ? changed : run)) },
    )
    queryClient.setQueryData<Run>(queryKeys.run(changed.id), (known) =>
      known === undefined ? known : { ...known, ...changed },
    )
  }
  /** @throws what the first failed request throws; `onChanged` has then been called for those before */
  async function send(
    runs: readonly Run[],
    status: RunStatus,
    { force = false, onChanged }: { force?: boolean; onChanged?: (run: Run) => void } = {},
  ): Promise<void> {
    try {
      for (const run of runs) {
        const { data } = await request(api, updateRun, {
          params: { run_id: run.id },
          body: { status, ...(force && { force }) },
        })
        show(data.data)
        onChanged?.(run)
      }
    } finally {
      refresh()
    }
  }
  async function sendDeletion(runs: readonly Run[], keepalive: boolean): Promise<void> {
    const client = keepalive ? keepaliveApi : api
    const remove = async ({ id }: Run) => {
      await request(client, deleteRun, { params: { run_id: id } })
      queryClient.removeQueries({ queryKey: queryKeys.inRun(id) })
    }
    try {
      // While the page is being closed, there is no time to wait for a response before the next request.
      if (keepalive) await Promise.all(runs.map(remove))
      else for (const run of runs) await remove(run)
    } finally {
      await queryClient.invalidateQueries({ queryKey: queryKeys.allRuns(projectId) })
      refresh()
    }
  }

  return {
    async setStatus(runs, status, { force = false, onMissing } = {}) {
      const changed: Run[] = []
      let isDone = true
      try {
        // Also to a run that seems to have the status: somebody else may have changed it in this moment.
        await send(runs, status, { force, onChanged: (run) => changed.push(run) })
      } catch (error) {
        isDone = false
        const missing = onMissing === undefined ? null : readMissingFields(error)
        if (missing !== null) onMissing?.(missing)
        else showToast({ message: `Not done: ${describeFailure(error, { noun: 'run' }).message}` })
      }
      const others = changed.filter((run) => run.status !== status)
      if (others.length === 0) return isDone
      const before = status === 'completed' ? 'in_progress' : 'completed'
      undoStack.push({
        words: `${describe(others)} ${status === 'completed' ? 'completed' : 'reopened'}`,
        undo: () => send(others, before),
      })
      return isDone
    },
    removeLater(runs) {
      const cancel = deletions.schedule({
        ids: runs.map(({ id }) => id),
        async send(keepalive) {
          undoStack.remove(entry)
          await sendDeletion(runs, keepalive)
        },
        onFailed: showNotDeleted,
      })
      const entry = undoStack.push({ words: `${describe(runs)} deleted`, undo: () => void cancel() })
    },
    async remove(runs) {
      try {
        await sendDeletion(runs, false)
        showToast({ message: `${describe(runs)} deleted` })
        return true
      } catch (error) {
        showNotDeleted(error)
        return false
      }
    },
  }
}

const describe = (runs: readonly Run[]) =>
  runs.length === 1 ? `“${shorten(runs[0]?.name ?? '')}”` : formatNumberOf(runs.length, 'run')

/** Names of up to 255 characters would fill the toast. */
const shorten = (name: string) => (name.length > 40 ? `${name.slice(0, 39)}…` : name)

const showNotDeleted = (error: unknown) =>
  void showToast({ message: `Not deleted: ${describeFailure(error, { noun: 'run' }).message}` })
