import { insertSession } from '../../src/features/auth/session/session.queries.ts'
import { insertToken } from '../../src/features/tokens/tokens.queries.ts'
import { makeInvitation, makeProject } from '@caseward/test-support/factories'
import { makeMember, makeUserWithPassword, PASSWORD } from '@caseward/test-support/users'
import type { Scenario } from './scenario.ts'
import { type Prepare, table } from './table.ts'

const aMember: Prepare = async ({ server, project }) => ({
  ids: { id: (await makeMember(server, project.id, 'member')).id },
})
const newRole: Prepare = async (scene) => ({ ...(await aMember(scene)), body: { role: 'viewer' } })

let invited = 0
const newInvitation: Prepare = () => {
  invited += 1
  return { body: { email: `newcomer${invited}@example.test`, role: 'member' } }
}
const anInvitation: Prepare = async ({ server, project }) => ({
  ids: { id: (await makeInvitation(server, project)).id },
})

export const members = table`
  none wrng rvkd expd  read view memb admn othr  ci-r ci-w ci-o  sess csrf
  401  401  401  401   200  200  200  200  403m  403p 403p 403m  200  200   GET    /v1/projects/:pid/members
  401  401  401  401   403t 403r 403r 200  403m  403p 403p 403m  403r 403o  PATCH  /v1/projects/:pid/members/:id ${newRole}
  401  401  401  401   403t 403r 403r 204  403m  403p 403p 403m  403r 403o  DELETE /v1/projects/:pid/members/:id ${aMember}
  401  401  401  401   403t 403r 403r 201  403m  403p 403p 403m  403r 403o  POST   /v1/projects/:pid/members/invite ${newInvitation}
  401  401  401  401   200  403r 403r 200  403m  403p 403p 403m  403r 403r  GET    /v1/projects/:pid/invitations
  401  401  401  401   403t 403r 403r 204  403m  403p 403p 403m  403r 403o  DELETE /v1/projects/:pid/invitations/:id ${anInvitation}
  401  401  401  401   403t 403r 403r 200  403m  403p 403p 403m  403r 403o  POST   /v1/projects/:pid/invitations/:id/resend ${anInvitation}
`

/** An invitation, for a user or somebody new, into a project that they don't belong to yet. */
export async function invitationFor({ server, user }: { server: Scenario['server']; user: { email: string } | null }) {
  const invitation = user === null ? {} : { email: user.email }
  return { secret: (await makeInvitation(server, await makeProject(server), invitation)).secret }
}

const invitationLink: Prepare = async ({ server }) => ({ ids: await invitationFor({ server, user: null }) })
const acceptance: Prepare = async ({ server, caller: { user } }) => ({
  ids: await invitationFor({ server, user }),
  body: { name: 'Mira', password: PASSWORD },
})

export const invitationLinks = table`
  none wrng rvkd expd  read view memb admn othr  ci-r ci-w ci-o  sess csrf
  200  200  200  200   200  200  200  200  200   200  200  200   200  200   GET    /v1/invitations/:secret ${invitationLink}
  200  401  401  401   403t 200  200  200  200   403p 403p 403p  200  403o  POST   /v1/invitations/:secret/accept ${acceptance}
`

export async function createOwnerToken({ server, owner }: Pick<Scenario, 'server' | 'owner'>) {
  const input = { name: 'Laptop', access: 'write', expiresAt: null, createdBy: owner.id } as const
  return { id: (await insertToken(server.db, { kind: 'personal', userId: owner.id }, input)).id }
}

export async function createOwnerSession({ server: { db }, owner }: Pick<Scenario, 'server' | 'owner'>) {
  await insertSession(db, owner.id, 'Another browser')
  const sessions = db.selectFrom('sessions').select('id').where('user_id', '=', owner.id)
  return await sessions.where('user_agent', '=', 'Another browser').orderBy('id', 'desc').executeTakeFirstOrThrow()
}

const credentials: Prepare = async ({ server }) => ({
  body: { email: (await makeUserWithPassword(server)).email, password: PASSWORD },
})
const newOwnName: Prepare = () => ({ body: { name: 'Ada Lovelace' } })
const ownSession: Prepare = async (scene) => ({ ids: await createOwnerSession(scene) })
const newOwnToken: Prepare = () => ({ body: { name: 'Laptop' } })
const ownToken: Prepare = async (scene) => ({ ids: await createOwnerToken(scene) })

export const accounts = table`
  none wrng rvkd expd  read view memb admn othr  ci-r ci-w ci-o  sess csrf
  201  201  201  201   201  201  201  201  201   201  201  201   201  403o  POST   /v1/session ${credentials}
  401  401  401  401   403t 404  404  404  404   403p 403p 403p  204  403o  DELETE /v1/session
  401  401  401  401   200  200  200  200  200   403p 403p 403p  200  200   GET    /v1/me
  401  401  401  401   403t 200  200  200  200   403p 403p 403p  200  403o  PATCH  /v1/me ${newOwnName}
  401  401  401  401   200  200  200  200  200   403p 403p 403p  200  200   GET    /v1/sessions
  401  401  401  401   403t 204  204  204  204   403p 403p 403p  204  403o  DELETE /v1/sessions/:id ${ownSession}
  401  401  401  401   200  200  200  200  200   403p 403p 403p  200  200   GET    /v1/tokens
  401  401  401  401   403t 201  201  201  201   403p 403p 403p  201  403o  POST   /v1/tokens ${newOwnToken}
  401  401  401  401   403t 204  204  204  204   403p 403p 403p  204  403o  DELETE /v1/tokens/:id ${ownToken}
`
