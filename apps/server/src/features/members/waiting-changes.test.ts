import { describe, expect, it } from 'vitest'

import { makeInvitation, makeProject } from '@caseward/test-support/factories'
import { useSharedServer } from '@caseward/test-support/test-server'
import { makeMember } from '@caseward/test-support/users'
import { lockUser } from '../auth/users/users.queries.ts'
import { lockMembers } from './members.queries.ts'

/** More than the connections of the server. */
const REQUESTS = 30
const MAX_READ_MS = 3000

const server = useSharedServer()

async function makeRequests() {
  const project = await makeProject(server)
  const { token, id: adminId } = project.admin
  const member = await makeMember(server, project.id, 'member')
  const { id: invitationId, secret } = await makeInvitation(server, project)
  const path = `/v1/projects/${project.id}`
  const send = (method: string, url: string, body?: object) =>
    server.request(method, url, { token, ...(body === undefined ? {} : { body }) })
  return {
    project,
    adminId,
    requests: {
      'invite a member': () => send('POST', `${path}/members/invite`, { email: 'new@example.test', role: 'viewer' }),
      'resend an invitation': () => send('POST', `${path}/invitations/${invitationId}/resend`),
      'revoke an invitation': () => send('DELETE', `${path}/invitations/${invitationId}`),
      'accept an invitation': () => send('POST', `/v1/invitations/${secret}/accept`),
      'change a role': () => send('PATCH', `${path}/members/${member.id}`, { role: 'viewer' }),
      'remove a member': () => send('DELETE', `${path}/members/${member.id}`),
      'create a CI token': () => send('POST', `${path}/tokens`, { name: 'CI' }),
      'create a personal token': () => send('POST', '/v1/tokens', { name: 'Laptop' }),
    },
  }
}

type Requests = Awaited<ReturnType<typeof makeRequests>>['requests']
const names = [
  'invite a member',
  'resend an invitation',
  'revoke an invitation',
  'accept an invitation',
  'change a role',
  'remove a member',
  'create a CI token',
  'create a personal token',
] as const satisfies (keyof Requests)[]

describe('many requests that wait for the same row', () => {
  it.each(names)('leave database connections for other requests: %s', async (name) => {
    const { project, adminId, requests } = await makeRequests()
    let waiting: Promise<{ status: number }>[] = []
    await server.db.transaction().execute(async (tx) => {
      await (name === 'create a personal token' ? lockUser(tx, adminId) : lockMembers(tx, project.id))
      waiting = Array.from({ length: REQUESTS }, requests[name])
      // Another user's requests have nothing to do with these.
      const { token } = (await makeProject(server)).admin
      const read = server.request('GET', '/v1/projects', { token })
      const timeout = new Promise<null>((resolve) => setTimeout(resolve, MAX_READ_MS, null))
      expect(await Promise.race([read, timeout])).toMatchObject({ status: 200 })
    })
    const statuses = (await Promise.all(waiting)).map(({ status }) => status)
    expect(statuses.filter((status) => status >= 500)).toEqual([])
  })
})
