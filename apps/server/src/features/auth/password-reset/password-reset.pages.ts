import { Email, NewPassword } from '@caseward/contract/schemas'
import type { FastifyReply } from 'fastify'
import { Type } from 'typebox'

import type { Deps } from '../../../deps.ts'
import { findReset, requestReset, resetPassword } from './reset-password.ts'
import { getClientKey } from '../../../platform/http/client-address.ts'
import { consumeRateLimit } from '../../../platform/http/rate-limit.ts'
import type { App } from '../../../platform/http/app.ts'
import type { Problem } from '../../../platform/http/problems.ts'
import {
  renderAlert,
  submitForm,
  renderField,
  renderNewPasswordField,
  getSubmittedValue,
} from '../../../platform/pages/forms.ts'
import { html } from '../../../platform/pages/html.ts'
import { sendPage } from '../../../platform/pages/layout.ts'

const params = Type.Object({ secret: Type.String() })
const asked = Type.Object({ email: Email('E-mail') })
const chosen = Type.Object({ password: NewPassword('Password') })

/** `/reset`, where one asks for a link, and `/reset/:secret`, where it leads. */
export function resetPages(pages: App, deps: Deps): void {
  const { db, rateLimits } = deps

  pages.get('/reset', { schema: { hide: true } }, (_request, reply) => sendRequestForm(reply, '', null))

  pages.post('/reset', { schema: { hide: true, body: asked }, attachValidation: true }, async (request, reply) => {
    const outcome = await submitForm(request, reply, async () => {
      const { email } = request.body
      await consumeRateLimit(rateLimits['sign-in'], getClientKey(request.ip), reply)
      await requestReset(deps, email, reply)
      return email
    })
    return 'value' in outcome
      ? sendRequestSent(reply, outcome.value)
      : sendRequestForm(reply, getSubmittedValue(request, 'email'), outcome.problem)
  })

  pages.get('/reset/:secret', { schema: { hide: true, params } }, async (request, reply) => {
    await consumeRateLimit(rateLimits['sign-in'], getClientKey(request.ip), reply)
    const { email } = await findReset(db, request.params.secret)
    return sendNewPasswordForm(reply, email, null)
  })

  pages.post(
    '/reset/:secret',
    { schema: { hide: true, params, body: chosen }, attachValidation: true },
    async (request, reply) => {
      const { secret } = request.params
      await consumeRateLimit(rateLimits['sign-in'], getClientKey(request.ip), reply)
      const { email } = await findReset(db, secret)
      const outcome = await submitForm(request, reply, () =>
        resetPassword(deps, request, reply, { secret, password: request.body.password }),
      )
      if ('problem' in outcome) return sendNewPasswordForm(reply, email, outcome.problem)
      return reply.redirect('/account', 303)
    },
  )
}

function sendRequestForm(reply: FastifyReply, email: string, problem: Problem | null) {
  const body = html`<p class="lead">We send you a link by which you choose a new one.</p>
    ${renderAlert(problem)}
    <form method="post">
      ${renderField({ name: 'email', label: 'E-mail address', type: 'email', autocomplete: 'email', value: email, maxLength: 320, autofocus: true }, problem)}
      <button>Send the link</button>
    </form>
    <p class="aside"><a href="/sign-in">Back to sign-in</a></p>`
  return sendPage(reply, { title: 'Reset your password', body, user: null, problem })
}

function sendRequestSent(reply: FastifyReply, email: string) {
  const body = html`<p role="status">
      If <strong>${email}</strong> has an account, a mail with a link is on its way. The link works for one hour.
    </p>
    <p class="hint">Nothing there after some minutes? Look among unwanted mail, or ask whoever runs this server.</p>
    <p class="aside"><a href="/sign-in">Back to sign-in</a></p>`
  return sendPage(reply, { title: 'Look at your mail', body, user: null })
}

function sendNewPasswordForm(reply: FastifyReply, email: string, problem: Problem | null) {
  const body = html`<p class="lead">For ${email}. You are signed out everywhere else.</p>
    ${renderAlert(problem)}
    <form method="post">
      <input type="email" name="username" value="${email}" autocomplete="username" readonly hidden />
      ${renderNewPasswordField(problem, 'password', 'New password')}
      <button>Set the new password</button>
    </form>`
  return sendPage(reply, { title: 'Choose a new password', body, user: null, problem })
}

/** The link on the error page of an invalid reset link. */
export const resetErrorLinks = { reset_link_ended: { href: '/reset', label: 'Request a new link' } }
