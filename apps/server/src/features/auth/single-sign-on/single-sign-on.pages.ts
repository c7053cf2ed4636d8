import { CONFIRMATION_MINUTES } from '@caseward/contract/confirmation'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { Type } from 'typebox'

import { findSession } from '../../../access/find-session.ts'
import { findClientKey, limitRequests } from '../../../access/limit-requests.ts'
import type { Deps } from '../../../deps.ts'
import type { App } from '../../../platform/http/app.ts'
import { forbiddenProblem, Problem } from '../../../platform/http/problems.ts'
import { type FailureLimit, limitFailures } from '../../../platform/http/rate-limit.ts'
import { syncGroups } from '../../groups/sync-groups.ts'
import { getSignInRedirect } from '../second-factors/second-factor-path.ts'
import { setSignInCookies, startSession } from '../session/browser-session.ts'
import { reportDisabled } from '../session/record-rejection.ts'
import { arePasswordsAllowed } from '../session/require-passwords-allowed.ts'
import { getSafeRedirectPath } from '../session/safe-redirect-path.ts'
import {
  createAuthorizationRequest,
  formatAuthorizationRequest,
  parseAuthorizationRequest,
} from './authorization-request.ts'
import { signInFailedProblem, toSessionStart } from './complete-sign-on.ts'
import { LINK_PATH } from './link-account.pages.ts'
import type { Identity } from './parse-identity.ts'
import type { Provider } from './provider.ts'
import { resolveSignOn } from './resolve-sign-on.ts'
import { PENDING_MINUTES } from './single-sign-on.queries.ts'

/** How long a user may take to sign in at the provider. */
const AUTHORIZATION_TIMEOUT_SECONDS = 15 * 60
const CALLBACK_PATH = '/sign-in/oidc/callback'

const startQuerystring = Type.Object({
  next: Type.Optional(Type.String()),
  /** Set by a page whose signed-in user confirms who they are. */
  confirm: Type.Optional(Type.Unsafe<'yes'>({ type: 'string', enum: ['yes'] })),
})

/** `/sign-in/oidc`, which redirects to the provider, and the callback to which the provider redirects back. */
export function singleSignOnPages(pages: App, deps: Deps, provider: Provider): void {
  const { db, cookies, principalCache, getPublicUrl, singleSignOn } = deps

  pages.get('/sign-in/oidc', { schema: { hide: true, querystring: startQuerystring } }, async (request, reply) => {
    await limitRequests(deps, 'single-sign-on', request, reply)
    const { next, confirm } = request.query
    const authorization = createAuthorizationRequest(getSafeRedirectPath(next), confirm === 'yes')
    const redirectUri = getPublicUrl() + CALLBACK_PATH
    const url = await provider.getAuthorizationUrl(authorization, redirectUri).catch((error: unknown) => {
      request.log.error(
        { request_id: request.id, reason: describeSignInError(error) },
        'the OpenID Connect provider is unreachable',
      )
      throw providerUnreachableProblem(arePasswordsAllowed(deps))
    })
    // Kept in the browser, because the callback may reach another server on the same database.
    cookies.set(reply, 'oidc', formatAuthorizationRequest(authorization), AUTHORIZATION_TIMEOUT_SECONDS)
    return reply.redirect(url.href, 303)
  })

  pages.get(CALLBACK_PATH, { schema: { hide: true } }, async (request, reply) => {
    await limitRequests(deps, 'single-sign-on', request, reply)
    const authorization = parseAuthorizationRequest(cookies.read(request, 'oidc'))
    cookies.clear(reply, 'oidc')
    if (authorization === null) throw signInFailedProblem()
    const callbackUrl = new URL(getPublicUrl() + CALLBACK_PATH)
    callbackUrl.search = request.url.split('?', 2)[1] ?? ''
    const identity = await limitCallbackFailures(deps, request, reply, () =>
      provider.fetchIdentity(authorization, callbackUrl).catch((error: unknown) => {
        request.log.warn({ request_id: request.id, reason: describeSignInError(error) }, 'single sign-on failed')
        return null
      }),
    )
    if (identity === null) throw signInFailedProblem()
    if (authorization.isConfirmation) requireRecentAuthentication(identity)
    const confirming = authorization.isConfirmation ? await findSession(request, reply, deps) : null
    const result = await db.transaction().execute(async (tx) => {
      const signOn = await resolveSignOn(tx, request, identity, { arePasswordsAllowed: arePasswordsAllowed(deps) })
      if (confirming !== null && !('userId' in signOn && signOn.userId === confirming.userId))
        throw otherAccountProblem()
      if ('pendingSecret' in signOn) return signOn
      const start = { ...toSessionStart(deps, identity), confirmedAt: identity.authenticatedAt }
      const { userId } = signOn
      const secrets = await reportDisabled(deps, request, { userId, method: 'single sign-on' }, () =>
        startSession(tx, cookies, request, userId, { start }),
      )
      return { ...signOn, secrets }
    })
    if ((singleSignOn?.groupsClaim ?? null) !== null && identity.groups === null) {
      request.log.warn({ request_id: request.id }, 'the provider returned no list of groups, or not all groups')
    }
    if ('secrets' in result && identity.groups !== null) await syncGroups(deps, request, result.userId, identity.groups)
    principalCache.clear()
    const next = getSafeRedirectPath(authorization.next)
    if ('pendingSecret' in result) {
      cookies.set(reply, 'identity', result.pendingSecret, PENDING_MINUTES * 60)
      return reply.redirect(`${LINK_PATH}?next=${encodeURIComponent(next)}`, 303)
    }
    return reply.redirect(getSignInRedirect(setSignInCookies(deps, reply, result.secrets), next), 303)
  })
}

/** Each callback with a code costs a request to the provider, which strangers must not make at will. */
async function limitCallbackFailures<T>(
  deps: Deps,
  request: FastifyRequest,
  reply: FastifyReply,
  fetchIdentity: () => Promise<T | null>,
): Promise<T | null> {
  const limit: FailureLimit = {
    limiter: deps.rateLimits['single-sign-on-failures'],
    key: await findClientKey(deps, request),
    describe: (wait) => `Too many sign-ins have failed. Try again in ${wait}.`,
  }
  return await limitFailures([limit], reply, fetchIdentity)
}

/**
 * The browser carries the request to the provider, and could leave out that the provider must ask again, and must say when it
 * did.
 */
function requireRecentAuthentication({ authenticatedAt }: Identity): void {
  if (authenticatedAt === null) throw authenticationTimeMissingProblem()
  if (Date.now() - authenticatedAt.getTime() < CONFIRMATION_MINUTES * 60_000) return
  throw forbiddenProblem(
    'Your sign-in provider did not ask you to sign in again. Sign out there and here, and sign in again.',
    'not_confirmed',
  )
}

const authenticationTimeMissingProblem = () =>
  forbiddenProblem(
    'Your sign-in provider did not say when you signed in, so that nothing is confirmed. Try again. If it happens again, ask the administrator of the provider to add “auth_time” to the ID token, or confirm with a second factor.',
    'not_confirmed',
  )

const otherAccountProblem = () =>
  forbiddenProblem(
    'You signed in to the provider as a user of another account. Confirm as the user that you are signed in with here.',
    'other_account',
  )

const providerUnreachableProblem = (hasPasswords: boolean) =>
  new Problem(
    502,
    'provider_unreachable',
    `The sign-in provider is unreachable. Try again${hasPasswords ? ', or sign in with your password' : ' in a few minutes'}.`,
  )

/** Only the error's codes: its other properties may contain authorization codes and tokens. */
function describeSignInError(error: unknown): string {
  const codes = error as { code?: unknown; error?: unknown }
  return [codes.code, codes.error].filter((code) => typeof code === 'string').join(' ') || 'unknown'
}
