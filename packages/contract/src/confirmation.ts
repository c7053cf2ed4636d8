import { Type } from 'typebox'

import type { Endpoint } from './endpoint.ts'
import { ExtendedProblem, problems } from './problem.ts'
import { Data, OneOf, Timestamp } from './schemas.ts'
import { SecondFactorProof } from './second-factor-proofs.ts'
import type { Static } from './static.ts'

/** How long a sign-in or confirmation counts as recent. */
export const CONFIRMATION_MINUTES = 10

/** How the user of a session can confirm who they are. `single_sign_on` is the page `/sign-in/oidc?confirm=yes`. */
export const CONFIRMATION_METHODS = ['password', 'totp', 'passkey', 'recovery_code', 'single_sign_on'] as const
export type ConfirmationMethod = (typeof CONFIRMATION_METHODS)[number]

/** 403 of an endpoint that sessions may use only after a recent confirmation. */
const ConfirmationProblem = ExtendedProblem({
  confirmation_methods: Type.Optional(
    Type.Array(OneOf(CONFIRMATION_METHODS, { description: 'A way to confirm.' }), {
      description:
        'With the code `confirmation_required`: how the user can confirm who they are. `single_sign_on` is the page `/sign-in/oidc?confirm=yes`; all others are fields of `POST /v1/session/confirm`.',
    }),
  ),
})

/** The problem responses of an endpoint that sessions may use only after a recent confirmation. */
export const confirmationProblems = {
  403: {
    ...ConfirmationProblem,
    description: `The caller does not have the required permission, or the user of the session has neither signed in nor confirmed who they are in the last ${CONFIRMATION_MINUTES} minutes (\`confirmation_required\`). Tokens are not asked to confirm.`,
  },
} as const

/** For descriptions of endpoints. */
export const CONFIRMATION_NOTE = `A session must have signed in or confirmed in the last ${CONFIRMATION_MINUTES} minutes (\`POST /v1/session/confirm\`); otherwise the response is 403 \`confirmation_required\`.`

export const ConfirmBody = Type.Object(
  {
    password: Type.Optional(Type.String({ format: 'text', maxLength: 1024, description: 'Password of the account.' })),
    ...SecondFactorProof,
  },
  { examples: [{ password: 'correct horse battery staple' }] },
)
export type ConfirmBody = Static<typeof ConfirmBody>

const Confirmation = Type.Object({
  confirmed_until: Timestamp('Until when the session does not have to confirm again.'),
})

export const confirmSession = {
  method: 'POST',
  url: '/v1/session/confirm',
  config: { permission: 'own-account', rateLimit: 'other', allowsMissingSecondFactor: true },
  schema: {
    operationId: 'confirmSession',
    tags: ['Session'],
    summary: 'Confirm who you are',
    description: `Confirms the session of the cookie for ${CONFIRMATION_MINUTES} minutes, as a sign-in does. The body has exactly one field. With a second factor, the password alone is not enough (400 \`password_not_enough\`). Endpoints that create access or change how the user signs in require it of sessions. Limited to 10 wrong attempts per minute for each session, and to 100 per hour for each account. With a token, the response is 403 \`session_required\`.`,
    body: ConfirmBody,
    response: {
      200: { ...Data(Confirmation), examples: [{ data: { confirmed_until: '2026-11-21T09:40:00.000Z' } }] },
      ...problems(400, 401, 403, 413, 415, 422, 429),
    },
  },
} as const satisfies Endpoint
