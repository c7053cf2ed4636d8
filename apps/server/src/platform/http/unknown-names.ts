import { MAX_WARNINGS, type UnknownFieldWarning } from '@caseward/contract/problem'
import { distance } from 'fastest-levenshtein'
import type { FastifyReply, FastifyRequest } from 'fastify'

import type { App } from './app.ts'
import { Problem } from './problems.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** The first unknown fields of the body; null for none. */
    unknownFields: UnknownFieldWarning[] | null
  }
}

/** The fields of an object, or those of the items of a list. Null where any name is allowed, or there are none. */
interface Shape {
  fields: ReadonlyMap<string, Shape | null> | null
  items: Shape | null
}

interface Schema {
  properties?: Record<string, Schema>
  additionalProperties?: unknown
  patternProperties?: unknown
  items?: Schema
  anyOf?: Schema[]
}

interface Endpoint {
  operationId?: string
  querystring?: Schema
  body?: Schema
}

/**
 * Refuses unknown query parameters of requests that change something: `?dryRun=true` must not store what `?dry_run=true` would
 * not. Unknown fields of bodies stay allowed, for clients that are newer than the server, but the response lists them.
 */
export function reportUnknownNames(app: App): void {
  app.decorateRequest('unknownFields', null)
  app.addHook('onRoute', (route) => {
    const { operationId, querystring, body } = (route.schema ?? {}) as Endpoint
    if (route.method === 'GET' || route.method === 'HEAD' || operationId === undefined) return
    const parameters = Object.keys(querystring?.properties ?? {})
    const shape = toShape(body)
    const check = (request: FastifyRequest, _reply: FastifyReply, done: (error?: Error) => void) => {
      request.unknownFields = findUnknownFields(request.body, shape)
      done(checkParameters(request, parameters) ?? undefined)
    }
    // Before those of the route itself.
    route.preHandler = [check, ...[route.preHandler ?? []].flat()]
  })
  app.addHook('onSend', (request, reply, payload, done) => {
    const { unknownFields } = request
    const isObject = typeof payload === 'string' && payload.startsWith('{') && payload.length > 2
    if (unknownFields === null || reply.statusCode >= 300 || !isObject) done()
    else done(null, `${payload.slice(0, -1)},"warnings":${JSON.stringify(unknownFields)}}`)
  })
}

function checkParameters({ query }: FastifyRequest, known: readonly string[]): Problem | null {
  const unknown = Object.keys(query as object).filter((name) => !known.includes(name))
  const [first] = unknown
  if (first === undefined) return null
  const fields = unknown.map((name) => ({ path: `/${name}`, message: describeUnknown(name, known) }))
  return new Problem(400, 'unknown_parameter', `The query parameter ${first} ${describeUnknown(first, known)}.`, {
    fields,
  })
}

function describeUnknown(name: string, known: readonly string[]): string {
  const nearest = findNearest(name, known)
  if (nearest !== null) return `is unknown: use ${nearest}`
  return known.length === 0 ? 'is unknown: this endpoint has no parameters' : 'is unknown: remove it'
}

/** A wrong name is usually in all items of a list. */
const ITEMS_PER_LIST = 100

function findUnknownFields(body: unknown, shape: Shape | null): UnknownFieldWarning[] | null {
  if (shape === null || typeof body !== 'object' || body === null) return null
  const warnings: UnknownFieldWarning[] = []
  const visit = (value: unknown, { fields, items }: Shape, path: string): void => {
    if (typeof value !== 'object' || value === null) return
    if (Array.isArray(value)) {
      if (items === null) return
      for (const [index, item] of value.slice(0, ITEMS_PER_LIST).entries()) visit(item, items, `${path}/${index}`)
      return
    }
    if (fields === null) return
    for (const name in value) {
      if (warnings.length === MAX_WARNINGS) return
      const field = fields.get(name)
      if (field === undefined) warnings.push(toWarning(`${path}/${escapePointer(name)}`, name, [...fields.keys()]))
      else if (field !== null) visit((value as Record<string, unknown>)[name], field, `${path}/${escapePointer(name)}`)
    }
  }
  visit(body, shape, '')
  return warnings.length === 0 ? null : warnings
}

const MAX_NAME_LENGTH = 100

function toWarning(field: string, name: string, known: readonly string[]): UnknownFieldWarning {
  const nearest = findNearest(name, known)
  return {
    code: 'unknown_field',
    field: field.slice(0, MAX_NAME_LENGTH),
    ...(nearest === null ? {} : { did_you_mean: nearest }),
  }
}

/** RFC 6901 */
const escapePointer = (name: string): string => name.replaceAll('~', '~0').replaceAll('/', '~1')

/** Returns the known name that a name is probably meant to be: at most a third of its letters differ. */
export function findNearest(name: string, known: readonly string[]): string | null {
  if (name.length > MAX_NAME_LENGTH) return null
  const simplify = (text: string) => text.toLowerCase().replaceAll(/[^a-z0-9]/g, '')
  const simple = simplify(name)
  let nearest: string | null = null
  let least = Math.floor(simple.length / 3) + 1
  for (const candidate of known) {
    const difference = distance(simple, simplify(candidate))
    if (difference >= least) continue
    least = difference
    nearest = candidate
  }
  return nearest
}

function toShape(schema: Schema | undefined): Shape | null {
  if (schema === undefined) return null
  const options = schema.anyOf?.map(toShape).filter((shape) => shape !== null) ?? []
  if (options.length > 0) {
    const lists = options.flatMap(({ fields }) => (fields === null ? [] : [...fields]))
    return {
      fields: lists.length === 0 ? null : new Map(lists),
      items: options.find(({ items }) => items)?.items ?? null,
    }
  }
  if (schema.items !== undefined) {
    const items = toShape(schema.items)
    return items === null ? null : { fields: null, items }
  }
  if (schema.properties === undefined || schema.patternProperties !== undefined) return null
  return {
    fields: new Map(Object.entries(schema.properties).map(([name, field]) => [name, toShape(field)])),
    items: null,
  }
}
