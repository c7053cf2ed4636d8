import type { FastifyReply } from 'fastify'
import { Type } from 'typebox'

import type { Deps } from '../../../deps.ts'
import type { App } from '../../../platform/http/app.ts'
import type { Problem } from '../../../platform/http/problems.ts'
import { limitRequests } from '../../../access/limit-requests.ts'
import { renderAlert, submitForm } from '../../../platform/pages/forms.ts'
import { html } from '../../../platform/pages/html.ts'
import { sendPage } from '../../../platform/pages/layout.ts'
import { confirmEmailChange, requireEmailChange } from './change-email.ts'

const params = Type.Object({ secret: Type.String() })

/** The link on the error page of a link that is not valid. */
export const emailChangeErrorLinks = { email_change_ended: { href: '/account', label: 'Open your account' } }

/** `/confirm-email/:secret`, the link in the email to a new address. Opening it changes nothing: mail programs open links. */
export function confirmEmailPages(pages: App, deps: Deps): void {
  const { db } = deps

  pages.get('/confirm-email/:secret', { schema: { hide: true, params } }, async (request, reply) => {
    await limitRequests(deps, 'password-resets', request, reply)
    const { email } = await requireEmailChange(db, request.params.secret)
    return sendConfirmForm(reply, email, null)
  })

  pages.post('/confirm-email/:secret', { schema: { hide: true, params } }, async (request, reply) => {
    const { secret } = request.params
    await limitRequests(deps, 'password-resets', request, reply)
    const { email } = await requireEmailChange(db, secret)
    const outcome = await submitForm(request, reply, () => confirmEmailChange(db, request, secret))
    return 'value' in outcome ? sendChanged(reply, outcome.value) : sendConfirmForm(reply, email, outcome.problem)
  })
}

function sendConfirmForm(reply: FastifyReply, email: string, problem: Problem | null) {
  const body = html`<p class="lead">
      <strong>${email}</strong> becomes the email address of your account. You sign in with it, and emails go there.
    </p>
    ${renderAlert(problem)}
    <form method="post"><button>Confirm this address</button></form>
    <p class="aside">You did not ask for this? Close this page, and nothing changes.</p>`
  return sendPage(reply, { title: 'Confirm your new email address', body, user: null, problem })
}

function sendChanged(reply: FastifyReply, email: string) {
  const body = html`<p role="status">The email address of your account is <strong>${email}</strong> now.</p>
    <p class="aside"><a href="/">Open Caseward</a></p>`
  return sendPage(reply, { title: 'Email address changed', body, user: null })
}
