import { Type } from 'typebox'

import type { Permission } from './endpoint.ts'

/** Header names, in lower case. */
export const IDEMPOTENCY_KEY_HEADER = 'idempotency-key'
export const IDEMPOTENT_REPLAYED_HEADER = 'idempotent-replayed'

/** Whether requests to an endpoint can have an `Idempotency-Key`: every POST that needs a token or session. */
export const acceptsIdempotencyKey = ({
  method,
  config: { permission },
}: {
  method: string
  config: { permission: Permission }
}): boolean => method === 'POST' && permission !== 'public' && permission !== 'public-or-own-account'

/** The request header of every endpoint that {@link acceptsIdempotencyKey}. */
export const createIdempotencyKeyHeaders = () =>
  Type.Object({
    'idempotency-key': Type.Optional(
      Type.String({
        pattern: '^[\\x20-\\x7e]{1,255}$',
        description:
          'A key that you choose, such as a UUID, of 1 to 255 ASCII characters. For 24 hours, a request with the same key and the same body returns the first response with `Idempotent-Replayed: true`, and does nothing. Each token has its own keys. Only successes are kept: after an error, nothing was stored and the key can be used again.',
        examples: ['8e03978e-40d5-43e8-bc93-6894a57f9324'],
      }),
    ),
  })

/** The response header of successes of every endpoint that {@link acceptsIdempotencyKey}. */
export const IdempotentReplayedHeader = {
  description: '`true` if this is the response to an earlier request with the same `Idempotency-Key`.',
  schema: { type: 'string', enum: ['true'] },
} as const
