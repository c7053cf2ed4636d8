import { Email, Name, NewPassword } from '@caseward/contract/schemas'
import type { FastifyReply } from 'fastify'
import { Type } from 'typebox'

import type { Deps } from '../../../deps.ts'
import { requireSetupLink, completeSetup } from './setup-link.ts'
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
const body = Type.Object({ name: Name('Name'), email: Email('E-mail'), password: NewPassword('Password') })

/** `/setup/:secret`, the link that the server prints at its first start. */
export function setupPages(pages: App, deps: Deps): void {
  pages.get('/setup/:secret', { schema: { hide: true, params } }, async (request, reply) => {
    await consumeRateLimit(deps.rateLimits['sign-in'], getClientKey(request.ip), reply)
    await requireSetupLink(deps.db, request.params.secret)
    return sendForm(reply, { name: '', email: '' }, null)
  })

  pages.post(
    '/setup/:secret',
    { schema: { hide: true, params, body }, attachValidation: true },
    async (request, reply) => {
      const outcome = await submitForm(request, reply, async () => {
        await consumeRateLimit(deps.rateLimits['sign-in'], getClientKey(request.ip), reply)
        return await completeSetup(deps, request, reply, { ...request.body, ...request.params })
      })
      if ('problem' in outcome) {
        if (outcome.problem.statusCode === 410) throw outcome.problem
        const values = { name: getSubmittedValue(request, 'name'), email: getSubmittedValue(request, 'email') }
        return sendForm(reply, values, outcome.problem)
      }
      return reply.redirect('/account', 303)
    },
  )
}

function sendForm(reply: FastifyReply, values: { name: string; email: string }, problem: Problem | null) {
  const form = html`<p class="lead">
      Nobody has an account here yet. Yours will be the first; you can invite others to your projects.
    </p>
    ${renderAlert(problem)}
    <form method="post">
      ${renderField({ name: 'name', label: 'Your name', type: 'text', autocomplete: 'name', value: values.name, autofocus: true }, problem)}
      ${renderField({ name: 'email', label: 'E-mail address', type: 'email', autocomplete: 'email', value: values.email, maxLength: 320 }, problem)}
      ${renderNewPasswordField(problem)}
      <button>Create your account</button>
    </form>`
  return sendPage(reply, { title: 'Set up Caseward', body: form, user: null, problem })
}

/** The links on the error pages of setup: an invalid setup link leads nowhere. */
export const setupErrorLinks = { set_up_done: { href: '/sign-in', label: 'Sign in' }, set_up_link_ended: null }
