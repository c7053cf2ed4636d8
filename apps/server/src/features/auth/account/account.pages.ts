import { Name, NewPassword } from '@caseward/contract/schemas'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { Type } from 'typebox'

import type { Deps } from '../../../deps.ts'
import { selectUserProjects } from '../../members/members.queries.ts'
import { toActor } from '../../audit/record-audit.ts'
import { revokeSession } from '../session/revoke-session.ts'
import { selectSessions } from '../session/session.queries.ts'
import { selectIdentities } from '../single-sign-on/single-sign-on.queries.ts'
import { unlinkIdentity } from '../single-sign-on/unlink-identity.ts'
import { createPersonalToken } from '../../tokens/create-token.ts'
import { revokePersonalTokens, revokeToken } from '../../tokens/revoke-token.ts'
import { selectPersonalTokens } from '../../tokens/tokens.queries.ts'
import { consumeRateLimit } from '../../../platform/http/rate-limit.ts'
import type { App } from '../../../platform/http/app.ts'
import { unauthenticatedProblem } from '../../../platform/http/problems.ts'
import { submitForm } from '../../../platform/pages/forms.ts'
import { sendPage } from '../../../platform/pages/layout.ts'
import { type SignedInUser, findSignedInUser } from '../session/signed-in-user.ts'
import { type AccountFormResult, renderAccount } from './account.view.ts'
import { changePassword } from './change-password.ts'

const params = Type.Object({ id: Type.String() })
const passwordBody = Type.Object({
  current_password: Type.String({ format: 'text', minLength: 1, maxLength: 1024 }),
  password: NewPassword('New password'),
})
const tokenBody = Type.Object({
  name: Name('Token name'),
  access: Type.Unsafe<'read' | 'write'>({ type: 'string', enum: ['read', 'write'] }),
  days: Type.Unsafe<'' | '30' | '90' | '365'>({ type: 'string', enum: ['', '30', '90', '365'] }),
})

const DAY_MS = 24 * 60 * 60 * 1000

/** `/plain/account`: the user's projects, personal tokens, sessions, password and single sign-on. */
export function accountPages(pages: App, deps: Deps): void {
  pages.get('/plain/account', { schema: { hide: true } }, async (request, reply) => {
    const signedIn = await findLimitedUser(deps, request, reply)
    return signedIn === null ? reply.redirect('/sign-in', 303) : await sendAccount(deps, reply, signedIn, {})
  })
  // The forms' responses have these URLs. A browser that reopens one sends GET.
  for (const path of ['/plain/account/tokens', '/plain/account/password']) {
    pages.get(path, { schema: { hide: true } }, (_request, reply) => reply.redirect('/plain/account', 303))
  }
  tokenForms(pages, deps)
  sessionForms(pages, deps)
  passwordForm(pages, deps)
  identityForms(pages, deps)
}

function tokenForms(pages: App, deps: Deps): void {
  const { db, principalCache } = deps

  pages.post(
    '/plain/account/tokens',
    { schema: { hide: true, body: tokenBody }, attachValidation: true },
    async (request, reply) => {
      const signedIn = await requireLimitedUser(deps, request, reply)
      const result = await submitForm(request, reply, async () => {
        const { name, access, days } = request.body
        const expiresAt = days === '' ? null : new Date(Date.now() + Number(days) * DAY_MS)
        const actor = toActor(signedIn.session, request)
        return await createPersonalToken(db, actor, signedIn.session, { name, access, expiresAt })
      })
      const formResult = 'value' in result ? { newToken: result.value } : { tokenProblem: result.problem }
      return await sendAccount(deps, reply, signedIn, formResult)
    },
  )

  pages.post('/plain/account/tokens/:id/revoke', { schema: { hide: true, params } }, async (request, reply) => {
    const { user, session } = await requireLimitedUser(deps, request, reply)
    const owner = { kind: 'personal', userId: user.id } as const
    await revokeToken(db, toActor(session, request), owner, request.params.id).finally(principalCache.clear)
    return reply.redirect('/plain/account', 303)
  })

  pages.post('/plain/account/tokens/revoke-all', { schema: { hide: true } }, async (request, reply) => {
    const { user, session } = await requireLimitedUser(deps, request, reply)
    await revokePersonalTokens(db, toActor(session, request), user.id).finally(principalCache.clear)
    return reply.redirect('/plain/account', 303)
  })
}

function sessionForms(pages: App, deps: Deps): void {
  pages.post('/plain/account/sessions/:id/end', { schema: { hide: true, params } }, async (request, reply) => {
    const { user, session } = await requireLimitedUser(deps, request, reply)
    await revokeSession(deps.db, toActor(session, request), user.id, request.params.id).finally(
      deps.principalCache.clear,
    )
    return reply.redirect('/plain/account', 303)
  })
}

function passwordForm(pages: App, deps: Deps): void {
  pages.post(
    '/plain/account/password',
    { schema: { hide: true, body: passwordBody }, attachValidation: true },
    async (request, reply) => {
      const signedIn = await requireLimitedUser(deps, request, reply)
      const { user, session: principal } = signedIn
      const result = await submitForm(request, reply, async () => {
        const { current_password: currentPassword, password: newPassword } = request.body
        const actor = toActor(principal, request)
        await changePassword(deps, request, reply, { user, currentPassword, newPassword, principal, actor })
      })
      const formResult =
        'value' in result
          ? { successMessage: 'Password changed. You are signed out everywhere else.' }
          : { passwordProblem: result.problem }
      return await sendAccount(deps, reply, signedIn, formResult)
    },
  )
}

function identityForms(pages: App, deps: Deps): void {
  pages.post('/plain/account/identities/:id/remove', { schema: { hide: true, params } }, async (request, reply) => {
    const { user, session } = await requireLimitedUser(deps, request, reply)
    await unlinkIdentity(deps.db, toActor(session, request), user.id, request.params.id)
    return reply.redirect('/plain/account', 303)
  })
}

/** Finds the signed-in user and counts the request against the rate limit of the session. */
async function findLimitedUser(deps: Deps, request: FastifyRequest, reply: FastifyReply): Promise<SignedInUser | null> {
  const signedIn = await findSignedInUser(deps, request, reply)
  if (signedIn !== null) await consumeRateLimit(deps.rateLimits.other, signedIn.session.key, reply)
  return signedIn
}

async function requireLimitedUser(deps: Deps, request: FastifyRequest, reply: FastifyReply): Promise<SignedInUser> {
  const signedIn = await findLimitedUser(deps, request, reply)
  if (signedIn === null) throw unauthenticatedProblem('You are no longer signed in. Sign in and try again.')
  return signedIn
}

async function sendAccount(
  { db }: Deps,
  reply: FastifyReply,
  { user, session }: SignedInUser,
  formResult: AccountFormResult,
) {
  const [projects, sessions, tokens, identities] = await Promise.all([
    selectUserProjects(db, user.id),
    selectSessions(db, user.id),
    selectPersonalTokens(db, user.id),
    selectIdentities(db, user.id),
  ])
  const content = { user, projects, sessions, currentSessionId: session.key, tokens, identities }
  const body = renderAccount(content, formResult)
  const problem = formResult.passwordProblem ?? formResult.tokenProblem ?? null
  return sendPage(reply, { title: 'Your account', body, user, problem, isWide: true })
}
