import { randomBytes, randomUUID } from 'node:crypto'

import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'

import { makeInvitation, makeProject, makeRun } from '@caseward/test-support/factories'
import { insertPasskey } from '@caseward/test-support/passkeys'
import { insertTotp } from '@caseward/test-support/second-factors'
import { useTestServer } from '@caseward/test-support/test-server'
import { makeMember, makeUser } from '@caseward/test-support/users'
import { insertToken } from '../../tokens/tokens.queries.ts'
import { createEmailChangeLink, saveEmailChange } from '../email-change/email-changes.queries.ts'
import { createResetLink, saveReset } from '../password-reset/password-reset.queries.ts'
import { insertChallenge } from '../second-factors/passkeys.queries.ts'
import { insertPendingSignIn } from '../second-factors/pending-sign-ins.queries.ts'
import { replaceRecoveryCodes } from '../second-factors/second-factors.queries.ts'
import { createSecondFactorLinks } from '../second-factors/second-factor-links.queries.ts'
import { saveKnownBrowser } from '../session/known-browsers.queries.ts'
import { insertSession } from '../session/session.queries.ts'
import { insertSignInLink } from '../session/sign-in-link.queries.ts'
import { insertIdentity, insertPendingIdentity } from '../single-sign-on/single-sign-on.queries.ts'
import { lockUser } from '../users/users.queries.ts'
import { endTraces } from './end-traces.ts'
import { WAYS, type Way } from './traces.ts'

const server = useTestServer()

/** An account in which somebody else has left everything that there is. */
async function makeIntrudedAccount() {
  const { db } = server
  const user = await makeUser(server)
  const { id } = user
  const project = await makeProject(server, { token: user.token })
  await makeInvitation(server, { ...project, admin: { ...project.admin, token: user.token } })
  const input = { name: 'CI', access: 'write', expiresAt: null, createdBy: id } as const
  await insertToken(db, { kind: 'ci', projectId: project.id }, input)
  const run = await makeRun(server, { ...project, admin: { ...project.admin, token: user.token } })
  const share = { token: user.token, body: { name: 'For Acme', include: [] } }
  await server.request('POST', `/v1/runs/${run.id}/shares`, share)
  await insertSession(db, id, 'Own')
  const own = await db.selectFrom('sessions').select('id').where('user_id', '=', id).executeTakeFirstOrThrow()
  await insertSession(db, id, 'Other')
  const browser = (await saveKnownBrowser(db, id, null)).secret
  await saveKnownBrowser(db, id, null)
  await saveEmailChange(db, id, `${randomUUID()}@evil.example.test`)
  await createEmailChangeLink(db, id)
  await insertPendingSignIn(db, id)
  await insertChallenge(db, randomUUID(), { purpose: 'confirmation', userId: id, boundTo: own.id })
  const issuer = `https://${randomUUID()}.example.test`
  await insertPendingIdentity(db, id, { issuer, subject: 'eve', sessionDigest: null })
  await insertIdentity(db, id, { issuer, subject: 'ada' })
  await insertSignInLink(db, id)
  await saveReset(db, id)
  await createResetLink(db, id)
  await insertTotp(server, id)
  await insertPasskey(server, id)
  await createSecondFactorLinks(db, id)
  await replaceRecoveryCodes(db, id, [randomBytes(8).toString('hex')])
  return { ...user, project, sessionId: own.id, browser }
}

/** What is left of it. */
async function countTraces(userId: string): Promise<Record<string, number>> {
  const count = (table: string, condition = sql`user_id = ${userId}`) =>
    sql`(select count(*)::integer from ${sql.table(table)} where ${condition})`
  const { rows } = await sql<Record<string, number>>`select
    ${count('sessions')} as sessions, ${count('known_browsers')} as browsers, ${count('email_changes')} as email_changes,
    ${count('email_change_links')} as email_links, ${count('pending_sign_ins')} as pending_sign_ins,
    ${count('passkey_challenges')} as challenges, ${count('pending_identities')} as pending_identities,
    ${count('sign_in_links')} as sign_in_links, ${count('password_resets')} as resets,
    ${count('password_reset_links')} as reset_links, ${count('api_tokens')} as tokens,
    ${count('invitations', sql`invited_by = ${userId} and status = 'pending'`)} as invitations,
    ${count('second_factors')} as factors, ${count('recovery_codes')} as codes,
    ${count('second_factor_links', sql`factor_id in (select id from second_factors where user_id = ${userId})`)} as factor_links,
    ${count('sign_in_identities')} as identities,
    ${count('api_tokens', sql`created_by = ${userId} and kind = 'ci' and review_since is not null`)} as marked_tokens,
    ${count('shares', sql`created_by = ${userId} and revoked_at is null`)} as shares,
    ${count('users', sql`id = ${userId} and review_since is not null`)} as reviews`.execute(server.db)
  return rows[0] ?? {}
}

const everything = {
  sessions: 2,
  browsers: 2,
  email_changes: 1,
  email_links: 1,
  pending_sign_ins: 1,
  challenges: 1,
  pending_identities: 1,
  sign_in_links: 1,
  resets: 1,
  reset_links: 1,
  tokens: 1,
  invitations: 1,
  factors: 2,
  codes: 1,
  factor_links: 2,
  identities: 1,
  marked_tokens: 0,
  reviews: 0,
  shares: 1,
}
const noSignIns = {
  sessions: 0,
  browsers: 0,
  email_changes: 0,
  email_links: 0,
  pending_sign_ins: 0,
  challenges: 0,
  pending_identities: 0,
  sign_in_links: 0,
}
const noResets = { resets: 0, reset_links: 0 }
const noGrants = { tokens: 0, invitations: 0 }
const noShares = { shares: 0 }
const noFactors = { factors: 0, codes: 0, factor_links: 0 }
const listed = { marked_tokens: 1, reviews: 1 }

/** Written by hand, not from `traces.ts`: what each way leaves. */
const expected: Record<Way, Record<string, number>> = {
  password_change: { ...everything, ...noSignIns, ...noResets },
  password_reset: { ...everything, ...noSignIns, ...noResets },
  secured_reset: { ...everything, ...noSignIns, ...noResets, ...noGrants, ...noShares, ...listed },
  take_over: { ...everything, ...noSignIns, ...noResets, ...noGrants, ...noFactors, ...noShares, ...listed },
  end_sessions: { ...everything, ...noSignIns },
  revoke_tokens: { ...everything, ...noResets, ...noGrants, ...listed, resets: 1, reset_links: 1 },
  remove_factors: { ...everything, ...noSignIns, ...noFactors },
  disable: { ...everything, ...noSignIns, ...noResets, ...noGrants, ...listed },
}

const end = async (way: Way, userId: string, own: { sessionId?: string; browser?: string } = {}) =>
  await server.db.transaction().execute(async (tx) => {
    await lockUser(tx, userId)
    return await endTraces(tx, way, { userId, ...own })
  })

describe('endTraces', () => {
  it.each(WAYS)('ends and lists what the table says, and nothing of other users: %s', async (way) => {
    const account = await makeIntrudedAccount()
    const other = await makeIntrudedAccount()
    expect(await countTraces(account.id)).toEqual(everything)
    await end(way, account.id)
    expect(await countTraces(account.id)).toEqual(expected[way])
    expect(await countTraces(other.id)).toEqual(everything)
  })

  it('keeps the session and the browser of the caller, and the change of the email address that it requested', async () => {
    const { id, sessionId, browser } = await makeIntrudedAccount()
    await saveEmailChange(server.db, id, `${randomUUID()}@example.test`, sessionId)
    await end('password_change', id, { sessionId, browser })
    expect(await countTraces(id)).toMatchObject({ sessions: 1, browsers: 1, email_changes: 1, pending_sign_ins: 0 })
  })
})

/** The rights of a token that was used just now are cached. */
async function createToken(userId: string): Promise<string> {
  const input = { name: 'new', access: 'write', expiresAt: null, createdBy: userId } as const
  return (await insertToken(server.db, { kind: 'personal', userId }, input)).token
}

describe('what was created with an account that was secured', () => {
  it('is listed for review with the members who joined by an invitation and the administrators it made, until the user is done', async () => {
    const account = await makeIntrudedAccount()
    const { db } = server
    const [guest, admin] = [await makeMember(server, account.project.id, 'admin'), await makeUser(server)]
    await db
      .updateTable('invitations')
      .set({ email: guest.email.toUpperCase(), status: 'accepted' })
      .where('invited_by', '=', account.id)
      .execute()
    await db.updateTable('users').set({ is_instance_admin: true }).where('id', '=', account.id).execute()
    const change = { token: await createToken(account.id), body: { is_instance_admin: true } }
    expect((await server.request('PATCH', `/v1/admin/users/${admin.id}`, change)).status).toBe(200)
    await end('secured_reset', account.id)
    const token = await createToken(account.id)
    const { body } = await server.request<{ data: { since: string; items: Record<string, unknown>[] } }>(
      'GET',
      '/v1/me/review',
      { token },
    )
    expect(body.data.since).toEqual(expect.any(String))
    const items = body.data.items.map(({ kind, name, project }) => ({ kind, name, project }))
    const project = { id: account.project.id, name: account.project.name }
    expect(items).toHaveLength(6)
    expect(items).toEqual(
      expect.arrayContaining([
        { kind: 'second_factor', name: 'Phone', project: null },
        { kind: 'second_factor', name: 'Laptop', project: null },
        { kind: 'identity', name: expect.stringContaining('https://'), project: null },
        { kind: 'ci_token', name: 'CI', project },
        { kind: 'member', name: guest.email, project },
        { kind: 'instance_admin', name: admin.email, project: null },
      ]),
    )
    expect((await server.request('DELETE', '/v1/me/review', { token })).status).toBe(204)
    const after = await server.request('GET', '/v1/me/review', { token })
    expect(after.body).toEqual({ data: { since: null, items: [] } })
    await server.expectProblem(404, 'DELETE', '/v1/me/review', { token })
  })
})
