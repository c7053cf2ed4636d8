import { Type } from 'typebox'

import type { Deps } from '../../../deps.ts'
import type { App } from '../../../platform/http/app.ts'
import { sendErrorAsProblem } from '../../../platform/http/errors.ts'
import { limitFailedLookups } from '../../../platform/http/rate-limit.ts'
import { endProviderSessions } from './end-provider-sessions.ts'
import { LogoutTokenError } from './logout-token.ts'
import type { Provider } from './provider.ts'

const body = Type.Object({ logout_token: Type.String() })
const INVALID_BODY = 'The body is not a form with a logout_token'

/**
 * `/sign-in/oidc/backchannel-logout`, which the provider calls when a user signs out there (OpenID Connect Back-Channel Logout
 * 1.0). The signature of the token proves who sends it, so that neither a session nor an `Origin` is needed. Only tokens that
 * are not valid count against the limit of an address: a provider may end thousands of sessions at once.
 */
export function backchannelLogoutRoutes(pages: App, deps: Deps, provider: Provider): void {
  const limiter = deps.rateLimits['invalid-logout-tokens']

  pages.post(
    '/sign-in/oidc/backchannel-logout',
    {
      schema: { hide: true, body },
      attachValidation: true,
      config: { isForPrograms: true },
      errorHandler: sendErrorAsProblem,
    },
    async (request, reply) => {
      void reply.header('cache-control', 'no-store')
      let reason = INVALID_BODY
      const isDone = await limitFailedLookups(limiter, request, reply, async (checkLimit) => {
        await checkLimit()
        if (request.validationError !== undefined) return null
        try {
          await endProviderSessions(deps, request, await provider.verifyLogoutToken(request.body.logout_token))
          return true
        } catch (error) {
          if (!(error instanceof LogoutTokenError)) throw error
          reason = error.message
          return null
        }
      })
      if (isDone === true) return reply.code(200).send()
      request.log.warn({ request_id: request.id, reason }, 'rejected a logout token')
      return reply
        .code(400)
        .type('application/json')
        .send({ error: 'invalid_request', error_description: `${reason}.` })
    },
  )
}
