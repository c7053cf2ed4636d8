import fastJsonStringify from 'fast-json-stringify'
import type { FastifyBaseLogger, FastifySchemaCompiler } from 'fastify'
import type { FastifySerializerCompiler, FastifyValidationResult } from 'fastify/types/schema.js'

import { yieldToEventLoop } from '../yielder.ts'
import type { App } from './app.ts'
import { compileValidator } from './validation.ts'

/**
 * Has each schema compiled when a request first needs it, and all that are left once the service listens: to compile
 * them before takes a third of its start.
 */
export function compileSchemas(app: App, log: FastifyBaseLogger): void {
  const waiting: (() => unknown)[] = []
  function later<T>(compile: () => T): () => T {
    let compiled: T | undefined
    const get = () => (compiled ??= compile())
    waiting.push(get)
    return get
  }

  const validators: FastifySchemaCompiler<object> = ({ schema, httpPart }) => {
    const validate = later(() => compileValidator(schema, httpPart === 'body' ? 'body' : 'query'))
    // Fastify waits for a promise; its type of one has a brand that no promise has.
    return (data: unknown) => validate()(data) as ReturnType<FastifyValidationResult>
  }
  const serializers: FastifySerializerCompiler<object> = ({ schema, httpStatus }) => {
    // Problems are serialised as they are (`errors.ts`).
    if (Number(httpStatus) >= 400) return JSON.stringify
    const serialize = later(() => fastJsonStringify(schema))
    return (data: unknown) => serialize()(data)
  }
  app.setValidatorCompiler(validators)
  app.setSerializerCompiler(serializers)
  app.addHook('onListen', () => {
    compileAll(waiting).catch((error: unknown) => log.error({ err: error }, 'a schema cannot be compiled'))
  })
}

async function compileAll(waiting: readonly (() => unknown)[]): Promise<void> {
  for (const compile of waiting) {
    await yieldToEventLoop()
    compile()
  }
}
