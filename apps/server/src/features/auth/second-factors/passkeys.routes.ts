import * as contract from '@caseward/contract/passkeys'

import type { Deps } from '../../../deps.ts'
import type { App } from '../../../platform/http/app.ts'
import { presentTime } from '../../../platform/http/timestamps.ts'
import { presentMe } from '../account/present-me.ts'
import { requireConfirmation, requireSession, toConfirmationPurpose } from '../confirmation/confirm-session.ts'
import { requireRecentConfirmation } from '../confirmation/require-recent-confirmation.ts'
import { requireSameOrigin } from '../session/require-same-origin.ts'
import { activatePasskey, setUpPasskey } from './add-passkey.ts'
import { findBrowserSignIn, signInExpiredProblem, toProofPurpose } from './complete-sign-in.ts'
import { signInWithPasskey, startSignInWithPasskey } from './sign-in-with-passkey.ts'
import { startPasskeyProof } from './use-passkey.ts'

/** Adding passkeys, the options with which browsers prove them, and sign-in with a passkey alone. */
export function passkeysRoutes(app: App, deps: Deps): void {
  app.route({
    ...contract.setUpPasskey,
    onRequest: [requireSession, (request) => requireRecentConfirmation(deps, request)],
    handler: async (request, reply) =>
      reply.code(201).send({ data: presentOptions(await setUpPasskey(deps, request)) }),
  })

  app.route({
    ...contract.activatePasskey,
    onRequest: requireSession,
    handler: async (request) => ({
      data: await activatePasskey(deps, request, request.body).finally(deps.principalCache.clear),
    }),
  })

  app.route({
    ...contract.startPasskeySignIn,
    onRequest: requireSameOrigin(deps),
    handler: async (_request, reply) =>
      reply.code(201).send({ data: presentOptions(await startSignInWithPasskey(deps)) }),
  })

  app.route({
    ...contract.signInWithPasskey,
    onRequest: requireSameOrigin(deps),
    handler: async (request, reply) => {
      const user = await signInWithPasskey(deps, request, reply, request.body)
      return reply.code(201).send({ data: presentMe(user, deps) })
    },
  })

  app.route({
    ...contract.startPasskeyCompletion,
    onRequest: requireSameOrigin(deps),
    handler: async (request, reply) => {
      const pending = await findBrowserSignIn(deps, request)
      if (pending === null) throw signInExpiredProblem()
      return reply.code(201).send({ data: presentOptions(await startPasskeyProof(deps, toProofPurpose(pending))) })
    },
  })

  app.route({
    ...contract.startPasskeyConfirmation,
    onRequest: requireSession,
    handler: async (request, reply) => {
      const purpose = toConfirmationPurpose(request, await requireConfirmation(deps, request))
      return reply.code(201).send({ data: presentOptions(await startPasskeyProof(deps, purpose)) })
    },
  })
}

const presentOptions = ({ options, expiresAt }: { options: object; expiresAt: Date }) => ({
  options: { ...options },
  expires_at: presentTime(expiresAt),
})
