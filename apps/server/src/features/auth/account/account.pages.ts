import { Name, NewPassword } from '@caseward/contract/schemas'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { Type } from 'typebox'

import type { Deps } from '../../../deps.ts'
import { selectUserProjects } from '../../members/members.queries.ts'
import { changePassword } from './change-password.ts'
import { deleteSession, selectSessions } from '../session/session.queries.ts'
import { deleteToken, insertToken, selectTokens } from '../../tokens/tokens.queries.ts'
import { isUuid } from '../../../platform/http/ids.ts'
import { consumeRateLimit } from '../../../platform/http/rate-limit.ts'
import type { App } from '../../../platform/http/app.ts'
import { notFoundProblem, unauthenticatedProblem } from '../../../platform/http/problems.ts'
import { accountBody, type AccountContent } from './account.view.ts'
import { submitForm } from '../../../platform/pages/forms.ts'
import { sendPage } from '../../../platform/pages/layout.ts'
import { type SignedInUser, findSignedInUser } from '../session/signed-in-user.ts'

const params = Type.Object({ id: Type.String() })
const newPassword = Type.Object({
  current_password: Type.String({ format: 'text', minLength: 1, maxLength: 1024 }),
  password: NewPassword('New password'),
})
const newToken = Type.Object({
  name: Name('What it is for'),
  access: Type.Unsafe<'read' | 'write'>({ type: 'string', enum: ['read', 'write'] }),
  days: Type.Unsafe<'' | '30' | '90' | '365'>({ type: 'string', enum: ['', '30', '90', '365'] }),
})

const DAY_MS = 24 * 60 * 60 * 1000

/** `/account`: who one is, the password, where one is signed in, and personal tokens. */
export function accountPages(pages: App, deps: Deps): void {
  const { db, principalCache: principals } = deps

  pages.get('/account', { schema: { hide: true } }, async (request, reply) => {
    const visitor = await countedVisitor(request, reply)
    return visitor === null ? reply.redirect('/sign-in', 303) : await sendAccount(reply, visitor, {})
  })

  // Where the forms' answers are: reloaded, or opened again by a browser that was closed.
  for (const path of ['/account/tokens', '/account/password']) {
    pages.get(path, { schema: { hide: true } }, (_request, reply) => reply.redirect('/account', 303))
  }

  pages.post(
    '/account/password',
    { schema: { hide: true, body: newPassword }, attachValidation: true },
    async (request, reply) => {
      const visitor = await requireVisitor(request, reply)
      const outcome = await submitForm(request, reply, async () => {
        const { current_password: current, password } = request.body
        await changePassword(deps, reply, { user: visitor.user, current, password, principal: visitor.session })
      })
      const done = 'value' in outcome ? { done: 'Your password is changed, and all other sessions have ended.' } : {}
      return await sendAccount(reply, visitor, {
        ...('problem' in outcome ? { passwordProblem: outcome.problem } : done),
      })
    },
  )

  pages.post(
    '/account/tokens',
    { schema: { hide: true, body: newToken }, attachValidation: true },
    async (request, reply) => {
      const visitor = await requireVisitor(request, reply)
      const outcome = await submitForm(request, reply, async () => {
        const { name, access, days } = request.body
        const expiresAt = days === '' ? null : new Date(Date.now() + Number(days) * DAY_MS)
        const input = { name, access, expiresAt, createdBy: visitor.user.id }
        return await insertToken(db, { kind: 'personal', userId: visitor.user.id }, input)
      })
      const content = 'value' in outcome ? { newToken: outcome.value } : { tokenProblem: outcome.problem }
      return await sendAccount(reply, visitor, content)
    },
  )

  pages.post('/account/tokens/:id/revoke', { schema: { hide: true, params } }, async (request, reply) => {
    const { user } = await requireVisitor(request, reply)
    const { id } = request.params
    const found = isUuid(id) && (await deleteToken(db, { kind: 'personal', userId: user.id }, id))
    principals.clear()
    if (!found) throw notFoundProblem('token')
    return reply.redirect('/account', 303)
  })

  pages.post('/account/sessions/:id/end', { schema: { hide: true, params } }, async (request, reply) => {
    const { user } = await requireVisitor(request, reply)
    const { id } = request.params
    const found = isUuid(id) && (await deleteSession(db, user.id, id))
    principals.clear()
    if (!found) throw notFoundProblem('session')
    return reply.redirect('/account', 303)
  })

  /** Whoever is signed in, once the request has counted against their session. */
  async function countedVisitor(request: FastifyRequest, reply: FastifyReply): Promise<SignedInUser | null> {
    const visitor = await findSignedInUser(deps, request)
    if (visitor !== null) await consumeRateLimit(deps.rateLimits.other, visitor.session.key, reply)
    return visitor
  }

  async function requireVisitor(request: FastifyRequest, reply: FastifyReply): Promise<SignedInUser> {
    const visitor = await countedVisitor(request, reply)
    if (visitor === null) throw unauthenticatedProblem('You are signed in no more. Sign in and try again.')
    return visitor
  }

  async function sendAccount(reply: FastifyReply, { user, session }: SignedInUser, content: AccountContent) {
    const [projects, sessions, tokens] = await Promise.all([
      selectUserProjects(db, user.id),
      selectSessions(db, user.id),
      selectTokens(db, { kind: 'personal', userId: user.id }),
    ])
    const body = accountBody({ user, projects, sessions, currentId: session.key, tokens }, content)
    const problem = content.passwordProblem ?? content.tokenProblem ?? null
    return sendPage(reply, { title: 'Your account', body, user, problem, isWide: true })
  }
}
