import { Type } from 'typebox'

import type { Endpoint } from './endpoint.ts'
import { problems } from './problem.ts'
import { Data, Nullable, OneOf, Timestamp } from './schemas.ts'
import type { Static } from './static.ts'

/** What somebody else may have left in an account, and only its user can judge. */
export const REVIEW_ITEM_KINDS = ['second_factor', 'identity', 'ci_token', 'member', 'instance_admin'] as const

export const ReviewItem = Type.Object({
  kind: OneOf(REVIEW_ITEM_KINDS, {
    description:
      '`second_factor`: a second factor of the account. `identity`: a link with single sign-on. `ci_token`: a valid CI token that the user created and no admin has reviewed. `member`: a member who joined with an invitation of the user. `instance_admin`: an instance administrator whom the user made one.',
  }),
  id: Type.String({ description: 'Id of the factor, identity, token, or user.' }),
  name: Type.String({ description: 'Name, the email address of a user, or the issuer of an identity.' }),
  project: Nullable(
    Type.Object(
      { id: Type.String({ description: 'Project id.' }), name: Type.String({ description: 'Project name.' }) },
      { description: 'The project of a CI token or member; null for others.' },
    ),
  ),
  created_at: Timestamp('When it was created, linked, invited or granted.'),
})
export type ReviewItem = Static<typeof ReviewItem>

export const AccountReview = Type.Object({
  since: Nullable(Timestamp('When the account was secured; null when there is nothing to check.')),
  items: Type.Array(ReviewItem, {
    description:
      'What to check, the newest first: second factors, identities and CI tokens of any age, members and administrators of the 30 days before. At most 500.',
  }),
})
export type AccountReview = Static<typeof AccountReview>

const tags = ['Session'] as const

export const getAccountReview = {
  method: 'GET',
  url: '/v1/me/review',
  config: { permission: 'own-account', rateLimit: 'other' },
  schema: {
    operationId: 'getAccountReview',
    tags,
    summary: 'List what to check after your account was secured',
    description:
      'After a password reset with `revoke_tokens`, or after an administrator has disabled and enabled your account, it lists what someone else may have left behind and nobody but you can judge. Sessions, personal tokens, pending invitations and pending changes of the email address have ended already.',
    response: {
      200: {
        ...Data(AccountReview),
        examples: [
          {
            data: {
              since: '2026-11-21T09:30:00.000Z',
              items: [
                {
                  kind: 'member' as const,
                  id: '019aa5c0-2b3c-7d4e-8f50-6b7c8d9e0f10',
                  name: 'mira@example.com',
                  project: { id: '019aa5b4-6f3e-7c11-9a52-0f6f3d1c8e77', name: 'Web shop' },
                  created_at: '2026-11-20T17:02:00.000Z',
                },
              ],
            },
          },
        ],
      },
      ...problems(401, 403, 429),
    },
  },
} as const satisfies Endpoint

export const completeAccountReview = {
  method: 'DELETE',
  url: '/v1/me/review',
  config: { permission: 'own-account', rateLimit: 'other' },
  schema: {
    operationId: 'completeAccountReview',
    tags,
    summary: 'Complete the check of your account',
    description: 'Records that you have checked everything that `GET /v1/me/review` lists. CI tokens stay marked.',
    response: {
      204: { ...Type.Null(), description: 'The check is complete.' },
      ...problems(401, 403, 404, 429),
    },
  },
} as const satisfies Endpoint
