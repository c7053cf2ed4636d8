import {
  createMilestone,
  type CreateMilestoneBody,
  deleteMilestone,
  type MilestoneStatus,
  updateMilestone,
  type UpdateMilestoneBody,
} from '@caseward/client/endpoints'
import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useMemo } from 'react'

import { api, keepaliveApi } from '../../api.ts'
import { refreshQueries } from '../../live/refresh-queries.ts'
import { describeFailure } from '../../problems.ts'
import { queryKeys } from '../../query-keys.ts'
import { request } from '../../request-failed.ts'
import { formatNumberOf } from '../../ui/format-count.ts'
import { showToast } from '../../ui/toast.ts'
import { deletions, undoStack } from '../../undo/use-undo.ts'
import type { FullMilestone } from './milestone-queries.ts'

/** What actions need to know about a milestone. */
export type ActedMilestone = Pick<FullMilestone, 'id' | 'name' | 'status'>

export interface MilestoneActions {
  /** Rejects with what the request throws. */
  create(body: CreateMilestoneBody): Promise<void>
  /** Rejects with what the request throws. */
  update(id: string, body: UpdateMilestoneBody): Promise<void>
  /** Completes, archives or activates milestones, with Undo. Failures are shown. */
  setStatus(milestones: readonly ActedMilestone[], status: MilestoneStatus): Promise<void>
  /** Hides milestones now, and deletes them after 8 s or when the page is closed. */
  removeLater(milestones: readonly ActedMilestone[]): void
  /** Deletes milestones at once. The user has been asked. Failures are shown. */
  remove(milestones: readonly ActedMilestone[]): Promise<void>
}

/** What can be done with the milestones of a project. */
export function useMilestoneActions(projectId: string): MilestoneActions {
  const queryClient = useQueryClient()
  return useMemo(() => createMilestoneActions(queryClient, projectId), [queryClient, projectId])
}

const statusWords: Readonly<Record<MilestoneStatus, string>> = {
  active: 'active again',
  completed: 'completed',
  archived: 'archived',
}

function createMilestoneActions(queryClient: QueryClient, project_id: string): MilestoneActions {
  const refresh = () => refreshQueries(queryClient, queryKeys.milestones(project_id))
  const reload = () => queryClient.invalidateQueries({ queryKey: queryKeys.milestones(project_id) })

  async function update(milestone_id: string, body: UpdateMilestoneBody): Promise<void> {
    await request(api, updateMilestone, { params: { project_id, milestone_id }, body })
  }
  async function sendDeletion(milestones: readonly ActedMilestone[], keepalive: boolean): Promise<void> {
    const client = keepalive ? keepaliveApi : api
    const remove = async ({ id }: ActedMilestone) =>
      void (await request(client, deleteMilestone, { params: { project_id, milestone_id: id } }))
    try {
      // While the page is being closed, there is no time to wait for a response before the next request.
      if (keepalive) await Promise.all(milestones.map(remove))
      else for (const milestone of milestones) await remove(milestone)
    } finally {
      await reload()
      refreshQueries(queryClient, queryKeys.allRuns(project_id))
    }
  }
  /** Puts the statuses back that milestones had. */
  async function restore(milestones: readonly ActedMilestone[]): Promise<void> {
    try {
      for (const { id, status } of milestones) await update(id, { status })
    } finally {
      refresh()
    }
  }

  return {
    async create(body) {
      await request(api, createMilestone, { params: { project_id }, body })
      await reload()
    },
    async update(id, body) {
      await update(id, body)
      await reload()
    },
    async setStatus(milestones, status) {
      const changed: ActedMilestone[] = []
      try {
        for (const milestone of milestones) {
          await update(milestone.id, { status })
          changed.push(milestone)
        }
      } catch (error) {
        showToast({ message: `Not done: ${describeFailure(error, { noun: 'milestone' }).message}` })
      }
      await reload()
      if (changed.length === 0) return
      undoStack.push({ words: `${describe(changed)} ${statusWords[status]}`, undo: () => restore(changed) })
    },
    removeLater(milestones) {
      const cancel = deletions.schedule({
        ids: milestones.map(({ id }) => id),
        async send(keepalive) {
          undoStack.remove(entry)
          await sendDeletion(milestones, keepalive)
        },
        onFailed: showNotDeleted,
      })
      const entry = undoStack.push({ words: `${describe(milestones)} deleted`, undo: () => void cancel() })
    },
    async remove(milestones) {
      try {
        await sendDeletion(milestones, false)
        showToast({ message: `${describe(milestones)} deleted` })
      } catch (error) {
        showNotDeleted(error)
      }
    },
  }
}

const describe = (milestones: readonly ActedMilestone[]) =>
  milestones.length === 1 ? `“${shorten(milestones[0]?.name ?? '')}”` : formatNumberOf(milestones.length, 'milestone')

/** Names of up to 255 characters would fill the toast. */
const shorten = (name: string) => (name.length > 40 ? `${name.slice(0, 39)}…` : name)

const showNotDeleted = (error: unknown) =>
  void showToast({ message: `Not deleted: ${describeFailure(error, { noun: 'milestone' }).message}` })
