import type { FastifyReply, FastifyRequest } from 'fastify'
import { Type } from 'typebox'

import type { Deps } from '../../../deps.ts'
import type { App } from '../../../platform/http/app.ts'
import { getClientKey } from '../../../platform/http/client-address.ts'
import type { Problem } from '../../../platform/http/problems.ts'
import { consumeRateLimit } from '../../../platform/http/rate-limit.ts'
import { renderAlert, renderField, submitForm } from '../../../platform/pages/forms.ts'
import { html } from '../../../platform/pages/html.ts'
import { sendPage } from '../../../platform/pages/layout.ts'
import { arePasswordsAllowed } from '../session/require-passwords-allowed.ts'
import { findLinkProof, removeNewFactor, requireFactorLink } from './remove-new-factor.ts'
import type { LinkedFactor } from './second-factor-links.queries.ts'

const params = Type.Object({ secret: Type.String() })
const body = Type.Object({ password: Type.Optional(Type.String({ format: 'text', maxLength: 1024 })) })

/** The link on the error page of a link that is not valid. */
export const removeFactorErrorLinks = { factor_link_ended: { href: '/sign-in', label: 'Go to sign-in' } }

/**
 * `/remove-factor/:secret`, the link in the email about a new second factor, for a user who did not add it. Opening it changes
 * nothing: mail programs open links.
 */
export function removeFactorPages(pages: App, deps: Deps): void {
  const { db, rateLimits } = deps

  pages.get('/remove-factor/:secret', { schema: { hide: true, params } }, async (request, reply) => {
    await consumeRateLimit(rateLimits['password-resets'], getClientKey(request.ip), reply)
    return await sendForm(request, reply, await requireFactorLink(db, request.params.secret), null)
  })

  pages.post(
    '/remove-factor/:secret',
    { schema: { hide: true, params, body }, attachValidation: true },
    async (request, reply) => {
      const { secret } = request.params
      await consumeRateLimit(rateLimits['password-resets'], getClientKey(request.ip), reply)
      const factor = await requireFactorLink(db, secret)
      const outcome = await submitForm(request, reply, () =>
        removeNewFactor(deps, request, reply, { secret, password: request.body.password }),
      )
      if ('value' in outcome) return sendRemoved(reply, outcome.value)
      if (outcome.problem.statusCode === 410) throw outcome.problem
      return await sendForm(request, reply, factor, outcome.problem)
    },
  )

  async function sendForm(
    request: FastifyRequest,
    reply: FastifyReply,
    { name, kind, email, user_id: userId, isRemovable }: LinkedFactor,
    problem: Problem | null,
  ) {
    const proof = await findLinkProof(deps, request, userId)
    const content = html`<p class="lead">
        The ${kind === 'totp' ? 'authenticator app' : 'passkey'} <strong>${name}</strong> was added to the account of
        <strong>${email}</strong> within the last day. If you did not add it, remove it here. You are signed out
        everywhere, and your recovery codes end.
      </p>
      ${renderAlert(problem)}
      ${
        isRemovable
          ? renderForm(email, proof, problem)
          : html`<p>${NOT_REMOVABLE}</p>
              <p class="aside"><a href="/sign-in">Go to sign-in</a></p>`
      }
      <p class="aside">You added it yourself? Close this page, and nothing changes.</p>`
    return sendPage(reply, { title: 'Remove a second factor', body: content, user: null, problem })
  }

  function renderForm(email: string, proof: 'sign-in' | 'password' | null, problem: Problem | null) {
    if (proof === null) {
      return html`<p>
        Your account has no password. <a href="/sign-in">Sign in</a> in this browser until you are asked for a second
        factor, then open the link in the email again.
      </p>`
    }
    return html`<form method="post">
        ${
          proof === 'sign-in'
            ? null
            : html`<input type="email" name="username" value="${email}" autocomplete="username" readonly hidden />
                ${renderField({ name: 'password', label: 'Password', type: 'password', autocomplete: 'current-password', maxLength: 1024, autofocus: true }, problem)}`
        }
        <button>Remove and sign out everywhere</button>
      </form>
      ${
        proof === 'password'
          ? html`<p class="aside"><a href="/reset">Forgot your password, or someone changed it?</a></p>`
          : null
      }`
  }

  function sendRemoved(reply: FastifyReply, { name }: LinkedFactor) {
    const content = html`<p role="status">
        <strong>${name}</strong> is removed. All sessions and recovery codes have ended.
      </p>
      <p>
        Whoever added it knew how to sign in as you.
        ${
          arePasswordsAllowed(deps)
            ? html`<a href="/reset">Set a new password</a> now, and say there that someone else may have used your
                account.`
            : 'Change your password at your sign-in provider now.'
        }
        Tell an administrator of this server.
      </p>
      <p class="aside"><a href="/sign-in">Go to sign-in</a></p>`
    return sendPage(reply, { title: 'Second factor removed', body: content, user: null })
  }
}

const NOT_REMOVABLE =
  'It is the only second factor of an account that had another one before, so this email is not enough. Ask an administrator of this server to remove it.'
