import type { FastifyReply } from 'fastify'
import { Type } from 'typebox'

import type { SecondFactorMethod } from '@caseward/contract/second-factor-proofs'

import type { Deps } from '../../../deps.ts'
import type { App } from '../../../platform/http/app.ts'
import { Problem } from '../../../platform/http/problems.ts'
import { limitRequests } from '../../../access/limit-requests.ts'
import { renderAlert, renderField, submitForm } from '../../../platform/pages/forms.ts'
import { html } from '../../../platform/pages/html.ts'
import { sendPage } from '../../../platform/pages/layout.ts'
import { getSafeRedirectPath } from '../session/safe-redirect-path.ts'
import { completeSignIn, findBrowserSignIn } from './complete-sign-in.ts'
import { arePasskeysPossible, passkeyScript, renderPasskeySection } from './passkey-script.ts'
import { listSecondFactorMethods, type SecondFactorProof } from './use-second-factor.ts'

const querystring = Type.Object({ next: Type.Optional(Type.String()) })
const body = Type.Object({ code: Type.String({ format: 'text', 'x-trim': true, minLength: 1, maxLength: 64 }) })

/** The link on the error page of a sign-in that has expired. */
export const secondFactorErrorLinks = { sign_in_expired: { href: '/sign-in', label: 'Sign in again' } }

/** `/sign-in/second-factor`, where a user completes a sign-in. */
export function secondFactorPages(pages: App, deps: Deps): void {
  const readMethods = (userId: string) => listSecondFactorMethods(deps.db, userId)

  pages.get('/sign-in/second-factor', { schema: { hide: true, querystring } }, async (request, reply) => {
    const pending = await findBrowserSignIn(deps, request)
    if (pending === null) return reply.redirect(`/sign-in${formatQuery(request.query.next)}`, 303)
    const methods = await readMethods(pending.userId)
    return sendForm(deps, reply, { email: pending.email, next: request.query.next, methods }, null)
  })

  pages.post(
    '/sign-in/second-factor',
    { schema: { hide: true, querystring, body }, attachValidation: true },
    async (request, reply) => {
      await limitRequests(deps, 'sign-in', request, reply)
      const pending = await findBrowserSignIn(deps, request)
      const outcome = await submitForm(request, reply, async () => {
        const proof = toProof(request.body.code)
        await completeSignIn(deps, request, reply, proof).catch((error: unknown) => {
          throw toFormProblem(error)
        })
      })
      const { next } = request.query
      if ('value' in outcome) return reply.redirect(getSafeRedirectPath(next), 303)
      if (pending === null || outcome.problem.code === 'sign_in_expired') throw outcome.problem
      const methods = await readMethods(pending.userId)
      return sendForm(deps, reply, { email: pending.email, next, methods }, outcome.problem)
    },
  )
}

/** One field is for both: codes of apps have only digits, and six of them. */
const toProof = (code: string): SecondFactorProof =>
  /^\d{3}\s?\d{3}$/.test(code) ? { method: 'totp', code } : { method: 'recovery_code', code }

/** The form has one field for what are several in the API. */
function toFormProblem(error: unknown): unknown {
  if (!(error instanceof Problem) || error.code !== 'wrong_second_factor') return error
  const fields = error.fields.map(({ message }) => ({ path: '/code', message }))
  return new Problem(error.statusCode, error.code, error.message, { fields })
}

const formatQuery = (next: unknown): string => {
  const path = getSafeRedirectPath(next)
  return path === '/' ? '' : `?next=${encodeURIComponent(path)}`
}

interface FormContent {
  email: string
  next: unknown
  methods: readonly SecondFactorMethod[]
}

function sendForm(deps: Deps, reply: FastifyReply, { email, next, methods }: FormContent, problem: Problem | null) {
  const hasPasskey = methods.includes('passkey') && arePasskeysPossible(deps)
  const content = html`<p class="lead">Sign in as <strong>${email}</strong> with a second factor.</p>
    ${renderAlert(problem)} ${hasPasskey ? renderPasskeyButton(deps, getSafeRedirectPath(next)) : null}
    <form method="post" action="/sign-in/second-factor${formatQuery(next)}">
      ${renderField(
        {
          name: 'code',
          label: 'Code',
          type: 'text',
          autocomplete: 'one-time-code',
          hint: methods.includes('totp')
            ? 'The code of your authenticator app, or one of your recovery codes.'
            : 'One of your recovery codes.',
          maxLength: 64,
          autofocus: !hasPasskey,
        },
        problem,
      )}
      <button>Sign in</button>
    </form>
    <p class="aside">Lost your device? Use a recovery code, or ask an administrator of this server.</p>
    <p class="aside">
      Not your second factor? Open the link in the email that told you about it, within a day after it was added. Later,
      an administrator of this server can remove it.
    </p>
    <p class="aside"><a href="/sign-in${formatQuery(next)}">Back to sign-in</a></p>`
  return sendPage(reply, {
    title: 'Second factor',
    body: content,
    user: null,
    problem,
    scriptPaths: hasPasskey ? [passkeyScript.path] : [],
  })
}

const renderPasskeyButton = (deps: Deps, next: string) =>
  renderPasskeySection(deps, {
    task: 'second-factor',
    label: 'Use a passkey',
    isPrimary: true,
    refusal: 'The passkey was not used. Try again, or enter a code.',
    next,
    below: html`<p class="aside">Or enter a code:</p>`,
  })
