import type { Invitation, SentInvitation } from '@caseward/contract/invitations'

import { sql } from 'kysely'

import { makeProject } from './factories.ts'
import type { TestResponse } from './send-request.ts'
import type { TestServer } from './test-server.ts'

/** A project, and what its admin does with its invitations. */
export async function makeInvitationScenario(server: TestServer) {
  const project = await makeProject(server)
  const { token } = project.admin
  const path = `/v1/projects/${project.id}/invitations`
  const invitePath = `/v1/projects/${project.id}/members/invite`
  return {
    project,
    token,
    path,
    invitePath,
    invite: (email: string, role = 'member'): Promise<TestResponse<SentInvitation>> =>
      server.request('POST', invitePath, { token, body: { email, role } }),
    list: (query = ''): Promise<TestResponse<{ data: Invitation[]; meta: object }>> =>
      server.request('GET', path + query, { token }),
    resend: (id: string): Promise<TestResponse<SentInvitation>> =>
      server.request('POST', `${path}/${id}/resend`, { token }),
    revoke: (id: string): Promise<TestResponse<unknown>> => server.request('DELETE', `${path}/${id}`, { token }),
  }
}

/** The secret of the link in the response to an invitation. */
export const getLinkSecret = ({ join_url: url }: SentInvitation): string => url?.split('/').at(-1) ?? ''

/** The status of a request that opens an invitation link. */
export async function getLinkStatus(server: TestServer, secret: string): Promise<number> {
  return (await server.request('GET', `/v1/invitations/${secret}`)).status
}

/** Accepts an invitation as a user who has no account yet. */
export const acceptAsNewUser = (server: TestServer, secret: string): Promise<TestResponse<unknown>> =>
  server.request('POST', `/v1/invitations/${secret}/accept`, { body: { name: 'Mira', password: 'correct horse' } })

/** Moves the expiry time of an invitation into the past. */
export async function expireInvitation({ db }: TestServer, id: string): Promise<void> {
  const expires_at = new Date(Date.now() - 1000)
  await db.updateTable('invitations').set({ expires_at }).where('id', '=', id).execute()
}

interface QueuedMail {
  payload: object
  key: string
}

/** The jobs in the queue that send the email of an invitation. */
export async function selectQueuedMails({ db }: TestServer, invitationId: string): Promise<QueuedMail[]> {
  const { rows } = await sql<QueuedMail>`
    select job.payload, job.key from graphile_worker._private_jobs job where job.payload->>'id' = ${invitationId}`.execute(
    db,
  )
  return rows
}
