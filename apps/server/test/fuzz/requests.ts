import fc from 'fast-check'

import type { Operation } from './read-operations.ts'
import { getHints } from './hints.ts'
import { existingIds, impossibleIds, unknownIds } from './ids.ts'
import { invalidPayload, validPayload, type Payload } from './payloads.ts'
import type { Hints } from './schema-values.ts'
import { anyCaller, withToken, permittedCallers, type Headers, unusualHeaders } from './callers.ts'
import { invalidQuery, validQuery } from './queries.ts'

/** A request, possibly with slots (`slots.ts`) that are filled before it is sent. */
export interface FuzzRequest {
  method: string
  /** With the query. */
  path: string
  headers: Headers
  payload: Payload | null
}

/** Generates requests to one operation. About half are valid; the others have one invalid part. */
export function generateRequests(operation: Operation): fc.Arbitrary<FuzzRequest> {
  const hints = getHints(operation)
  const valid = { ids: existingIds(operation), ...validParts(operation, hints) }
  const invalid: typeof valid = {
    ids: unknownIds(operation),
    query: invalidQuery(operation, hints),
    caller: anyCaller(operation),
    headers: unusualHeaders,
    payload: invalidPayload(operation, hints),
  }
  const validRequest = fc.record(valid)
  // A user can accept only an invitation to the user's own email address.
  const ownInvitation: typeof valid.ids = fc.constant({ secret: '{{new invited.secret}}' })
  const ownAcceptance = fc.record({ ...valid, ids: ownInvitation, caller: fc.constant(withToken('new invited')) })
  const takesBody = Object.keys(operation.body).length > 0
  const takesQuery = operation.parameters.some((parameter) => parameter.in === 'query')
  const withInvalid = (part: keyof typeof valid) => fc.record({ ...valid, [part]: invalid[part] })
  return fc
    .oneof(
      {
        // Of a body, more can be wrong.
        weight: takesBody ? 14 : 9,
        arbitrary:
          operation.id === 'acceptInvitation' ? fc.oneof(validRequest, ownAcceptance, ownAcceptance) : validRequest,
      },
      { weight: 2, arbitrary: withInvalid('ids') },
      { weight: takesQuery ? 4 : 1, arbitrary: withInvalid('query') },
      { weight: 1, arbitrary: withInvalid('caller') },
      { weight: 1, arbitrary: withInvalid('headers') },
      { weight: takesBody ? 5 : 1, arbitrary: withInvalid('payload') },
    )
    .map((parts) => toRequest(operation, parts))
}

/** Generates requests to one operation that are valid but for one id, which no row can have: at least one for each id. */
export function generateRequestsWithImpossibleIds(operation: Operation): fc.Arbitrary<FuzzRequest>[] {
  const hints = getHints(operation)
  return impossibleIds(operation).map((ids) =>
    fc.record({ ids, ...validParts(operation, hints) }).map((parts) => toRequest(operation, parts)),
  )
}

const validParts = (operation: Operation, hints: Hints) => ({
  query: validQuery(operation, hints),
  caller: permittedCallers(operation),
  headers: fc.constant<Headers>({}),
  payload: validPayload(operation, hints),
})

interface RequestParts {
  ids: Record<string, string>
  query: string
  caller: Headers
  headers: Headers
  payload: Payload | null
}

const toRequest = (operation: Operation, { ids, query, caller, headers, payload }: RequestParts): FuzzRequest => ({
  method: operation.method,
  path: operation.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => ids[name] ?? '') + query,
  headers: { ...caller, ...payload?.headers, ...headers },
  payload,
})
