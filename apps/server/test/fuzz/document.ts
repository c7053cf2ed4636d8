import type { Permission } from '@caseward/contract/endpoint'

import type { TestServer } from '@caseward/test-support/test-server'

/** As much of JSON Schema as the document uses. */
export interface Schema {
  type?: string | string[]
  enum?: unknown[]
  const?: unknown
  properties?: Record<string, Schema>
  required?: string[]
  items?: Schema
  format?: string
  pattern?: string
  minLength?: number
  maxLength?: number
  minimum?: number
  maximum?: number
  maxItems?: number
  'x-trim'?: boolean
  maxProperties?: number
  propertyNames?: Schema
  /** What properties with names of the caller's choice are. */
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

/** One operation of the document, as a program sees it that knows nothing else of the service. */
export interface Operation {
  id: string
  method: string
  path: string
  permission: Permission
  parameters: Parameter[]
  /** Empty for an operation that takes no body. */
  body: Content
  /** What it may answer, by status. One without content has an empty body. */
  responses: Record<string, { content?: Content }>
}

interface Described {
  operationId: string
  description: string
  parameters?: Parameter[]
  requestBody?: { content: Content }
  responses: Operation['responses']
}

/** Reads what the service says of itself at `/openapi.json`. */
export async function readOperations(server: TestServer): Promise<Operation[]> {
  const { body } = await server.request<{ paths: Record<string, Record<string, Described>> }>('GET', '/openapi.json')
  return Object.entries(body.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { operationId, description, parameters = [], requestBody, responses }]) => ({
      id: operationId,
      method: method.toUpperCase(),
      path,
      permission: permissionIn(description),
      parameters,
      body: requestBody?.content ?? {},
      responses,
    })),
  )
}

function permissionIn(description: string): Permission {
  const permission = /Permission: `([a-z:-]+)`/.exec(description)?.[1]
  if (permission === undefined) throw new Error(`No permission is named in ${JSON.stringify(description)}`)
  return permission as Permission
}

/** The types that a schema allows; null is one of them. */
export const listTypes = ({ type, enum: values, const: only }: Schema): string[] => {
  if (type !== undefined) return [type].flat()
  const known = values ?? (only === undefined ? [] : [only])
  return [...new Set(known.map((value) => (value === null ? 'null' : typeof value)))]
}
