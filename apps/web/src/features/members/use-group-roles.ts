import { type GroupRoleInput, listGroupRoles, replaceGroupRoles } from '@caseward/client/endpoints'
import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useMemo } from 'react'

import { api } from '../../api.ts'
import { describeFailure } from '../../problems.ts'
import { queryKeys } from '../../query-keys.ts'
import { request } from '../../request-failed.ts'
import { showToast } from '../../ui/toast.ts'
import { undoStack } from '../../undo/use-undo.ts'
import { type Role, roleNames } from './role-words.ts'

/** What can be done with the groups that have a role in a project. */
export function useGroupRoles(projectId: string) {
  const queryClient = useQueryClient()
  return useMemo(() => createGroupRoleActions(queryClient, projectId), [queryClient, projectId])
}

function createGroupRoleActions(queryClient: QueryClient, project_id: string) {
  const refresh = () =>
    Promise.all(
      [queryKeys.groupRoles(project_id), queryKeys.members(project_id), queryKeys.people(project_id)].map((queryKey) =>
        queryClient.invalidateQueries({ queryKey }),
      ),
    )

  /** Replaces all groups, starting from what the server has now: another admin may have changed them. */
  async function change(apply: (roles: ReadonlyMap<string, Role>) => Map<string, Role>): Promise<void> {
    const { data } = await request(api, listGroupRoles, { params: { project_id } })
    const roles = apply(new Map(data.data.map(({ group, role }) => [group, role])))
    const group_roles: GroupRoleInput[] = [...roles].map(([group, role]) => ({ group, role }))
    await request(api, replaceGroupRoles, { params: { project_id }, body: { group_roles } })
    await refresh()
  }
  const setRole = (group: string, role: Role) => change((roles) => new Map(roles).set(group, role))
  async function attempt(action: () => Promise<void>): Promise<boolean> {
    try {
      await action()
      return true
    } catch (error) {
      showToast({ message: `Not done: ${describeFailure(error, { noun: 'group' }).message}` })
      await refresh()
      return false
    }
  }
  return {
    /** @throws {RequestFailed} */
    add: setRole,
    async changeRole(group: string, from: Role, to: Role): Promise<void> {
      if (!(await attempt(() => setRole(group, to)))) return
      undoStack.push({ words: `“${group}” now gives the role ${roleNames[to]}`, undo: () => setRole(group, from) })
    },
    async remove(group: string): Promise<void> {
      await attempt(() =>
        change((roles) => {
          const rest = new Map(roles)
          rest.delete(group)
          return rest
        }),
      )
    },
  }
}

export type GroupRoleActions = ReturnType<typeof useGroupRoles>
