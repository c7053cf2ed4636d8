import type { FieldError } from '@casebook/contract/problem'
import { Ajv, type ErrorObject, type Options } from 'ajv'
import type { FastifySchemaCompiler } from 'fastify'

import { invalid, MAX_FIELD_ERRORS } from '../problems.ts'
import { parseTimestamp } from './timestamps.ts'

/** Well-formed Unicode without NUL: what PostgreSQL can store. */
const isText = (text: string) => text.isWellFormed() && !text.includes('\0')

function createAjv(options: Options): Ajv {
  const ajv = new Ajv({ strict: false, ...options })
  ajv.addFormat('text', isText)
  ajv.addFormat('timestamp', (text: string) => parseTimestamp(text) !== null)
  ajv.addFormat('date-time', true)
  ajv.addKeyword({
    keyword: 'x-trim',
    type: 'string',
    modifying: true,
    before: 'maxLength',
    validate: (
      _on: boolean,
      text: string,
      _schema: unknown,
      where?: { parentData: unknown; parentDataProperty: unknown },
    ) => {
      const trimmed = text.trim()
      if (where !== undefined && trimmed.length !== text.length) {
        Object.assign(where.parentData as object, { [String(where.parentDataProperty)]: trimmed })
      }
      return true
    },
  })
  return ajv
}

// Bodies say what they mean and are taken at their word: "5" is no integer. Queries are all text and are coerced.
const first = { body: createAjv({}), query: createAjv({ coerceTypes: true, useDefaults: true }) }
const every = {
  body: createAjv({ allErrors: true }),
  query: createAjv({ coerceTypes: true, useDefaults: true, allErrors: true }),
}

/**
 * Compiles a contract's schemas for Fastify. A valid request is checked by a validator that stops at the first error;
 * only an invalid one is gone through again to name every bad field.
 */
export const validatorCompiler: FastifySchemaCompiler<object> = ({ schema, httpPart }) => {
  const part = httpPart === 'body' ? 'body' : 'query'
  const isValid = first[part].compile(schema)
  const findEvery = every[part].compile(schema)
  return (data: unknown) => {
    if (isValid(data)) return { value: data }
    const errors = inSlices(data).flatMap(([slice, at]) =>
      findEvery(slice) ? [] : (findEvery.errors ?? []).map(toFieldError(at)),
    )
    const shown = errors.length > 0 ? errors : (isValid.errors ?? []).map(toFieldError({ field: '', offset: 0 }))
    return { error: invalid(uniquePaths(shown)) }
  }
}

interface SlicePlace {
  field: string
  offset: number
}
const SLICE = 1000
const MAX_SLICES = 200

/**
 * A body whose longest array has thousands of items, cut into bodies with a thousand each: a hostile 10 MB of `{}`
 * would otherwise give millions of errors at once. Slices past {@link MAX_SLICES} are not looked at.
 */
function inSlices(data: unknown): [unknown, SlicePlace][] {
  if (typeof data !== 'object' || data === null) return [[data, { field: '', offset: 0 }]]
  const long = Object.entries(data).find(([, value]) => Array.isArray(value) && value.length > SLICE)
  if (long === undefined) return [[data, { field: '', offset: 0 }]]
  const [field, items] = long as [string, unknown[]]
  const slices: [unknown, SlicePlace][] = []
  for (let offset = 0; offset < items.length && slices.length < MAX_SLICES; offset += SLICE) {
    slices.push([
      { ...data, [field]: items.slice(offset, offset + SLICE) },
      { field, offset },
    ])
  }
  return slices
}

function uniquePaths(errors: FieldError[]): FieldError[] {
  const byPath = new Map<string, FieldError>()
  for (const error of errors) {
    if (!byPath.has(error.path)) byPath.set(error.path, error)
    if (byPath.size >= MAX_FIELD_ERRORS) break
  }
  return [...byPath.values()]
}

const toFieldError =
  ({ field, offset }: SlicePlace) =>
  (error: ErrorObject): FieldError => {
    const missing = error.keyword === 'required' ? `/${error.params['missingProperty']}` : ''
    const path = error.instancePath.replace(/^\/([^/]+)\/(\d+)/, (whole, name: string, index: string) =>
      name === field ? `/${name}/${Number(index) + offset}` : whole,
    )
    return { path: path + missing, message: explain(error) }
  }

const typeNames: Record<string, string> = {
  string: 'text',
  integer: 'a whole number',
  number: 'a number',
  boolean: 'true or false',
  array: 'a list',
  object: 'a JSON object',
  null: 'null',
}

function explain({ keyword, params, message }: ErrorObject): string {
  switch (keyword) {
    case 'required':
      return 'is required'
    case 'type':
      return `must be ${[params['type']]
        .flat()
        .map((type) => typeNames[String(type)] ?? String(type))
        .join(' or ')}`
    case 'enum':
      return `must be one of ${(params['allowedValues'] as (string | null)[]).filter((value) => value !== null).join(', ')}`
    case 'minLength':
      return 'must not be empty'
    case 'maxLength':
      return `must be at most ${params['limit']} characters long`
    case 'maxItems':
      return `must have at most ${params['limit']} items`
    case 'minimum':
      return `must be ${params['limit']} or more`
    case 'maximum':
      return `must be ${params['limit']} or less`
    case 'format':
      return params['format'] === 'timestamp'
        ? 'must be a time such as 2026-11-21T09:30:00Z, or a date such as 2026-11-21'
        : 'must be well-formed Unicode without NUL characters'
    case 'pattern':
      return params['pattern'] === '^[A-Z]{2,5}$'
        ? 'must be 2 to 5 uppercase letters'
        : `must match ${params['pattern']}`
    default:
      return message ?? 'is not valid'
  }
}
