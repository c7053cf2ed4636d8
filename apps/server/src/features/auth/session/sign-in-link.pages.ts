import type { FastifyReply, FastifyRequest } from 'fastify'
import { Type } from 'typebox'

import type { Deps } from '../../../deps.ts'
import type { Database } from '../../../platform/database/connect.ts'
import type { App } from '../../../platform/http/app.ts'
import { goneProblem } from '../../../platform/http/problems.ts'
import { limitRequests } from '../../../access/limit-requests.ts'
import { html } from '../../../platform/pages/html.ts'
import { sendPage } from '../../../platform/pages/layout.ts'
import { getSignInRedirect } from '../second-factors/second-factor-path.ts'
import { setSignInCookies, startSession } from './browser-session.ts'
import { LINK_SESSION } from './session.queries.ts'
import { deleteSignInLink, findSignInLink, type SignInLink } from './sign-in-link.queries.ts'

const params = Type.Object({ secret: Type.String() })

/** The link on the error page of a sign-in link that is not valid. */
export const signInLinkErrorLinks = { sign_in_link_ended: { href: '/sign-in', label: 'Go to sign-in' } }

/**
 * `/sign-in/link/:secret`, the link that `admin sign-in-link` prints. It works without a password and without the sign-in
 * provider. It is used by a form, so that a program that only opens links does not use it up.
 */
export function signInLinkPages(pages: App, deps: Deps): void {
  const { db } = deps

  pages.get('/sign-in/link/:secret', { schema: { hide: true, params } }, async (request, reply) => {
    await limitRequests(deps, 'sign-in-links', request, reply)
    const { name, email } = await requireSignInLink(db, request.params.secret)
    const body = html`<p class="lead">
        This link works once. It signs you in as <strong>${email}</strong> for ${LINK_SESSION.hours} hours.
      </p>
      <form method="post"><button>Sign in as ${name}</button></form>`
    return sendPage(reply, { title: 'Sign in', body, user: null })
  })

  pages.post('/sign-in/link/:secret', { schema: { hide: true, params } }, async (request, reply) => {
    await limitRequests(deps, 'sign-in-links', request, reply)
    const isComplete = await completeSignInLink(deps, request, reply, request.params.secret)
    return reply.redirect(getSignInRedirect(isComplete, '/'), 303)
  })
}

/** Signs in with a link; returns false when the second factor is missing. @throws {Problem} 403, 410 */
async function completeSignInLink(deps: Deps, request: FastifyRequest, reply: FastifyReply, secret: string) {
  const secrets = await deps.db.transaction().execute(async (tx) => {
    const { user_id: userId } = await requireSignInLink(tx, secret)
    if (!(await deleteSignInLink(tx, secret))) throw signInLinkEndedProblem()
    return await startSession(tx, deps.cookies, request, userId, { start: LINK_SESSION })
  })
  deps.principalCache.clear()
  return setSignInCookies(deps, reply, secrets)
}

/** @throws {Problem} 410 when the link was used or replaced, when it has expired, or when it is unknown */
async function requireSignInLink(db: Database, secret: string): Promise<SignInLink> {
  const link = await findSignInLink(db, secret)
  if (link === undefined) throw signInLinkEndedProblem()
  return link
}

const signInLinkEndedProblem = () =>
  goneProblem(
    'sign_in_link_ended',
    'This sign-in link is no longer valid: it was used or replaced, or it is older than 15 minutes. The operator of the server can create a new one with “admin sign-in-link”.',
  )
