import { Email, Name, NewPassword } from '@caseward/contract/schemas'
import type { FastifyReply } from 'fastify'
import { Type } from 'typebox'

import type { Deps } from '../../../deps.ts'
import { limitRequests } from '../../../access/limit-requests.ts'
import type { App } from '../../../platform/http/app.ts'
import type { Problem } from '../../../platform/http/problems.ts'
import {
  getSubmittedValue,
  renderAlert,
  renderField,
  renderNewPasswordField,
  submitForm,
} from '../../../platform/pages/forms.ts'
import { html } from '../../../platform/pages/html.ts'
import { sendPage } from '../../../platform/pages/layout.ts'
import { arePasswordsAllowed } from '../session/require-passwords-allowed.ts'
import { completeSetup, requireSetupLink } from './complete-setup.ts'

const params = Type.Object({ secret: Type.String() })
const body = Type.Object({
  name: Name('Name'),
  email: Email('Email address'),
  password: Type.Optional(NewPassword('Password')),
})

/** The links on the error pages of setup. There is none for a link that is not valid while there are no users. */
export const setupErrorLinks = { setup_done: { href: '/sign-in', label: 'Sign in' }, setup_link_ended: null }

/** `/setup/:secret`, the link that the server prints at its start as long as there are no users. */
export function setupPages(pages: App, deps: Deps): void {
  pages.get('/setup/:secret', { schema: { hide: true, params } }, async (request, reply) => {
    await limitRequests(deps, 'sign-in', request, reply)
    await requireSetupLink(deps.db, request.params.secret)
    return sendForm(reply, deps, { name: '', email: '' }, null)
  })

  pages.post(
    '/setup/:secret',
    { schema: { hide: true, params, body }, attachValidation: true },
    async (request, reply) => {
      const outcome = await submitForm(request, reply, async () => {
        await limitRequests(deps, 'sign-in', request, reply)
        return await completeSetup(deps, request, reply, { ...request.body, ...request.params })
      })
      if ('problem' in outcome) {
        if (outcome.problem.statusCode === 410) throw outcome.problem
        const values = { name: getSubmittedValue(request, 'name'), email: getSubmittedValue(request, 'email') }
        return sendForm(reply, deps, values, outcome.problem)
      }
      return reply.redirect('/', 303)
    },
  )
}

function sendForm(reply: FastifyReply, deps: Deps, values: { name: string; email: string }, problem: Problem | null) {
  const { singleSignOn } = deps
  const form = html`<p class="lead">
      Create the first account on this server. You can invite others to your projects later.
    </p>
    ${
      arePasswordsAllowed(deps)
        ? null
        : html`<p class="hint">
            There are no passwords on this server. From the next time, sign in with
            ${singleSignOn?.name ?? 'single sign-on'}; use the email address that you have there.
          </p>`
    }
    ${renderAlert(problem)}
    <form method="post">
      ${renderField({ name: 'name', label: 'Your name', type: 'text', autocomplete: 'name', value: values.name, autofocus: true }, problem)}
      ${renderField({ name: 'email', label: 'Email address', type: 'email', autocomplete: 'email', value: values.email, maxLength: 320 }, problem)}
      ${arePasswordsAllowed(deps) ? renderNewPasswordField(problem) : null}
      <button>Create account</button>
    </form>`
  return sendPage(reply, { title: 'Set up Caseward', body: form, user: null, problem })
}
