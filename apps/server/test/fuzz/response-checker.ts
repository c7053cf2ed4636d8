import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'

import type { Operation, Schema } from './read-operations.ts'
import type { RawResponse } from './raw-http.ts'

const ajv = new Ajv2020({ strict: false, allErrors: true })
ajv.addFormat('date-time', /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/)
for (const format of ['text', 'name', 'idn-email']) ajv.addFormat(format, true)

/** Removes the texts of a schema and forbids properties that it does not name. */
function closeSchema(schema: Schema): Schema {
  const { properties, items, anyOf } = schema
  const named = Object.entries(properties ?? {}).map(([name, property]) => [name, closeSchema(property)])
  return {
    ...schema,
    description: undefined,
    examples: undefined,
    ...(items === undefined ? {} : { items: closeSchema(items) }),
    ...(anyOf === undefined ? {} : { anyOf: anyOf.map(closeSchema) }),
    ...(properties === undefined ? {} : { properties: Object.fromEntries(named), additionalProperties: false }),
  }
}

const sharedValidators = new Map<string, ValidateFunction>()

/** Validators are shared, because most operations have the same problems. */
function compile(schema: Schema): ValidateFunction {
  const text = JSON.stringify(closeSchema(schema))
  const validator = sharedValidators.get(text) ?? ajv.compile(JSON.parse(text) as Schema)
  sharedValidators.set(text, validator)
  return validator
}

const utf8 = new TextDecoder('utf-8', { fatal: true })

/** Returns all faults of a response. */
export type ResponseChecker = (response: RawResponse) => string[]

/** Creates a function that checks responses of an operation against the OpenAPI document. */
export function createResponseChecker({ responses }: Operation): ResponseChecker {
  const validators = new Map<string, ValidateFunction>()
  for (const [status, { content = {} }] of Object.entries(responses)) {
    for (const [type, { schema }] of Object.entries(content)) validators.set(`${status} ${type}`, compile(schema))
  }
  return ({ status, headers, body }) => {
    const faults: string[] = []
    if (status >= 500) faults.push(`it is a ${status}`)
    if (headers['x-request-id'] === undefined) faults.push('it has no X-Request-Id')
    const declared = responses[String(status)]
    if (declared === undefined) return [...faults, `${status} is not declared`]
    const types = Object.keys(declared.content ?? {})
    if (types.length === 0) {
      if (body.length > 0) faults.push('it has a body, and none is declared')
      return faults
    }
    const type = /^([^;]*)/.exec(String(headers['content-type'] ?? ''))?.[1] ?? ''
    if (types.includes('*/*')) return faults
    const isValid = validators.get(`${status} ${type}`)
    if (isValid === undefined) return [...faults, `its type is ${type}, and ${types.join(', ')} is declared`]
    if (type === 'text/csv' || type === 'text/event-stream') return faults
    const value = parse(body)
    if (value instanceof Error) return [...faults, `its body is not JSON: ${value.message}`]
    if (!isValid(value)) faults.push(`its body is not as declared: ${ajv.errorsText(isValid.errors)}`)
    if (status >= 400) faults.push(...checkProblem(value as Partial<Problem>, status, headers))
    return faults
  }
}

interface Problem {
  status: number
  code: string
}

function checkProblem(
  { code, status: statusInBody }: Partial<Problem>,
  status: number,
  headers: RawResponse['headers'],
): string[] {
  return [
    ...(/^[a-z]+(?:_[a-z]+)*$/.test(code ?? '') ? [] : [`its code is ${code}`]),
    ...(statusInBody === status ? [] : [`the status in its body is ${statusInBody}`]),
    ...(status === 401 && headers['www-authenticate'] === undefined ? ['it has no WWW-Authenticate'] : []),
  ]
}

function parse(body: Buffer): unknown {
  try {
    return JSON.parse(utf8.decode(body)) as unknown
  } catch (error) {
    return error
  }
}
