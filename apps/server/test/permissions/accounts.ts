import { randomUUID } from 'node:crypto'

import { sql } from 'kysely'

import { saveEmailChange } from '../../src/features/auth/email-change/email-changes.queries.ts'
import { updateReviewSince } from '../../src/features/auth/recovery/review.queries.ts'
import { insertChallenge, SIGN_IN_PURPOSE } from '../../src/features/auth/second-factors/passkeys.queries.ts'
import { insertSession } from '../../src/features/auth/session/session.queries.ts'
import { insertIdentity } from '../../src/features/auth/single-sign-on/single-sign-on.queries.ts'
import { insertToken } from '../../src/features/tokens/tokens.queries.ts'
import { makeInvitation, makeProject, makeTestCase } from '@caseward/test-support/factories'
import { createAuthenticator, insertPasskey, type PasskeyOptions } from '@caseward/test-support/passkeys'
import { insertTotp, makePendingSignIn } from '@caseward/test-support/second-factors'
import { makeMember, makeUserWithPassword, PASSWORD } from '@caseward/test-support/users'
import type { Scenario } from './scenario.ts'
import { type Prepare, table } from './table.ts'

const existingMember: Prepare = async ({ server, project }) => ({
  ids: { id: (await makeMember(server, project.id, 'member')).id },
})
/** An admin can leave when there is another one. */
const otherAdmin: Prepare = async ({ server, project }) => {
  await makeMember(server, project.id, 'admin')
  return {}
}
const roleChange: Prepare = async (scenario) => ({ ...(await existingMember(scenario)), body: { role: 'viewer' } })

let invitationCount = 0
const newInvitation: Prepare = () => {
  invitationCount += 1
  return { body: { email: `newcomer${invitationCount}@example.test`, role: 'member' } }
}
const existingInvitation: Prepare = async ({ server, project }) => ({
  ids: { id: (await makeInvitation(server, project)).id },
})

export const members = table`
    none  bad-token  read-only  viewer   member   admin    outsider  ci-read    ci-write  ci-other  session  cross-site
  GET /v1/projects/:projectId/members
    401   401        200        200      200      200      outsider  personal   personal  outsider  200      200
  PATCH /v1/projects/:projectId/members/:id ${roleChange}
    401   401        read-only  role     role     200      outsider  personal   personal  outsider  role     origin
  DELETE /v1/projects/:projectId/members/me ${otherAdmin}
    401   401        read-only  204      204      204      outsider  personal   personal  outsider  204      origin
  DELETE /v1/projects/:projectId/members/:id ${existingMember}
    401   401        read-only  role     role     204      outsider  personal   personal  outsider  role     origin
  POST /v1/projects/:projectId/members/invite ${newInvitation}
    401   401        read-only  role     role     201      outsider  personal   personal  outsider  role     origin
  GET /v1/projects/:projectId/invitations
    401   401        200        role     role     200      outsider  personal   personal  outsider  role     role
  DELETE /v1/projects/:projectId/invitations/:id ${existingInvitation}
    401   401        read-only  role     role     204      outsider  personal   personal  outsider  role     origin
  POST /v1/projects/:projectId/invitations/:id/resend ${existingInvitation}
    401   401        read-only  role     role     200      outsider  personal   personal  outsider  role     origin
`

/** Creates an invitation to another project, for an existing or a new user. */
export async function createInvitationFor({
  server,
  user,
}: {
  server: Scenario['server']
  user: { email: string } | null
}) {
  const invitation = user === null ? {} : { email: user.email }
  return { secret: (await makeInvitation(server, await makeProject(server), invitation)).secret }
}

const invitationLink: Prepare = async ({ server }) => ({ ids: await createInvitationFor({ server, user: null }) })
const acceptance: Prepare = async ({ server, caller: { user } }) => ({
  ids: await createInvitationFor({ server, user }),
  body: { name: 'Mira', password: PASSWORD },
})

export const invitationLinks = table`
    none  bad-token  read-only  viewer   member   admin    outsider  ci-read    ci-write  ci-other  session  cross-site
  GET /v1/invitations/:secret ${invitationLink}
    everyone 200
  POST /v1/invitations/:secret/accept ${acceptance}
    200   401        read-only  200      200      200      200       personal   personal  personal  200      origin
`

/** A comment mentions the owner, who need not be a member of the project otherwise. */
const unreadMention: Prepare = async ({ server, owner }) => {
  const project = await makeProject(server)
  await sql`insert into memberships (project_id, user_id, role) values (${project.id}, ${owner.id}, 'viewer')`.execute(
    server.db,
  )
  const { id } = await makeTestCase(server, project)
  const path = `/v1/projects/${project.id}/test-cases/${id}/comments`
  const body = { body: `@[Somebody](user:${owner.id}) have a look` }
  const { status } = await server.request('POST', path, { token: project.admin.token, body })
  if (status !== 201) throw new Error(`POST ${path} returned ${status}`)
  return { body: { all: true } }
}

export async function createOwnerToken({ server, owner }: Pick<Scenario, 'server' | 'owner'>) {
  const input = { name: 'Laptop', access: 'write', expiresAt: null, createdBy: owner.id } as const
  return { id: (await insertToken(server.db, { kind: 'personal', userId: owner.id }, input)).id }
}

export async function createOwnerSession({ server: { db }, owner }: Pick<Scenario, 'server' | 'owner'>) {
  await insertSession(db, owner.id, 'Another browser')
  const sessions = db.selectFrom('sessions').select('id').where('user_id', '=', owner.id)
  return await sessions.where('user_agent', '=', 'Another browser').orderBy('id', 'desc').executeTakeFirstOrThrow()
}

/** Links the owner's account with a user of a provider; the owner has a password. */
export async function createOwnerIdentity({ server: { db }, owner }: Pick<Scenario, 'server' | 'owner'>) {
  const issuer = `https://${randomUUID()}.example.test`
  await db.updateTable('users').set({ password_hash: 'none' }).where('id', '=', owner.id).execute()
  await insertIdentity(db, owner.id, { issuer, subject: 'ada' })
  return await db.selectFrom('sign_in_identities').select('id').where('issuer', '=', issuer).executeTakeFirstOrThrow()
}

const credentials: Prepare = async ({ server }) => ({
  body: { email: (await makeUserWithPassword(server)).email, password: PASSWORD },
})
/** The callers have no password, unless a row gives them one. */
const ownPassword: Prepare = async ({ server: { db }, owner }) => {
  const { id } = await makeUserWithPassword({ db })
  const { password_hash } = await db
    .selectFrom('users')
    .select('password_hash')
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  await db.updateTable('users').set({ password_hash }).where('id', '=', owner.id).execute()
  return { body: { password: PASSWORD } }
}
const pendingSignIn: Prepare = async ({ server }) => {
  const { secret, code } = await makePendingSignIn(server)
  return { cookie: `caseward-sign-in=${secret}`, body: { recovery_code: code } }
}
const newTotp: Prepare = () => ({ body: { name: 'Phone' } })
const pendingTotp: Prepare = async ({ server, owner }) => {
  const { id, code } = await insertTotp(server, owner.id, { isPending: true })
  return { ids: { id }, body: { code } }
}
const newPasskey: Prepare = async ({ server, caller: { headers } }) => {
  const challenge = { challenge: 'unknown' }
  const credential = createAuthenticator(server).create(
    headers['cookie'] === undefined ? challenge : await requestOptions(server, headers),
  )
  return { body: { credential } }
}
/** Only sessions can answer a challenge. */
async function requestOptions({ url }: Scenario['server'], headers: Record<string, string>): Promise<PasskeyOptions> {
  const response = await fetch(`${url}/v1/me/second-factors/passkey`, {
    method: 'POST',
    headers: { ...headers, origin: url },
  })
  return ((await response.json()) as { data: { options: PasskeyOptions } }).data.options
}
const ownPasskey: Prepare = async ({ server, owner }) => {
  await insertPasskey(server, owner.id)
  return {}
}
const pendingPasskey: Prepare = async ({ server }) => {
  const { secret, userId } = await makePendingSignIn(server)
  await insertPasskey(server, userId)
  return { cookie: `caseward-sign-in=${secret}` }
}
const passkeySignIn: Prepare = async ({ server }) => {
  const authenticator = await insertPasskey(server, (await makeUserWithPassword(server)).id)
  const challenge = randomUUID()
  await insertChallenge(server.db, challenge, SIGN_IN_PURPOSE)
  return { body: { passkey: authenticator.get({ challenge }) } }
}
const ownFactor: Prepare = async ({ server, owner }) => ({ ids: { id: (await insertTotp(server, owner.id)).id } })
/** Only of the session: the tokens of the other columns are refused. */
const accountDeletion: Prepare = ({ owner }) => ({ body: { email: owner.email } })
const newEmail: Prepare = ({ owner }) => ({ body: { email: `new-${owner.id}@example.test` } })
const pendingEmail: Prepare = async ({ server: { db }, owner }) => {
  await saveEmailChange(db, owner.id, `new-${owner.id}@example.test`)
  return {}
}
const pendingReview: Prepare = async ({ server: { db }, owner }) => {
  await updateReviewSince(db, owner.id)
  return {}
}
const ownNameChange: Prepare = () => ({ body: { name: 'Ada Lovelace' } })
const ownSession: Prepare = async (scenario) => ({ ids: await createOwnerSession(scenario) })
const newOwnToken: Prepare = () => ({ body: { name: 'Laptop' } })
const ownToken: Prepare = async (scenario) => ({ ids: await createOwnerToken(scenario) })
const ownIdentity: Prepare = async (scenario) => ({ ids: await createOwnerIdentity(scenario) })

const searchedText: Prepare = () => ({ query: '?q=web' })

export const accounts = table`
    none  bad-token  read-only  viewer   member   admin    outsider  ci-read    ci-write  ci-other  session  cross-site
  POST /v1/session ${credentials}
    201   201        201        201      201      201      201       201        201       201       201      origin
  DELETE /v1/session
    401   401        read-only  404      404      404      404       personal   personal  personal  204      origin
  POST /v1/session/confirm ${ownPassword}
    401   401        read-only  no-session no-session no-session no-session personal personal personal 200 origin
  POST /v1/session/passkey-options
    201   201        201        201      201      201      201       201        201       201       201      origin
  POST /v1/session/passkey ${passkeySignIn}
    201   201        201        201      201      201      201       201        201       201       201      origin
  POST /v1/session/second-factor ${pendingSignIn}
    201   201        201        201      201      201      201       201        201       201       201      origin
  POST /v1/session/second-factor/passkey-options ${pendingPasskey}
    201   201        201        201      201      201      201       201        201       201       201      origin
  POST /v1/session/confirm/passkey-options ${ownPasskey}
    401   401        read-only  no-session no-session no-session no-session personal personal personal 201 origin
  POST /v1/me/second-factors/passkey
    401   401        read-only  no-session no-session no-session no-session personal personal personal 201 origin
  POST /v1/me/second-factors/passkey/activate ${newPasskey}
    401   401        read-only  no-session no-session no-session no-session personal personal personal 200 origin
  GET /v1/me/second-factors
    401   401        200        200      200      200      200       personal   personal  personal  200      200
  POST /v1/me/second-factors/totp ${newTotp}
    401   401        read-only  no-session no-session no-session no-session personal personal personal 201 origin
  POST /v1/me/second-factors/totp/:id/activate ${pendingTotp}
    401   401        read-only  no-session no-session no-session no-session personal personal personal 200 origin
  POST /v1/me/second-factors/recovery-codes ${ownFactor}
    401   401        read-only  no-session no-session no-session no-session personal personal personal 201 origin
  DELETE /v1/me/second-factors/:id ${ownFactor}
    401   401        read-only  no-session no-session no-session no-session personal personal personal 204 origin
  GET /v1/me
    401   401        200        200      200      200      200       personal   personal  personal  200      200
  GET /v1/me/projects
    401   401        200        200      200      200      200       personal   personal  personal  200      200
  GET /v1/me/work
    401   401        200        200      200      200      200       personal   personal  personal  200      200
  GET /v1/me/mentions
    401   401        200        200      200      200      200       personal   personal  personal  200      200
  POST /v1/me/mentions/read ${unreadMention}
    401   401        read-only  200      200      200      200       personal   personal  personal  200      origin
  GET /v1/search ${searchedText}
    401   401        200        200      200      200      200       personal   personal  personal  200      200
  PATCH /v1/me ${ownNameChange}
    401   401        read-only  200      200      200      200       personal   personal  personal  200      origin
  DELETE /v1/me ${accountDeletion}
    401   401        read-only  no-session  no-session  no-session  no-session  personal  personal  personal  204  origin
  GET /v1/me/email
    401   401        200        200      200      200      200       personal   personal  personal  200      200
  POST /v1/me/email ${newEmail}
    401   401        read-only  no-session  no-session  no-session  no-session  personal  personal  personal  200  origin
  DELETE /v1/me/email ${pendingEmail}
    401   401        read-only  204      204      204      204       personal   personal  personal  204      origin
  GET /v1/me/review
    401   401        200        200      200      200      200       personal   personal  personal  200      200
  DELETE /v1/me/review ${pendingReview}
    401   401        read-only  204      204      204      204       personal   personal  personal  204      origin
  GET /v1/me/identities
    401   401        200        200      200      200      200       personal   personal  personal  200      200
  DELETE /v1/me/identities/:id ${ownIdentity}
    401   401        read-only  204      204      204      204       personal   personal  personal  204      origin
  GET /v1/sessions
    401   401        200        200      200      200      200       personal   personal  personal  200      200
  DELETE /v1/sessions ${ownSession}
    401   401        read-only  204      204      204      204       personal   personal  personal  204      origin
  DELETE /v1/sessions/:id ${ownSession}
    401   401        read-only  204      204      204      204       personal   personal  personal  204      origin
  GET /v1/tokens
    401   401        200        200      200      200      200       personal   personal  personal  200      200
  POST /v1/tokens ${newOwnToken}
    401   401        read-only  201      201      201      201       personal   personal  personal  201      origin
  DELETE /v1/tokens ${ownToken}
    401   401        read-only  204      204      204      204       personal   personal  personal  204      origin
  DELETE /v1/tokens/:id ${ownToken}
    401   401        read-only  204      204      204      204       personal   personal  personal  204      origin
`
