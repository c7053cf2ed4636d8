import type { Readable } from 'node:stream'

import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox'
import type {
  FastifyBaseLogger,
  FastifyInstance,
  FastifyReply,
  RawReplyDefaultExpression,
  RawRequestDefaultExpression,
  RawServerDefault,
} from 'fastify'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Media types that a body may have besides JSON. */
    otherMediaTypes?: readonly string[]
  }
}

/** The Fastify instance with the contract's types flowing from schema to handler. */
export type App = FastifyInstance<
  RawServerDefault,
  RawRequestDefaultExpression,
  RawReplyDefaultExpression,
  FastifyBaseLogger,
  TypeBoxTypeProvider
>

/** Sends what is JSON already, as it is. A test holds such answers against their schemas. */
export function sendJson(reply: Pick<FastifyReply, 'header' | 'send'>, json: string | Readable) {
  void reply.header('content-type', 'application/json; charset=utf-8')
  return reply.send(json)
}
