import { Type } from 'typebox'

import { ExtendedProblem } from './problem.ts'
import { OneOf } from './schemas.ts'

/** A code as users type it. It has no pattern, so that a wrong code is rejected as wrong rather than invalid. */
export const SecondFactorCode = (description: string) =>
  Type.String({ format: 'text', 'x-trim': true, maxLength: 64, description })

/** The proofs of a second factor. A request has exactly one of them. */
export const SecondFactorProof = {
  totp_code: Type.Optional(
    SecondFactorCode('Code that the authenticator app shows, 6 digits. Each code is accepted once.'),
  ),
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
