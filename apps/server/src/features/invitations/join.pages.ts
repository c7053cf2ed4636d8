import { Name, NewPassword } from '@caseward/contract/schemas'
import type { FastifyReply } from 'fastify'
import { Type } from 'typebox'

import type { Deps } from '../../deps.ts'
import { acceptInvitation, requireValidLink } from './accept-invitation.ts'
import type { InvitationLink } from './invitation-links.queries.ts'
import { roleDescriptions } from './role-descriptions.ts'
import { setSignInCookies, startSession } from '../auth/session/browser-session.ts'
import { requirePasswordsAllowed } from '../auth/session/require-passwords-allowed.ts'
import { toEmailKey } from '../auth/users/email-key.ts'
import { findUserByEmail, type UserRow } from '../auth/users/users.queries.ts'
import { limitRequests } from '../../access/limit-requests.ts'
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
import { findSignedInUser } from '../auth/session/signed-in-user.ts'

const params = Type.Object({ secret: Type.String() })
const body = Type.Object({ name: Name('Name'), password: NewPassword('Password') })

/** The page of an invitation link, `/join/:secret`: for users with an account, and to create one. */
export function joinPages(pages: App, deps: Deps): void {
  const { db, principalCache } = deps

  pages.get('/join/:secret', { schema: { hide: true, params } }, async (request, reply) => {
    await limitRequests(deps, 'invitation-links', request, reply)
    const { secret } = request.params
    return await sendJoinPage(
      reply,
      secret,
      await requireValidLink(db, secret),
      await findSignedInUser(deps, request, reply),
    )
  })

  pages.post(
    '/join/:secret',
    { schema: { hide: true, params, body }, attachValidation: true },
    async (request, reply) => {
      const { secret } = request.params
      await limitRequests(deps, 'invitation-links', request, reply)
      const link = await requireValidLink(db, secret)
      const signedInUser = await findSignedInUser(deps, request, reply)
      if (signedInUser === null) requirePasswordsAllowed(deps)
      // A user who is signed in sends no name and no password.
      if (signedInUser !== null) delete request.validationError
      const result = await submitForm(request, reply, () =>
        acceptInvitation(db, request, secret, signedInUser === null ? request.body : { userId: signedInUser.id }),
      )
      if ('problem' in result)
        return await sendJoinPage(reply, secret, link, signedInUser, getSubmittedValue(request, 'name'), result.problem)
      principalCache.clear()
      const { member } = result.value
      if (signedInUser === null) {
        const secrets = await db.transaction().execute((tx) => startSession(tx, deps.cookies, request, member.id))
        setSignInCookies(deps, reply, secrets)
      }
      return reply.redirect('/', 303)
    },
  )

  async function sendJoinPage(
    reply: FastifyReply,
    secret: string,
    link: InvitationLink,
    signedInUser: UserRow | null,
    name = '',
    problem: Problem | null = null,
  ) {
    const hasAccount = signedInUser === null && (await findUserByEmail(db, link.email)) !== undefined
    const renderSignedOut = () => {
      if (deps.singleSignOn?.isRequired === true) return renderProviderLink(deps.singleSignOn.name, secret)
      return hasAccount ? renderSignInLink(secret) : renderNewAccountForm(name, problem)
    }
    const content = html`<p class="lead">
        <strong>${link.inviter_name}</strong> invited you as ${roleDescriptions[link.role]}. The invitation is for
        <strong>${link.email}</strong>.
      </p>
      ${renderAlert(problem)} ${signedInUser !== null ? renderJoinForm(signedInUser, link, secret) : renderSignedOut()}`
    const title = `Join ${link.project_name}`
    return sendPage(reply, { title, body: content, user: signedInUser, problem })
  }
}

function renderJoinForm(user: UserRow, { email }: InvitationLink, secret: string): Html {
  if (toEmailKey(user.email) !== toEmailKey(email)) {
    return html`<p class="alert">You are signed in as ${user.email}, and the invitation is for ${email}.</p>
      <form action="/sign-out">
        <input type="hidden" name="next" value="/join/${secret}" />
        <button>Sign out and continue</button>
      </form>`
  }
  return html`<form method="post"><button>Join as ${user.name}</button></form>`
}

const renderSignInLink = (secret: string): Html =>
  html`<p>You already have an account on this server.</p>
    <p><a class="button primary" href="/sign-in?next=${encodeURIComponent(`/join/${secret}`)}">Sign in to join</a></p>`

const renderProviderLink = (name: string, secret: string): Html =>
  html`<p>
    <a class="button primary" href="/sign-in/oidc?next=${encodeURIComponent(`/join/${secret}`)}">
      Sign in with ${name} to join
    </a>
  </p>`

const renderNewAccountForm = (name: string, problem: Problem | null): Html =>
  html`<form method="post">
    ${renderField({ name: 'name', label: 'Your name', type: 'text', autocomplete: 'name', value: name, autofocus: true }, problem)}
    ${renderNewPasswordField(problem)}
    <button>Create account and join</button>
  </form>`
