import { Name, NewPassword } from '@caseward/contract/schemas'
import type { FastifyReply } from 'fastify'
import { Type } from 'typebox'

import type { Deps } from '../../deps.ts'
import { acceptInvitation, requireValidLink } from './accept-invitation.ts'
import type { InvitationLink } from './invitation-links.queries.ts'
import { setSessionCookie, startSession } from '../auth/session/browser-session.ts'
import { findUserByEmail } from '../auth/users/users.queries.ts'
import { getClientKey } from '../../platform/http/client-address.ts'
import { consumeRateLimit } from '../../platform/http/rate-limit.ts'
import type { App } from '../../platform/http/app.ts'
import type { Problem } from '../../platform/http/problems.ts'
import {
  renderAlert,
  submitForm,
  renderField,
  renderNewPasswordField,
  getSubmittedValue,
} from '../../platform/pages/forms.ts'
import { type Html, html } from '../../platform/pages/html.ts'
import { sendPage } from '../../platform/pages/layout.ts'
import { type SignedInUser, findSignedInUser } from '../auth/session/signed-in-user.ts'

const params = Type.Object({ secret: Type.String() })
const body = Type.Object({ name: Name('Name'), password: NewPassword('Password') })

/** What each role means to somebody who has not seen the place yet. */
const roles = {
  admin: 'an admin: you run the project, and invite others',
  member: 'a member: you write test cases, run them and plan milestones',
  viewer: 'a viewer: you see test cases, runs and milestones',
} as const

/** `/join/:secret`, the link of an invitation's mail: for who has an account and for who makes one. */
export function joinPages(pages: App, deps: Deps): void {
  const { db, principalCache: principals, rateLimits } = deps

  pages.get('/join/:secret', { schema: { hide: true, params } }, async (request, reply) => {
    await consumeRateLimit(rateLimits['invitation-links'], getClientKey(request.ip), reply)
    const { secret } = request.params
    return await sendJoin(reply, secret, await requireValidLink(db, secret), await findSignedInUser(deps, request))
  })

  pages.post(
    '/join/:secret',
    { schema: { hide: true, params, body }, attachValidation: true },
    async (request, reply) => {
      const { secret } = request.params
      await consumeRateLimit(rateLimits['invitation-links'], getClientKey(request.ip), reply)
      const link = await requireValidLink(db, secret)
      const visitor = await findSignedInUser(deps, request)
      // Who is signed in sends no name and no password.
      if (visitor !== null) delete request.validationError
      const outcome = await submitForm(request, reply, () =>
        acceptInvitation(db, secret, visitor === null ? request.body : { userId: visitor.user.id }),
      )
      if ('problem' in outcome)
        return await sendJoin(reply, secret, link, visitor, getSubmittedValue(request, 'name'), outcome.problem)
      principals.clear()
      const { member } = outcome.value
      if (visitor === null) {
        const session = await db.transaction().execute((tx) => startSession(tx, deps.cookies, request, member.id))
        setSessionCookie(deps.cookies, reply, session)
      }
      return reply.redirect('/account', 303)
    },
  )

  async function sendJoin(
    reply: FastifyReply,
    secret: string,
    link: InvitationLink,
    visitor: SignedInUser | null,
    name = '',
    problem: Problem | null = null,
  ) {
    const hasAccount = visitor === null && (await findUserByEmail(db, link.email)) !== undefined
    const content = html`<p class="lead">
        <strong>${link.inviter_name}</strong> invites you as ${roles[link.role]}. The invitation is for
        <strong>${link.email}</strong>.
      </p>
      ${renderAlert(problem)}
      ${visitor !== null ? joinAs(visitor, link, secret) : hasAccount ? signInFirst(secret) : newAccount(name, problem)}`
    const title = `Join ${link.project_name}`
    return sendPage(reply, { title, body: content, user: visitor?.user ?? null, problem })
  }
}

function joinAs({ user }: SignedInUser, { email }: InvitationLink, secret: string): Html {
  if (user.email.toLowerCase() !== email.toLowerCase()) {
    return html`<p class="alert">You are signed in as ${user.email}, and the invitation is for ${email}.</p>
      <form method="post" action="/sign-out?next=${encodeURIComponent(`/join/${secret}`)}">
        <button>Sign out and continue</button>
      </form>`
  }
  return html`<form method="post"><button>Join as ${user.name}</button></form>`
}

const signInFirst = (secret: string): Html =>
  html`<p>You have an account here already.</p>
    <p><a class="button primary" href="/sign-in?next=${encodeURIComponent(`/join/${secret}`)}">Sign in to join</a></p>`

const newAccount = (name: string, problem: Problem | null): Html =>
  html`<form method="post">
    ${renderField({ name: 'name', label: 'Your name', type: 'text', autocomplete: 'name', value: name, autofocus: true }, problem)}
    ${renderNewPasswordField(problem)}
    <button>Create account and join</button>
  </form>`
