import fc from 'fast-check'

import type { Operation } from './document.ts'
import { hintsFor } from './hints.ts'
import { unknownIds, existingIds } from './ids.ts'
import { badPayload, goodPayload, type Payload } from './payloads.ts'
import { anybody, bearer, entitled, type Headers, strangeHeaders } from './principals.ts'
import { badQuery, goodQuery } from './queries.ts'

/** A request as it is sent, but for the slots in it (`slots.ts`). */
export interface FuzzRequest {
  method: string
  /** With the query. */
  path: string
  headers: Headers
  payload: Payload | null
}

/** Requests to one operation. About half are what it asks for; the others are spoiled in one part. */
export function requestsTo(operation: Operation): fc.Arbitrary<FuzzRequest> {
  const hints = hintsFor(operation)
  const good = {
    ids: existingIds(operation),
    query: goodQuery(operation, hints),
    who: entitled(operation),
    headers: fc.constant<Headers>({}),
    payload: goodPayload(operation, hints),
  }
  const bad: typeof good = {
    ids: unknownIds(operation),
    query: badQuery(operation, hints),
    who: anybody(operation),
    headers: strangeHeaders,
    payload: badPayload(operation, hints),
  }
  const whole = fc.record(good)
  // An invitation is for one address: who has an account can only accept their own.
  const toThem: typeof good.ids = fc.constant({ secret: '{{new invited.secret}}' })
  const own = fc.record({ ...good, ids: toThem, who: fc.constant(bearer('new invited')) })
  const takesBody = Object.keys(operation.body).length > 0
  const takesQuery = operation.parameters.some((parameter) => parameter.in === 'query')
  const spoiled = (part: keyof typeof good) => fc.record({ ...good, [part]: bad[part] })
  return fc
    .oneof(
      { weight: 9, arbitrary: operation.id === 'acceptInvitation' ? fc.oneof(whole, own, own) : whole },
      { weight: 2, arbitrary: spoiled('ids') },
      { weight: takesQuery ? 4 : 1, arbitrary: spoiled('query') },
      { weight: 1, arbitrary: spoiled('who') },
      { weight: 1, arbitrary: spoiled('headers') },
      { weight: takesBody ? 5 : 1, arbitrary: spoiled('payload') },
    )
    .map(({ ids, query, who, headers, payload }) => ({
      method: operation.method,
      path: operation.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => ids[name] ?? '') + query,
      headers: { ...who, ...payload?.headers, ...headers },
      payload,
    }))
}
