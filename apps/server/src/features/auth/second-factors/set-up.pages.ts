import type { FastifyReply, FastifyRequest } from 'fastify'
import { Type } from 'typebox'

import { findSession } from '../../../access/find-session.ts'
import type { UserPrincipal } from '../../../access/principal.ts'
import type { Deps } from '../../../deps.ts'
import type { App } from '../../../platform/http/app.ts'
import { invalidFieldProblem, type Problem, unauthenticatedProblem } from '../../../platform/http/problems.ts'
import { limitRequests } from '../../../access/limit-requests.ts'
import { orSeparator, renderAlert, renderField, submitForm } from '../../../platform/pages/forms.ts'
import { type Html, html } from '../../../platform/pages/html.ts'
import { sendPage } from '../../../platform/pages/layout.ts'
import { renderQrCode } from '../../../platform/pages/qr-code.ts'
import { requireRecentConfirmation } from '../confirmation/require-recent-confirmation.ts'
import { formatBrowser } from '../session/format-browser.ts'
import { findUser, type UserRow } from '../users/users.queries.ts'
import { activateTotp, readPendingSecret, setUpTotp } from './change-second-factors.ts'
import { arePasskeysPossible, passkeyScript, renderPasskeySection } from './passkey-script.ts'
import { SETUP_PATH } from './second-factor-path.ts'
import { formatOtpauthUri, formatTotpSecret } from './totp.ts'

const params = Type.Object({ factor_id: Type.String() })
const body = Type.Object({ code: Type.String({ format: 'text', 'x-trim': true, minLength: 1, maxLength: 64 }) })

/** The link on the error page of a session that may do nothing else. */
export const setUpErrorLinks = {
  second_factor_setup_required: { href: SETUP_PATH, label: 'Set up a second factor' },
  confirmation_required: { href: SETUP_PATH, label: 'Back' },
}

/** `/sign-in/set-up-second-factor`, where users set up a second factor whom the instance requires to have one. */
export function setUpPages(pages: App, deps: Deps): void {
  pages.get(SETUP_PATH, { schema: { hide: true } }, async (request, reply) => {
    const user = await findUserOfSession(deps, request, reply)
    if (user === null) return reply.redirect('/sign-in', 303)
    return user.has_second_factor ? reply.redirect('/', 303) : sendStart(deps, request, reply, user)
  })

  pages.post(SETUP_PATH, { schema: { hide: true } }, async (request, reply) => {
    await limitRequests(deps, 'sign-in', request, reply)
    const user = await findUserOfSession(deps, request, reply)
    if (user === null) return reply.redirect('/sign-in', 303)
    await requireRecentConfirmation(deps, request)
    const { id, secret } = await setUpTotp(deps, user.id, 'Authenticator app')
    return sendCodeForm(reply, user, { id, secret }, null)
  })

  pages.post(
    `${SETUP_PATH}/:factor_id`,
    { schema: { hide: true, params, body }, attachValidation: true },
    async (request, reply) => {
      await limitRequests(deps, 'sign-in', request, reply)
      const user = await findUserOfSession(deps, request, reply)
      if (user === null) return reply.redirect('/sign-in', 303)
      const { factor_id: factorId } = request.params
      const secret = await readPendingSecret(deps, user.id, factorId)
      const outcome = await submitForm(request, reply, () =>
        activateTotp(deps, request, reply, { factorId, code: request.body.code }).finally(deps.principalCache.clear),
      )
      if ('problem' in outcome)
        return sendCodeForm(reply, user, { id: factorId, secret }, toCodeProblem(outcome.problem))
      return sendRecoveryCodes(reply, user, outcome.value.recovery_codes ?? [])
    },
  )
}

/** Returns the user of the session cookie, and makes the session the caller of the request; null without one. */
async function findUserOfSession(deps: Deps, request: FastifyRequest, reply: FastifyReply): Promise<UserRow | null> {
  const principal: UserPrincipal | null = await findSession(request, reply, deps)
  if (principal === null) return null
  request.principal = principal
  const user = await findUser(deps.db, principal.userId)
  if (user === undefined) throw unauthenticatedProblem('Your account was deleted.')
  return user
}

const toCodeProblem = (problem: Problem): Problem =>
  problem.code === 'invalid_request' ? invalidFieldProblem('/code', 'is required') : problem

const CODES_TITLE = 'Recovery codes'

function sendStart(deps: Deps, request: FastifyRequest, reply: FastifyReply, user: UserRow) {
  const hasPasskey = arePasskeysPossible(deps)
  const content = html`<p class="lead">
      This server requires a second factor: besides your password, sign-in asks for a code that an app on your phone
      shows, or for a passkey.
    </p>
    <form method="post" action="${SETUP_PATH}"><button>Set up an authenticator app</button></form>
    ${hasPasskey ? renderPasskeyButton(deps, request.headers['user-agent']) : null}`
  const scriptPaths = hasPasskey ? [passkeyScript.path] : []
  return sendPage(reply, { title: 'Set up a second factor', body: content, user, scriptPaths })
}

/** The script adds the recovery codes to the template, and shows it. */
const renderPasskeyButton = (deps: Deps, userAgent = ''): Html =>
  html`${renderPasskeySection(deps, {
      task: 'set-up',
      label: 'Set up a passkey',
      refusal: 'The passkey was not set up. Try again, or set up an authenticator app.',
      next: '/',
      name: formatBrowser(userAgent),
      above: orSeparator,
    })} <template id="recovery-codes" data-title="${CODES_TITLE}">${renderRecoveryCodes([])}</template>`

function sendCodeForm(
  reply: FastifyReply,
  user: UserRow,
  { id, secret }: { id: string; secret: Uint8Array },
  problem: Problem | null,
) {
  const content = html`<p class="lead">Scan the code with your authenticator app, then enter the code that it shows.</p>
    ${renderAlert(problem)} ${renderQrCode(formatOtpauthUri(secret, user.email))}
    <p class="hint">Cannot scan it? Enter this secret in the app:</p>
    <p><code>${formatTotpSecret(secret).replaceAll(/.{4}(?=.)/g, '$& ')}</code></p>
    <form method="post" action="${SETUP_PATH}/${id}">
      ${renderField({ name: 'code', label: 'Code', type: 'text', autocomplete: 'one-time-code', maxLength: 64, autofocus: true }, problem)}
      <button>Continue</button>
    </form>`
  return sendPage(reply, { title: 'Set up a second factor', body: content, user, problem })
}

const sendRecoveryCodes = (reply: FastifyReply, user: UserRow, codes: readonly string[]) =>
  sendPage(reply, { title: CODES_TITLE, body: renderRecoveryCodes(codes), user })

const renderRecoveryCodes = (codes: readonly string[]): Html =>
  html`<p class="lead">
      Your second factor is set up. Keep these recovery codes in a safe place, apart from your devices: each works once
      in place of your second factor. They are not shown again.
    </p>
    <ul>
      ${codes.map((code) => html`<li><code>${code}</code></li>`)}
    </ul>
    <p><a class="button primary" href="/">I have stored them, continue</a></p>`
