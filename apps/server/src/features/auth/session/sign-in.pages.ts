import type { FastifyReply } from 'fastify'
import { Type } from 'typebox'

import type { Deps, SingleSignOn } from '../../../deps.ts'
import { limitRequests } from '../../../access/limit-requests.ts'
import type { App } from '../../../platform/http/app.ts'
import type { Problem } from '../../../platform/http/problems.ts'
import { getSubmittedValue, orSeparator, renderAlert, renderField, submitForm } from '../../../platform/pages/forms.ts'
import { type Html, html } from '../../../platform/pages/html.ts'
import { sendPage } from '../../../platform/pages/layout.ts'
import { hasUsers } from '../setup/setup.queries.ts'
import { arePasskeysPossible, passkeyScript, renderPasskeySection } from '../second-factors/passkey-script.ts'
import { getSignInRedirect } from '../second-factors/second-factor-path.ts'
import { arePasswordsAllowed } from './require-passwords-allowed.ts'
import { getSafeRedirectPath } from './safe-redirect-path.ts'
import { signIn } from './sign-in.ts'
import { signOutScript } from './sign-out.pages.ts'
import { findSignedInUser } from './signed-in-user.ts'

const querystring = Type.Object({ next: Type.Optional(Type.String()) })
const body = Type.Object({
  email: Type.String({ format: 'text', 'x-trim': true, minLength: 1, maxLength: 320 }),
  password: Type.String({ format: 'text', minLength: 1, maxLength: 1024 }),
})

/** The link on the error page of a sign-in that found no place in the queue. */
export const signInErrorLinks = { sign_in_busy: { href: '/sign-in', label: 'Back to sign-in' } }

/** `/sign-in`. */
export function signInPages(pages: App, deps: Deps): void {
  pages.get('/sign-in', { schema: { hide: true, querystring } }, async (request, reply) => {
    const next = getSafeRedirectPath(request.query.next)
    if ((await findSignedInUser(deps, request, reply)) !== null) return reply.redirect(next, 303)
    return sendForm(deps, reply, { email: '', next }, null)
  })

  pages.post(
    '/sign-in',
    { schema: { hide: true, querystring, body }, attachValidation: true },
    async (request, reply) => {
      const next = getSafeRedirectPath(request.query.next)
      const outcome = await submitForm(request, reply, async () => {
        await limitRequests(deps, 'sign-in', request, reply)
        return await signIn(deps, request, reply, request.body)
      })
      if ('value' in outcome) return reply.redirect(getSignInRedirect(outcome.value.isComplete, next), 303)
      return sendForm(deps, reply, { email: getSubmittedValue(request, 'email'), next }, outcome.problem)
    },
  )
}

interface SignInForm {
  email: string
  next: string
}

async function sendForm(deps: Deps, reply: FastifyReply, form: SignInForm, problem: Problem | null) {
  const { singleSignOn } = deps
  const { next } = form
  const query = next === '/' ? '' : `?next=${encodeURIComponent(next)}`
  const hasPassword = arePasswordsAllowed(deps)
  const hasPasskey = hasPassword && arePasskeysPossible(deps)
  const mustSetUp = hasPassword && !(await hasUsers(deps.db))
  const content = html`${renderAlert(problem)} ${mustSetUp ? setupHint : null}
  ${hasPassword ? renderPasswordForm(form, query, problem) : null}
  ${hasPassword && singleSignOn !== null ? orSeparator : null} ${hasPasskey ? renderPasskeyButton(deps, next) : null}
  ${singleSignOn === null ? null : renderProvider(singleSignOn, query)}`
  const scriptPaths = [signOutScript.path, ...(hasPasskey ? [passkeyScript.path] : [])]
  return sendPage(reply, { title: 'Sign in', body: content, user: null, problem, scriptPaths })
}

/** Without an account, no user can sign in: says where the administrator of the server finds the setup link. */
const setupHint: Html = html`<p class="note" role="status">
  <strong>There is no account yet.</strong> The server wrote a link for creating the first one into its log when it
  started: look for “Create the first account”. A restart writes a new link.
</p>`

const renderPasswordForm = ({ email }: SignInForm, query: string, problem: Problem | null): Html =>
  html`<form method="post" action="/sign-in${query}">
      ${renderField({ name: 'email', label: 'Email address', type: 'email', autocomplete: 'username', value: email, maxLength: 320, autofocus: email === '' }, problem)}
      ${renderField({ name: 'password', label: 'Password', type: 'password', autocomplete: 'current-password', maxLength: 1024, autofocus: email !== '' }, problem)}
      <button>Sign in</button>
    </form>
    <p class="aside"><a href="/reset">Forgot your password?</a></p>`

/** The separator stands above the first of the other ways to sign in; without a provider, it is hidden with the button. */
const renderPasskeyButton = (deps: Deps, next: string): Html =>
  renderPasskeySection(deps, {
    task: 'sign-in',
    label: 'Sign in with a passkey',
    refusal: 'The passkey was not used. Try again, or sign in with your password.',
    next,
    ...(deps.singleSignOn === null ? { above: orSeparator } : {}),
  })

const renderProvider = ({ name, isRequired }: SingleSignOn, query: string): Html =>
  html`<p><a class="button${isRequired ? ' primary' : ''}" href="/sign-in/oidc${query}">Sign in with ${name}</a></p>`
