import { Type } from 'typebox'

import { CONFIRMATION_NOTE, confirmationProblems } from './confirmation.ts'
import type { Endpoint } from './endpoint.ts'
import { problems } from './problem.ts'
import { Data, Name, Timestamp } from './schemas.ts'
import { AddedFactorResponse } from './second-factors.ts'
import { assertionFields, PasskeyField } from './second-factor-proofs.ts'
import { MeResponse } from './session.ts'
import type { Static } from './static.ts'

/** How long an authenticator may take to answer. */
export const PASSKEY_MINUTES = 5

const Options = (description: string) =>
  Type.Unsafe<Record<string, unknown>>({ type: 'object', additionalProperties: true, description })

const PasskeyOptions = (description: string) =>
  Type.Object({
    options: Options(description),
    expires_at: Timestamp('Until when the authenticator must have answered.'),
  })

const expires_at = '2026-11-21T09:35:00.000Z'
const challenge = 'q0kq5n0wq2cJ8m4S7fXo3o1dC5vJ2bGm0uYh9tRk1sE'
const credentialId = 'vB2cX9sQkT0aLr8mWfZ3Yg'

export const setUpPasskey = {
  method: 'POST',
  url: '/v1/me/second-factors/passkey',
  config: { permission: 'own-account', rateLimit: 'other', allowsMissingSecondFactor: true },
  schema: {
    operationId: 'setUpPasskey',
    tags: ['Second factors'],
    summary: 'Start to add a passkey',
    description: `Returns the options with which a browser creates a passkey, within ${PASSKEY_MINUTES} minutes. Pass what the authenticator answers to \`activatePasskey\`, in the same session; each challenge is accepted once. Returns 422 \`second_factor_limit\` for more than 10 factors. A token cannot send this request (403 \`session_required\`). ${CONFIRMATION_NOTE}`,
    response: {
      201: {
        ...Data(
          PasskeyOptions(
            'Options in the JSON form of WebAuthn, for `PublicKeyCredential.parseCreationOptionsFromJSON` and `navigator.credentials.create`.',
          ),
        ),
        examples: [
          {
            data: {
              options: { challenge, rp: { name: 'Caseward', id: 'caseward.example.com' } },
              expires_at,
            },
          },
        ],
      },
      ...problems(401, 422, 429),
      ...confirmationProblems,
    },
  },
} as const satisfies Endpoint

export const ActivatePasskeyBody = Type.Object(
  {
    name: Type.Optional(Name('Name to recognize it by; by default “Passkey”.')),
    credential: Type.Object(
      {
        id: PasskeyField(2000, 'Id of the credential.'),
        response: Type.Object({
          clientDataJSON: PasskeyField(4000, 'What the browser signed.'),
          attestationObject: PasskeyField(16_000, 'The public key, and what the authenticator says about it.'),
          transports: Type.Optional(
            Type.Array(Type.String({ format: 'text', maxLength: 32, description: 'Such as `internal` or `usb`.' }), {
              maxItems: 10,
              description: 'How browsers can reach the authenticator.',
            }),
          ),
        }),
      },
      { description: 'What `toJSON()` of the created credential returns. Other fields of it are ignored.' },
    ),
  },
  {
    examples: [
      {
        name: 'Laptop',
        credential: {
          id: credentialId,
          response: {
            clientDataJSON: 'eyJ0eXBlIjoi…',
            attestationObject: 'o2NmbXRkbm9uZWdh…',
            transports: ['internal'],
          },
        },
      },
    ],
  },
)
export type ActivatePasskeyBody = Static<typeof ActivatePasskeyBody>

export const activatePasskey = {
  method: 'POST',
  url: '/v1/me/second-factors/passkey/activate',
  config: { permission: 'own-account', rateLimit: 'other', returnsSecret: true, allowsMissingSecondFactor: true },
  schema: {
    operationId: 'activatePasskey',
    tags: ['Second factors'],
    summary: 'Add a passkey',
    description:
      'Stores the passkey that a browser created with the options of `setUpPasskey`. From now on, sign-in asks for a second factor. The first factor of an account brings 10 recovery codes; for a further one, `recovery_codes` is null. A passkey that does not fit the options is refused with 400 `wrong_second_factor`; then start again. A token cannot send this request (403 `session_required`).',
    body: ActivatePasskeyBody,
    response: { 200: AddedFactorResponse, ...problems(400, 401, 403, 413, 415, 422, 429) },
  },
} as const satisfies Endpoint

const requestOptions =
  'Options in the JSON form of WebAuthn, for `PublicKeyCredential.parseRequestOptionsFromJSON` and `navigator.credentials.get`.'
const RequestOptionsResponse = {
  ...Data(PasskeyOptions(requestOptions)),
  examples: [
    {
      data: {
        options: {
          challenge,
          rpId: 'caseward.example.com',
          allowCredentials: [{ id: credentialId, type: 'public-key' }],
          userVerification: 'preferred',
        },
        expires_at,
      },
    },
  ],
}

/** What a browser with any passkey for this service can answer. */
const OpenRequestOptionsResponse = {
  ...Data(PasskeyOptions(requestOptions)),
  examples: [
    { data: { options: { challenge, rpId: 'caseward.example.com', userVerification: 'required' }, expires_at } },
  ],
}

export const startPasskeySignIn = {
  method: 'POST',
  url: '/v1/session/passkey-options',
  config: { permission: 'public', rateLimit: 'passkey-options' },
  schema: {
    operationId: 'startPasskeySignIn',
    tags: ['Session'],
    summary: 'Start to sign in with a passkey',
    description: `Returns the options with which a browser signs in with a passkey alone, without email address and password. Pass what the authenticator answers to \`signInWithPasskey\` within ${PASSKEY_MINUTES} minutes; each challenge is accepted once. Where only single sign-on is accepted, the response is 403 \`single_sign_on_required\`. Limited to 10 requests per minute for each IP address.`,
    response: { 201: OpenRequestOptionsResponse, ...problems(403, 429) },
  },
} as const satisfies Endpoint

export const SignInWithPasskeyBody = Type.Object(
  {
    passkey: Type.Object(
      {
        id: PasskeyField(2000, 'Id of the credential.'),
        response: Type.Object({
          ...assertionFields,
          userHandle: PasskeyField(100, 'Id of the user that the passkey was created for.'),
        }),
      },
      {
        description:
          'What `toJSON()` of the credential returns that `navigator.credentials.get` found with the options of `startPasskeySignIn`. Other fields of it are ignored.',
      },
    ),
  },
  {
    examples: [
      {
        passkey: {
          id: credentialId,
          response: {
            clientDataJSON: 'eyJ0eXBlIjoi…',
            authenticatorData: 'SZYN5YgOjGh0NBcP…',
            signature: 'MEUCIQDx0hGk…',
            userHandle: 'AZqltxorfD2OT1prfI2eDw',
          },
        },
      },
    ],
  },
)
export type SignInWithPasskeyBody = Static<typeof SignInWithPasskeyBody>

export const signInWithPasskey = {
  method: 'POST',
  url: '/v1/session/passkey',
  config: { permission: 'public', rateLimit: 'sign-in' },
  schema: {
    operationId: 'signInWithPasskey',
    tags: ['Session'],
    summary: 'Sign in with a passkey',
    description:
      'Creates a session and sets its HttpOnly cookie, as `signIn` does. The passkey replaces the password and the second factor, so the authenticator must have verified the user (a fingerprint, a face or a PIN). The session counts as confirmed with a second factor. Every wrong answer is 401 `wrong_passkey`, which does not reveal whether the account exists; it uses the challenge up. With the right one, a disabled account gets 403 `account_disabled`. Where only single sign-on is accepted, the response is 403 `single_sign_on_required`. Limited to 10 requests per minute for each IP address, together with `signIn`.',
    body: SignInWithPasskeyBody,
    response: { 201: MeResponse, ...problems(400, 401, 403, 413, 415, 429) },
  },
} as const satisfies Endpoint

export const startPasskeyCompletion = {
  method: 'POST',
  url: '/v1/session/second-factor/passkey-options',
  config: { permission: 'public', rateLimit: 'other' },
  schema: {
    operationId: 'startPasskeyCompletion',
    tags: ['Session'],
    summary: 'Start to complete a sign-in with a passkey',
    description: `Returns the options with which a browser proves a passkey, for the sign-in that waits for it in this browser. Pass what the authenticator answers to \`completeSignIn\` within ${PASSKEY_MINUTES} minutes; each challenge is accepted once. Returns 401 \`sign_in_expired\` without a sign-in that waits, and 422 \`no_passkey\` if the account has no passkey.`,
    response: { 201: RequestOptionsResponse, ...problems(401, 403, 422, 429) },
  },
} as const satisfies Endpoint

export const startPasskeyConfirmation = {
  method: 'POST',
  url: '/v1/session/confirm/passkey-options',
  config: { permission: 'own-account', rateLimit: 'other', allowsMissingSecondFactor: true },
  schema: {
    operationId: 'startPasskeyConfirmation',
    tags: ['Session'],
    summary: 'Start to confirm with a passkey',
    description: `Returns the options with which a browser proves a passkey. Pass what the authenticator answers to \`confirmSession\` within ${PASSKEY_MINUTES} minutes, in the same session; each challenge is accepted once. Returns 422 \`no_passkey\` if you have no passkey. A token cannot send this request (403 \`session_required\`).`,
    response: { 201: RequestOptionsResponse, ...problems(401, 403, 422, 429) },
  },
} as const satisfies Endpoint
