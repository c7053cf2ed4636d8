import type { FastifyReply } from 'fastify'
import { Type } from 'typebox'

import type { Deps } from '../../../deps.ts'
import type { App } from '../../../platform/http/app.ts'
import type { Problem } from '../../../platform/http/problems.ts'
import { limitRequests } from '../../../access/limit-requests.ts'
import { renderAlert, renderField, submitForm } from '../../../platform/pages/forms.ts'
import { html } from '../../../platform/pages/html.ts'
import { sendPage } from '../../../platform/pages/layout.ts'
import { getSignInRedirect } from '../second-factors/second-factor-path.ts'
import { getSafeRedirectPath } from '../session/safe-redirect-path.ts'
import { completeSignOn, requirePendingSignOn } from './complete-sign-on.ts'

export const LINK_PATH = '/sign-in/oidc/link'

const querystring = Type.Object({ next: Type.Optional(Type.String()) })
const passwordBody = Type.Object({ password: Type.String({ format: 'text', minLength: 1, maxLength: 1024 }) })

/**
 * `/sign-in/oidc/link`, where a user gives the password of the account once, to link it.
 * @param providerName the name of the provider for users
 */
export function linkAccountPages(pages: App, deps: Deps, providerName: string): void {
  const { db, cookies } = deps

  pages.get(LINK_PATH, { schema: { hide: true, querystring } }, async (request, reply) => {
    await limitRequests(deps, 'sign-in', request, reply)
    const { user } = await requirePendingSignOn(db, cookies.read(request, 'identity'))
    return sendLinkForm(reply, { email: user.email, providerName }, null)
  })

  pages.post(
    LINK_PATH,
    { schema: { hide: true, querystring, body: passwordBody }, attachValidation: true },
    async (request, reply) => {
      await limitRequests(deps, 'sign-in', request, reply)
      const pending = await requirePendingSignOn(db, cookies.read(request, 'identity'))
      const outcome = await submitForm(request, reply, () =>
        completeSignOn(deps, request, reply, { ...pending, password: request.body.password }),
      )
      if ('value' in outcome) {
        return reply.redirect(getSignInRedirect(outcome.value, getSafeRedirectPath(request.query.next)), 303)
      }
      return sendLinkForm(reply, { email: pending.user.email, providerName }, outcome.problem)
    },
  )
}

interface LinkForm {
  email: string
  providerName: string
}

function sendLinkForm(reply: FastifyReply, { email, providerName }: LinkForm, problem: Problem | null) {
  const body = html`<p class="lead">
      <strong>${email}</strong> already has an account with a password. Enter the password once to link the account with
      ${providerName}. After that, you can sign in either way.
    </p>
    ${renderAlert(problem)}
    <form method="post">
      <input type="email" name="username" value="${email}" autocomplete="username" readonly hidden />
      ${renderField({ name: 'password', label: 'Password', type: 'password', autocomplete: 'current-password', maxLength: 1024, autofocus: true }, problem)}
      <button>Link account and sign in</button>
    </form>
    <p class="aside"><a href="/reset">Forgot your password?</a></p>
    <p class="aside"><a href="/sign-in">Back to sign-in</a></p>`
  return sendPage(reply, { title: 'Link your account', body, user: null, problem })
}
