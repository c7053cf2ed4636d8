import fastJsonStringify from 'fast-json-stringify'
import type { FastifyBaseLogger, FastifySchemaCompiler } from 'fastify'
import type { FastifySerializerCompiler, FastifyValidationResult } from 'fastify/types/schema.js'

import { yieldToEventLoop } from '../yielder.ts'
import type { App } from './app.ts'
import { compileValidator } from './validation.ts'

/**
 * Compiles each schema when a request first needs it, and all remaining ones once the service listens: compiling them
 * before that takes a third of the start time.
 */
export function compileSchemas(app: App, log: FastifyBaseLogger): void {
  const pending: (() => unknown)[] = []
  function compileLazily<T>(compile: () => T): () => T {
    let compiled: T | undefined
    const get = () => (compiled ??= compile())
    pending.push(get)
    return get
  }

  const validators: FastifySchemaCompiler<object> = ({ schema, httpPart }) => {
    const getValidator = compileLazily(() => compileValidator(schema, httpPart === 'body' ? 'body' : 'query'))
    // Fastify awaits a promise, but its type for one has a brand that no promise has.
    return (data: unknown) => getValidator()(data) as ReturnType<FastifyValidationResult>
  }
  const serializers: FastifySerializerCompiler<object> = ({ schema, httpStatus }) => {
    // Problems are serialized without a schema (errors.ts).
    if (Number(httpStatus) >= 400) return JSON.stringify
    const getSerializer = compileLazily(() => fastJsonStringify(schema))
    return (data: unknown) => getSerializer()(data)
  }
  app.setValidatorCompiler(validators)
  app.setSerializerCompiler(serializers)
  app.addHook('onListen', () => {
    compileAll(pending).catch((error: unknown) => log.error({ err: error }, 'failed to compile a schema'))
  })
  // Compiling for a service that has ended would hold up others of the process, as in tests.
  app.addHook('onClose', (_app, done) => {
    pending.length = 0
    done()
  })
}

async function compileAll(pending: readonly (() => unknown)[]): Promise<void> {
  for (const compile of pending) {
    await yieldToEventLoop()
    compile()
  }
}
