import { Type } from 'typebox'

import type { Deps } from '../../../deps.ts'
import { startSession } from '../session/sign-in.ts'
import { findOrCreateUser } from './find-or-create-user.ts'
import { type AuthorizationRequest, createAuthorizationRequest, type Provider } from './provider.ts'
import { getClientKey } from '../../../platform/http/client-address.ts'
import { consumeRateLimit } from '../../../platform/http/rate-limit.ts'
import type { App } from '../../../platform/http/app.ts'
import { Problem } from '../../../platform/http/problems.ts'
import { getSafeRedirectPath } from '../session/signed-in-user.ts'

/** How long somebody may take at the provider. */
const AUTHORIZATION_TIMEOUT_SECONDS = 15 * 60
const CALLBACK = '/sign-in/oidc/callback'

const querystring = Type.Object({ next: Type.Optional(Type.String()) })

/** `/sign-in/oidc`: to the provider and back. Not there without one. */
export function singleSignOnPages(pages: App, deps: Deps, provider: Provider): void {
  const { cookies, getPublicUrl: publicUrl, rateLimits } = deps

  pages.get('/sign-in/oidc', { schema: { hide: true, querystring } }, async (request, reply) => {
    await consumeRateLimit(rateLimits['sign-in'], getClientKey(request.ip), reply)
    const errand = createAuthorizationRequest(getSafeRedirectPath(request.query.next))
    const address = await provider.getAuthorizationUrl(errand, publicUrl() + CALLBACK).catch((error: unknown) => {
      request.log.error(
        { request_id: request.id, reason: describeSignInError(error) },
        'the OpenID Connect provider cannot be reached',
      )
      throw new Problem(
        502,
        'provider_unreachable',
        'The sign-in provider does not answer. Try again, or sign in with your password.',
      )
    })
    // In the browser, and not with us: any server may be the one that it comes back to.
    cookies.set(reply, 'oidc', Buffer.from(JSON.stringify(errand)).toString('base64url'), AUTHORIZATION_TIMEOUT_SECONDS)
    return reply.redirect(address.href, 303)
  })

  pages.get(CALLBACK, { schema: { hide: true } }, async (request, reply) => {
    await consumeRateLimit(rateLimits['sign-in'], getClientKey(request.ip), reply)
    const errand = parseAuthorizationRequest(cookies.read(request, 'oidc'))
    cookies.clear(reply, 'oidc')
    if (errand === null) throw signInFailedProblem()
    const cameBackTo = new URL(publicUrl() + CALLBACK)
    cameBackTo.search = request.url.split('?', 2)[1] ?? ''
    const identity = await provider.fetchIdentity(errand, cameBackTo).catch((error: unknown) => {
      request.log.warn(
        { request_id: request.id, reason: describeSignInError(error) },
        'a sign-in by OpenID Connect failed',
      )
      throw signInFailedProblem()
    })
    await startSession(deps, request, reply, (tx) => findOrCreateUser(tx, identity))
    return reply.redirect(getSafeRedirectPath(errand.next), 303)
  })
}

const signInFailedProblem = () =>
  new Problem(
    400,
    'sign_in_failed',
    'That sign-in did not come to an end: it was broken off, or took too long. Try again.',
  )

/** What went wrong, in a word: the rest of such an error may hold codes and tokens. */
function describeSignInError(error: unknown): string {
  const { code, error: told } = error as { code?: unknown; error?: unknown }
  return [code, told].filter((word) => typeof word === 'string').join(' ') || 'unknown'
}

function parseAuthorizationRequest(cookie: string | null): AuthorizationRequest | null {
  if (cookie === null) return null
  try {
    const { state, nonce, verifier, next } = JSON.parse(
      Buffer.from(cookie, 'base64url').toString(),
    ) as AuthorizationRequest
    return [state, nonce, verifier, next].every((part) => typeof part === 'string')
      ? { state, nonce, verifier, next }
      : null
  } catch {
    return null
  }
}
