import { Type } from 'typebox'

import { CONFIRMATION_NOTE, confirmationProblems } from './confirmation.ts'
import type { Endpoint } from './endpoint.ts'
import { problems } from './problem.ts'
import { Data, Name, Nullable, OneOf, Timestamp } from './schemas.ts'
import { SecondFactorCode, SecondFactorProof } from './second-factor-proofs.ts'
import { MeResponse } from './session.ts'
import type { Static } from './static.ts'

export const SECOND_FACTOR_KINDS = ['totp', 'passkey'] as const

export const SecondFactor = Type.Object({
  id: Type.String({ description: 'Id of the factor.' }),
  kind: OneOf(SECOND_FACTOR_KINDS, {
    description:
      '`totp` is an authenticator app, which shows a new code every 30 seconds; `passkey` is a key that a device, a password manager or a security key holds.',
  }),
  name: Type.String({ description: 'Name that the user chose.' }),
  created_at: Timestamp('When it was added.'),
  last_used_at: Nullable(Timestamp('When it was last used; null if never.')),
})
export type SecondFactor = Static<typeof SecondFactor>

export const SecondFactors = Type.Object({
  factors: Type.Array(SecondFactor, { description: 'The factors that sign-in accepts, the oldest first.' }),
  recovery_code_count: Type.Integer({ description: 'How many recovery codes were not used yet.' }),
})
export type SecondFactors = Static<typeof SecondFactors>

const factor = {
  id: '019aa5c2-3c4d-7e5f-8a61-7c8d9e0f1a2b',
  kind: 'totp' as const,
  name: 'Phone',
  created_at: '2026-11-21T09:30:00.000Z',
  last_used_at: null,
}
const recoveryCodes = ['x7kq-2mwd-90ra-hz4e', '5c0v-tq8n-61yb-jd3g']

const RecoveryCodes = Type.Array(Type.String({ description: 'A code that works once in place of a second factor.' }), {
  description: 'The recovery codes. They are shown only in this response; earlier ones are no longer valid.',
})

export const CompleteSignInBody = Type.Object(SecondFactorProof, { examples: [{ totp_code: '492039' }] })
export type CompleteSignInBody = Static<typeof CompleteSignInBody>

const tags = ['Session'] as const

export const completeSignIn = {
  method: 'POST',
  url: '/v1/session/second-factor',
  config: { permission: 'public', rateLimit: 'sign-in' },
  schema: {
    operationId: 'completeSignIn',
    tags,
    summary: 'Complete a sign-in with the second factor',
    description:
      'Completes a sign-in that returned 401 `second_factor_required`, in the browser that has its cookie, within 10 minutes and 5 attempts; after that, the response is 401 `sign_in_expired`. The body has exactly one proof. A wrong one counts as a failed sign-in.',
    body: CompleteSignInBody,
    response: { 201: MeResponse, ...problems(400, 401, 403, 413, 415, 422, 429) },
  },
} as const satisfies Endpoint

const factorTags = ['Second factors'] as const

export const listSecondFactors = {
  method: 'GET',
  url: '/v1/me/second-factors',
  config: { permission: 'own-account', rateLimit: 'other', allowsMissingSecondFactor: true },
  schema: {
    operationId: 'listSecondFactors',
    tags: factorTags,
    summary: 'List your second factors',
    description: 'Returns the second factors of your account, and how many recovery codes are left.',
    response: {
      200: { ...Data(SecondFactors), examples: [{ data: { factors: [factor], recovery_code_count: 10 } }] },
      ...problems(401, 403, 429),
    },
  },
} as const satisfies Endpoint

const TotpSetup = Type.Object({
  id: Type.String({ description: 'Id of the factor.' }),
  secret: Type.String({
    description: 'The secret in base32, to type into the app. It is shown only in this response.',
  }),
  otpauth_uri: Type.String({ description: 'URI that authenticator apps read, `otpauth://totp/…`.' }),
  qr_code: Type.String({ description: 'A QR code of the URI, as an SVG image.' }),
  expires_at: Timestamp('Until when the first code must have been given.'),
})
export type TotpSetup = Static<typeof TotpSetup>

export const setUpTotp = {
  method: 'POST',
  url: '/v1/me/second-factors/totp',
  config: { permission: 'own-account', rateLimit: 'other', returnsSecret: true, allowsMissingSecondFactor: true },
  schema: {
    operationId: 'setUpTotp',
    tags: factorTags,
    summary: 'Set up an authenticator app',
    description: `Creates the secret of an authenticator app. Sign-in asks for it only after the app has given a right code (\`activateTotp\`); an earlier setup that has not come so far ends. Returns 422 \`secret_key_missing\` if the server has no key to encrypt the secret, and 422 \`second_factor_limit\` for more than 10 factors. A token cannot send this request (403 \`session_required\`). ${CONFIRMATION_NOTE}`,
    body: Type.Object(
      { name: Type.Optional(Name('Name to recognize it by; by default “Authenticator app”.')) },
      { examples: [{ name: 'Phone' }] },
    ),
    response: {
      201: {
        ...Data(TotpSetup),
        examples: [
          {
            data: {
              id: factor.id,
              secret: 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP',
              otpauth_uri: 'otpauth://totp/Caseward:ada%40example.com?issuer=Caseward&secret=JBSWY3DPEHPK3PXP',
              qr_code: '<svg xmlns="http://www.w3.org/2000/svg"></svg>',
              expires_at: '2026-11-21T10:30:00.000Z',
            },
          },
        ],
      },
      ...problems(400, 401, 413, 415, 422, 429),
      ...confirmationProblems,
    },
  },
} as const satisfies Endpoint

const FactorParams = Type.Object({ factor_id: Type.String({ description: 'Id of the factor.' }) })

const AddedFactor = Type.Object({
  factor: SecondFactor,
  recovery_codes: Nullable(RecoveryCodes),
})
export type AddedFactor = Static<typeof AddedFactor>

/** The response of every endpoint that adds a factor. */
export const AddedFactorResponse = {
  ...Data(AddedFactor),
  examples: [{ data: { factor, recovery_codes: recoveryCodes } }],
}

export const activateTotp = {
  method: 'POST',
  url: '/v1/me/second-factors/totp/:factor_id/activate',
  config: { permission: 'own-account', rateLimit: 'other', returnsSecret: true, allowsMissingSecondFactor: true },
  schema: {
    operationId: 'activateTotp',
    tags: factorTags,
    summary: 'Take an authenticator app into use',
    description:
      'From now on, sign-in asks for a second factor. The first factor of an account brings 10 recovery codes; for a further one, `recovery_codes` is null. A token cannot send this request (403 `session_required`).',
    params: FactorParams,
    body: Type.Object({ code: SecondFactorCode('Code that the app shows.') }, { examples: [{ code: '492039' }] }),
    response: { 200: AddedFactorResponse, ...problems(400, 401, 403, 404, 413, 415, 422, 429) },
  },
} as const satisfies Endpoint

export const removeSecondFactor = {
  method: 'DELETE',
  url: '/v1/me/second-factors/:factor_id',
  config: { permission: 'own-account', rateLimit: 'other' },
  schema: {
    operationId: 'removeSecondFactor',
    tags: factorTags,
    summary: 'Remove a second factor',
    description: `Removes the factor. With the last one, the recovery codes end, and sign-in no longer asks for a second factor; where the server requires one, the response is 422 \`last_second_factor\`. A token cannot send this request (403 \`session_required\`). ${CONFIRMATION_NOTE}`,
    params: FactorParams,
    response: {
      204: { ...Type.Null(), description: 'The factor was removed.' },
      ...problems(401, 404, 422, 429),
      ...confirmationProblems,
    },
  },
} as const satisfies Endpoint

export const renewRecoveryCodes = {
  method: 'POST',
  url: '/v1/me/second-factors/recovery-codes',
  config: { permission: 'own-account', rateLimit: 'other', returnsSecret: true },
  schema: {
    operationId: 'renewRecoveryCodes',
    tags: factorTags,
    summary: 'Create new recovery codes',
    description: `Creates 10 new recovery codes; the earlier ones end. Returns 422 \`no_second_factor\` if you have no second factor. A token cannot send this request (403 \`session_required\`). ${CONFIRMATION_NOTE}`,
    response: {
      201: {
        ...Data(Type.Object({ recovery_codes: RecoveryCodes })),
        examples: [{ data: { recovery_codes: recoveryCodes } }],
      },
      ...problems(401, 422, 429),
      ...confirmationProblems,
    },
  },
} as const satisfies Endpoint
