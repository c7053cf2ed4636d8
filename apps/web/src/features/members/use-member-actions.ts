import {
  changeMemberRole,
  inviteMember,
  type Invitation,
  type Member,
  removeMember,
  resendInvitation,
  revokeInvitation,
} from '@caseward/client/endpoints'
import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useMemo } from 'react'

import { api } from '../../api.ts'
import { describeFailure } from '../../problems.ts'
import { queryKeys } from '../../query-keys.ts'
import { request } from '../../request-failed.ts'
import { showToast } from '../../ui/toast.ts'
import { undoStack } from '../../undo/use-undo.ts'
import { type Role, roleNouns } from './role-words.ts'

/** An invitation that was sent, with its link if there is no mail server. */
export interface SentLink {
  readonly email: string
  readonly url: string | null
}

/** What can be done with the members and invitations of a project. Failures are shown, except where a form shows them. */
export function useMemberActions(projectId: string) {
  const queryClient = useQueryClient()
  return useMemo(() => createMemberActions(queryClient, projectId), [queryClient, projectId])
}

function createMemberActions(queryClient: QueryClient, project_id: string) {
  async function refresh(): Promise<void> {
    await Promise.all(
      [queryKeys.members(project_id), queryKeys.invitations(project_id), queryKeys.people(project_id)].map((queryKey) =>
        queryClient.invalidateQueries({ queryKey }),
      ),
    )
  }
  const sendRole = async (id: string, role: Role) => {
    await request(api, changeMemberRole, { params: { project_id, user_id: id }, body: { role } })
    await refresh()
  }
  /** @returns whether it is done; otherwise the reason was shown */
  async function attempt(action: () => Promise<unknown>): Promise<boolean> {
    try {
      await action()
      return true
    } catch (error) {
      showToast({ message: `Not done: ${describeFailure(error, { noun: 'member' }).message}` })
      return false
    } finally {
      await refresh()
    }
  }
  return {
    async changeRole(member: Member, role: Role): Promise<void> {
      const isDone = await attempt(() => sendRole(member.id, role))
      if (!isDone) return
      undoStack.push({
        words: `${member.name} is now ${roleNouns[role]}`,
        undo: () => sendRole(member.id, member.role),
      })
    },
    async remove(member: Member): Promise<boolean> {
      return await attempt(() => request(api, removeMember, { params: { project_id, user_id: member.id } }))
    },
    /** @throws {RequestFailed} */
    async invite(email: string, role: Role): Promise<SentLink> {
      const { data } = await request(api, inviteMember, { params: { project_id }, body: { email, role } })
      await refresh()
      return { email: data.email, url: data.join_url ?? null }
    },
    /** @returns null if it failed; the reason was shown */
    async resend({ id, email }: Invitation): Promise<SentLink | null> {
      let url: string | null = null
      const isDone = await attempt(async () => {
        const { data } = await request(api, resendInvitation, { params: { project_id, invitation_id: id } })
        url = data.join_url ?? null
      })
      return isDone ? { email, url } : null
    },
    async revoke({ id }: Invitation): Promise<boolean> {
      return await attempt(() => request(api, revokeInvitation, { params: { project_id, invitation_id: id } }))
    },
  }
}

export type MemberActions = ReturnType<typeof useMemberActions>
