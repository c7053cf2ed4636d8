import fastJsonStringify from 'fast-json-stringify'
import type { FastifySchemaCompiler } from 'fastify'
import type { FastifySerializerCompiler, FastifyValidationResult } from 'fastify/types/schema.js'

import type { App } from './app.ts'
import { compileValidator } from './validation.ts'

/** What is compiled already, by schema. Services of one process share it, as those of tests do. */
const serializers = new WeakMap<object, (data: unknown) => string>()
const validators = {
  body: new WeakMap<object, (data: unknown) => unknown>(),
  query: new WeakMap<object, (data: unknown) => unknown>(),
}

/** The schemas of headers by their text. */
const headers = new Map<string, object>()

/** Fastify copies the schema of headers for each route of each service: nearly all of these say the same. */
function toSharedSchema(schema: object): object {
  const text = JSON.stringify(schema)
  const shared = headers.get(text) ?? schema
  headers.set(text, shared)
  return shared
}

/**
 * Compiles each schema when a request first needs it, which takes it a few milliseconds. All of them take a second of a processor and
 * 15 MB, and most services never use most of them.
 */
export function compileSchemas(app: App): void {
  function compileLazily<T>(compiled: WeakMap<object, T>, schema: object, compile: () => T): () => T {
    let own: T | undefined
    const find = (): T => {
      const result = compiled.get(schema) ?? compile()
      compiled.set(schema, result)
      return result
    }
    // Each request comes here.
    return () => (own ??= find())
  }

  const validatorCompiler: FastifySchemaCompiler<object> = ({ schema, httpPart }) => {
    const part = httpPart === 'body' ? 'body' : 'query'
    const shared = httpPart === 'headers' ? toSharedSchema(schema) : schema
    const getValidator = compileLazily(validators[part], shared, () => compileValidator(shared, part))
    // Fastify awaits a promise, but its type for one has a brand that no promise has.
    return (data: unknown) => getValidator()(data) as ReturnType<FastifyValidationResult>
  }
  const serializerCompiler: FastifySerializerCompiler<object> = ({ schema, httpStatus }) => {
    // Problems are serialized without a schema (errors.ts).
    if (Number(httpStatus) >= 400) return JSON.stringify
    const getSerializer = compileLazily(serializers, schema, () => fastJsonStringify(schema))
    return (data: unknown) => getSerializer()(data)
  }
  app.setValidatorCompiler(validatorCompiler)
  app.setSerializerCompiler(serializerCompiler)
}
