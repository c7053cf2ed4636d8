import { Type } from 'typebox'

import { ExtendedProblem } from './problem.ts'
import { OneOf } from './schemas.ts'
import type { Static } from './static.ts'

/** A code as users type it. It has no pattern, so that a wrong code is rejected as wrong rather than invalid. */
export const SecondFactorCode = (description: string) =>
  Type.String({ format: 'text', 'x-trim': true, maxLength: 64, description })

/** A value of WebAuthn in base64url. It has no pattern, so that a wrong value is rejected as wrong rather than invalid. */
export const PasskeyField = (maxLength: number, description: string) =>
  Type.String({ format: 'text', maxLength, description: `${description} In base64url.` })

/** The fields of what an authenticator answers. */
export const assertionFields = {
  clientDataJSON: PasskeyField(4000, 'What the browser signed.'),
  authenticatorData: PasskeyField(4000, 'What the authenticator signed.'),
  signature: PasskeyField(2000, 'The signature.'),
}

const PasskeyAssertion = Type.Object(
  { id: PasskeyField(2000, 'Id of the credential.'), response: Type.Object(assertionFields) },
  {
    description:
      'What `toJSON()` of the credential returns that `navigator.credentials.get` found with the options of `startPasskeyCompletion` or `startPasskeyConfirmation`. Other fields of it are ignored.',
  },
)
export type PasskeyAssertion = Static<typeof PasskeyAssertion>

/** The proofs of a second factor. A request has exactly one of them. */
export const SecondFactorProof = {
  totp_code: Type.Optional(
    SecondFactorCode('Code that the authenticator app shows, 6 digits. Each code is accepted once.'),
  ),
  passkey: Type.Optional(PasskeyAssertion),
  recovery_code: Type.Optional(SecondFactorCode('A recovery code, which is used up.')),
}

/** How a user can prove a second factor. */
export const SECOND_FACTOR_METHODS = ['totp', 'passkey', 'recovery_code'] as const
export type SecondFactorMethod = (typeof SECOND_FACTOR_METHODS)[number]

const SecondFactorProblem = ExtendedProblem({
  second_factor_methods: Type.Optional(
    Type.Array(OneOf(SECOND_FACTOR_METHODS, { description: 'A way to continue.' }), {
      description:
        'With the code `second_factor_required`: what `POST /v1/session/second-factor` accepts of this user.',
    }),
  ),
})

/** The problem responses of an endpoint that signs in. */
export const signInProblems = {
  401: {
    ...SecondFactorProblem,
    description:
      'The sign-in failed, or the account has a second factor (`second_factor_required`): then `POST /v1/session/second-factor` completes the sign-in, with the cookie that this response sets.',
  },
} as const
