import type { Permission } from '@caseward/contract/endpoint'

import type { TestServer } from '@caseward/test-support/test-server'

/** The part of JSON Schema that the OpenAPI document uses. */
export interface Schema {
  type?: string | string[]
  enum?: unknown[]
  const?: unknown
  properties?: Record<string, Schema>
  required?: string[]
  items?: Schema
  anyOf?: Schema[]
  format?: string
  pattern?: string
  minLength?: number
  maxLength?: number
  minimum?: number
  maximum?: number
  maxItems?: number
  'x-clean'?: boolean
  'x-trim'?: boolean
  maxProperties?: number
  propertyNames?: Schema
  /** The schema of properties whose names the caller chooses. */
  additionalProperties?: Schema | boolean
  description?: string | undefined
  examples?: unknown[] | undefined
}

export interface Parameter {
  in: 'path' | 'query'
  name: string
  schema: Schema
}

/** Schemas by media type. */
type Content = Record<string, { schema: Schema }>

/** One operation of the OpenAPI document. */
export interface Operation {
  id: string
  method: string
  path: string
  permission: Permission
  parameters: Parameter[]
  /** Empty for an operation that takes no body. */
  body: Content
  /** The documented responses by status. A response without content has an empty body. */
  responses: Record<string, { content?: Content }>
}

interface OpenApiOperation {
  operationId: string
  description: string
  parameters?: Parameter[]
  requestBody?: { content: Content }
  responses: Operation['responses']
}

/** Reads all operations from `/openapi.json`. */
export async function readOperations(server: TestServer): Promise<Operation[]> {
  const { body } = await server.request<{ paths: Record<string, Record<string, OpenApiOperation>> }>(
    'GET',
    '/openapi.json',
  )
  const paths = resolveReferences(body.paths, body) as typeof body.paths
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { operationId, description, parameters = [], requestBody, responses }]) => ({
      id: operationId,
      method: method.toUpperCase(),
      path,
      permission: parsePermission(description),
      parameters,
      body: requestBody?.content ?? {},
      responses,
    })),
  )
}

/** Puts what `$ref` refers to into its place. */
function resolveReferences(value: unknown, document: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map((item) => resolveReferences(item, document))
  if (!('$ref' in value)) {
    return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, resolveReferences(part, document)]))
  }
  const names = String(value.$ref).replace(/^#\//, '').split('/')
  const target = names.reduce<unknown>((part, name) => (part as Record<string, unknown>)[name], document)
  if (target === undefined) throw new Error(`The document has nothing at ${String(value.$ref)}`)
  return resolveReferences(target, document)
}

function parsePermission(description: string): Permission {
  const permission = /Permission: `([a-z:-]+)`/.exec(description)?.[1]
  if (permission === undefined) throw new Error(`No permission in the description ${JSON.stringify(description)}`)
  return permission as Permission
}

/** The types that a schema allows; null is one of them. */
export const listTypes = ({ type, enum: allowed, const: constant }: Schema): string[] => {
  if (type !== undefined) return [type].flat()
  const values = allowed ?? (constant === undefined ? [] : [constant])
  return [...new Set(values.map((value) => (value === null ? 'null' : typeof value)))]
}
