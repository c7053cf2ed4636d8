import type { Readable } from 'node:stream'

import type { Static } from '@caseward/contract/static'
import type {
  FastifyBaseLogger,
  FastifyInstance,
  FastifyReply,
  FastifyTypeProvider,
  RawReplyDefaultExpression,
  RawRequestDefaultExpression,
  RawServerDefault,
} from 'fastify'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Media types besides JSON that a body may have. */
    otherMediaTypes?: readonly string[]
    /** Whether a success is a response that stays open; see `event-stream.ts`. */
    isEventStream?: boolean
  }
}

/** Says what a schema of the contract means for a handler. */
export interface ContractTypes extends FastifyTypeProvider {
  validator: Static<this['schema']>
  serializer: Static<this['schema']>
}

/** The Fastify instance with the contract's types flowing from schema to handler. */
export type App = FastifyInstance<
  RawServerDefault,
  RawRequestDefaultExpression,
  RawReplyDefaultExpression,
  FastifyBaseLogger,
  ContractTypes
>

/** Sends serialized JSON without validation. A test checks these responses against their schemas. */
export function sendJson(reply: Pick<FastifyReply, 'header' | 'send'>, json: string | Buffer | Readable) {
  void reply.header('content-type', 'application/json; charset=utf-8')
  return reply.send(json)
}
