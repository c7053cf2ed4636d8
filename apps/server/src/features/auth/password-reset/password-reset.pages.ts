import { Email, NewPassword } from '@caseward/contract/schemas'
import type { FastifyReply } from 'fastify'
import { Type } from 'typebox'

import type { Deps } from '../../../deps.ts'
import { limitRequests } from '../../../access/limit-requests.ts'
import type { App } from '../../../platform/http/app.ts'
import type { Problem } from '../../../platform/http/problems.ts'
import {
  getSubmittedValue,
  renderAlert,
  renderCheckbox,
  renderField,
  renderNewPasswordField,
  submitForm,
} from '../../../platform/pages/forms.ts'
import { html } from '../../../platform/pages/html.ts'
import { sendPage } from '../../../platform/pages/layout.ts'
import { getSignInRedirect } from '../second-factors/second-factor-path.ts'
import { requirePasswordsAllowed } from '../session/require-passwords-allowed.ts'
import { completeReset, requireResetLink } from './complete-reset.ts'
import type { ResetLink } from './password-reset.queries.ts'
import { requestReset } from './request-reset.ts'

const params = Type.Object({ secret: Type.String() })
const requestBody = Type.Object({ email: Email('Email address') })
const newPasswordBody = Type.Object({
  password: NewPassword('New password'),
  revoke_tokens: Type.Optional(Type.Unsafe<'yes'>({ type: 'string', enum: ['yes'] })),
})

/** The page of the web app with what to check. */
const REVIEW_PATH = '/account/review'

/** The link on the error page of a reset link that is not valid. */
export const resetErrorLinks = { reset_link_ended: { href: '/reset', label: 'Request a new link' } }

/** `/reset`, to request a link, and `/reset/:secret`, the link in the email. */
export function resetPages(pages: App, deps: Deps): void {
  const { db } = deps

  pages.get('/reset', { schema: { hide: true } }, (_request, reply) => {
    requirePasswordsAllowed(deps)
    return sendRequestForm(reply, '', null)
  })

  pages.post(
    '/reset',
    { schema: { hide: true, body: requestBody }, attachValidation: true },
    async (request, reply) => {
      requirePasswordsAllowed(deps)
      const outcome = await submitForm(request, reply, async () => {
        const { email } = request.body
        await limitRequests(deps, 'password-resets', request, reply)
        await requestReset(deps, request, reply, email)
        return email
      })
      return 'value' in outcome
        ? sendRequestSent(reply, outcome.value)
        : sendRequestForm(reply, getSubmittedValue(request, 'email'), outcome.problem)
    },
  )

  pages.get('/reset/:secret', { schema: { hide: true, params } }, async (request, reply) => {
    await limitRequests(deps, 'password-resets', request, reply)
    requirePasswordsAllowed(deps)
    return sendNewPasswordForm(reply, await requireResetLink(db, request.params.secret), null)
  })

  pages.post(
    '/reset/:secret',
    { schema: { hide: true, params, body: newPasswordBody }, attachValidation: true },
    async (request, reply) => {
      const { secret } = request.params
      await limitRequests(deps, 'password-resets', request, reply)
      requirePasswordsAllowed(deps)
      const link = await requireResetLink(db, secret)
      const outcome = await submitForm(request, reply, () => {
        const { password, revoke_tokens: revokeTokens } = request.body
        return completeReset(deps, request, reply, { secret, password, revokeTokens: revokeTokens === 'yes' })
      })
      if ('problem' in outcome) {
        const revokesTokens = (request.body as Record<string, unknown> | undefined)?.['revoke_tokens'] === 'yes'
        return sendNewPasswordForm(reply, link, outcome.problem, revokesTokens)
      }
      const { isComplete, user } = outcome.value
      const next = user.review_since === null ? '/' : REVIEW_PATH
      return reply.redirect(getSignInRedirect(isComplete, next), 303)
    },
  )
}

function sendRequestForm(reply: FastifyReply, email: string, problem: Problem | null) {
  const body = html`<p class="lead">We will email you a link to choose a new password.</p>
    ${renderAlert(problem)}
    <form method="post">
      ${renderField({ name: 'email', label: 'Email address', type: 'email', autocomplete: 'email', value: email, maxLength: 320, autofocus: true }, problem)}
      <button>Send link</button>
    </form>
    <p class="aside"><a href="/sign-in">Back to sign-in</a></p>`
  return sendPage(reply, { title: 'Reset your password', body, user: null, problem })
}

function sendRequestSent(reply: FastifyReply, email: string) {
  const body = html`<p role="status">
      If <strong>${email}</strong> has an account, we sent an email with a link. The link expires in one hour.
    </p>
    <p class="hint">
      No email after a few minutes? Check your spam folder, or contact the administrator of this server.
    </p>
    <p class="aside"><a href="/sign-in">Back to sign-in</a></p>`
  return sendPage(reply, { title: 'Check your email', body, user: null })
}

function sendNewPasswordForm(reply: FastifyReply, link: ResetLink, problem: Problem | null, revokesTokens = false) {
  const { email, email_confirmed_at: confirmedAt } = link
  const revokeTokens = {
    name: 'revoke_tokens',
    label: 'Someone else may have used my account',
    hint: 'This also revokes your personal tokens and pending invitations, so that programs with these tokens stop working. Then we show you what else to check.',
    isChecked: revokesTokens,
  }
  const body = html`<p class="lead">For ${email}. Setting a new password signs you out everywhere else.</p>
    ${
      confirmedAt !== null
        ? null
        : html`<p class="hint">
            It also revokes all personal tokens and pending invitations, and removes all second factors, because this
            email address was not confirmed before.
          </p>`
    }
    ${renderAlert(problem)}
    <form method="post">
      <input type="email" name="username" value="${email}" autocomplete="username" readonly hidden />
      ${renderNewPasswordField(problem, 'New password')} ${renderCheckbox(revokeTokens)}
      <button>Set new password</button>
    </form>`
  return sendPage(reply, { title: 'Choose a new password', body, user: null, problem })
}
