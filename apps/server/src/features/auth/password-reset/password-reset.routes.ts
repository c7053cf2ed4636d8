import * as contract from '@caseward/contract/password-resets'

import type { Deps } from '../../../deps.ts'
import type { App } from '../../../platform/http/app.ts'
import { presentTime } from '../../../platform/http/timestamps.ts'
import { presentMe } from '../session/session.routes.ts'
import { requireSameOrigin } from '../session/sign-in.ts'
import { findReset, requestReset, resetPassword } from './reset-password.ts'

export function passwordResetsRoutes(app: App, deps: Deps): void {
  app.route({
    ...contract.requestPasswordReset,
    onRequest: requireSameOrigin(deps),
    handler: async (request, reply) => {
      await requestReset(deps, request.body.email, reply)
      return { message: 'If this address has an account, a mail with a link is on its way. It works for one hour.' }
    },
  })

  app.route({
    ...contract.getPasswordReset,
    handler: async (request) => {
      const { email, expires_at } = await findReset(deps.db, request.params.secret)
      return { data: { email, expires_at: presentTime(expires_at) } }
    },
  })

  app.route({
    ...contract.resetPassword,
    onRequest: requireSameOrigin(deps),
    handler: async (request, reply) => {
      const { params, body } = request
      return { data: presentMe(await resetPassword(deps, request, reply, { ...body, ...params })) }
    },
  })
}
