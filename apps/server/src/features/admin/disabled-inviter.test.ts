import { beforeAll, describe, expect, it } from 'vitest'

import { makeInvitation, makeProject } from '@caseward/test-support/factories'
import { getLinkStatus } from '@caseward/test-support/invitation-scenario'
import { useTestServer } from '@caseward/test-support/test-server'
import { makeInstanceAdmin, makeMember } from '@caseward/test-support/users'
import { SYSTEM_ACTOR } from '../audit/record-audit.ts'
import { inviteMember } from '../invitations/change-invitations.ts'

const server = useTestServer()
let token: string
beforeAll(async () => {
  token = (await makeInstanceAdmin(server)).token
})

async function makeProjectWithTwoAdmins() {
  const project = await makeProject(server)
  const other = await makeMember(server, project.id, 'admin')
  const setDisabled = (disabled: boolean) =>
    server.request('PATCH', `/v1/admin/users/${other.id}`, { token, body: { disabled } })
  return { project, other: { ...other, project: { id: project.id, admin: other } }, setDisabled }
}

describe('an admin of a project whose account is disabled', () => {
  it('cannot return with a link that they received for the invitation of another admin', async () => {
    const { project, other, setDisabled } = await makeProjectWithTwoAdmins()
    const { id } = await makeInvitation(server, project)
    const path = `/v1/projects/${project.id}/invitations/${id}/resend`
    const resent = await server.request<{ join_url: string }>('POST', path, { token: other.token })
    await setDisabled(true)
    expect(await getLinkStatus(server, resent.body.join_url.split('/').at(-1) ?? '')).toBe(410)
  })

  it('cannot invite with a request that the guard has let through before', async () => {
    const { project, other, setDisabled } = await makeProjectWithTwoAdmins()
    await setDisabled(true)
    const invitation = { projectId: project.id, email: 'late@example.test', role: 'admin' } as const
    const inviting = inviteMember(server.db, SYSTEM_ACTOR, invitation, { senderId: other.id, showLink: true })
    await expect(inviting).rejects.toMatchObject({ statusCode: 403 })
  })

  it('leaves no pending invitation when they invite someone at the same moment', async () => {
    for (let round = 0; round < 20; round += 1) {
      const { project, other, setDisabled } = await makeProjectWithTwoAdmins()
      const body = { email: 'race@example.test', role: 'admin' }
      const path = `/v1/projects/${project.id}/members/invite`
      const [, disabled] = await Promise.all([
        server.request('POST', path, { token: other.token, body }),
        setDisabled(true),
      ])
      expect(disabled.status).toBe(200)
      const invitations = server.db.selectFrom('invitations').select('status').where('project_id', '=', project.id)
      expect(await invitations.execute()).not.toContainEqual({ status: 'pending' })
    }
  })
})

describe('the audit entry of a change that revokes invitations', () => {
  const selectDetail = async (action: string, userId: string) => {
    const entry = server.db.selectFrom('audit_log').select('detail').where('action', '=', action)
    return (await entry.where('subject_id', '=', userId).executeTakeFirstOrThrow()).detail
  }

  it.each([
    ['user.disable', 'PATCH', { disabled: true }],
    ['member.remove', 'DELETE', undefined],
    ['member.change_role', 'PATCH', { role: 'viewer' }],
  ] as const)('names the invited addresses: %s', async (action, method, body) => {
    const { project, other } = await makeProjectWithTwoAdmins()
    const { email } = await makeInvitation(server, other.project)
    const isDisabling = action === 'user.disable'
    const path = isDisabling ? `/v1/admin/users/${other.id}` : `/v1/projects/${project.id}/members/${other.id}`
    const caller = isDisabling ? token : project.admin.token
    await server.request(method, path, { token: caller, ...(body === undefined ? {} : { body }) })
    expect(await selectDetail(action, other.id)).toMatchObject({
      revoked_invitation_count: 1,
      revoked_invitations: [email],
    })
  })
})
