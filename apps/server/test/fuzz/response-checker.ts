import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'

import type { Operation, Schema } from './document.ts'
import type { Reply } from './send.ts'

const ajv = new Ajv2020({ strict: false, allErrors: true })
ajv.addFormat('date-time', /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/)
ajv.addFormat('text', true)

/** The schema without its words, and with no room for a property that it does not name. */
function closed(schema: Schema): Schema {
  const { properties, items } = schema
  const named = Object.entries(properties ?? {}).map(([name, each]) => [name, closed(each)])
  return {
    ...schema,
    description: undefined,
    examples: undefined,
    ...(items === undefined ? {} : { items: closed(items) }),
    ...(properties === undefined ? {} : { properties: Object.fromEntries(named), additionalProperties: false }),
  }
}

const compiled = new Map<string, ValidateFunction>()

/** Most operations answer the same problems. */
function compile(schema: Schema): ValidateFunction {
  const text = JSON.stringify(closed(schema))
  const validator = compiled.get(text) ?? ajv.compile(JSON.parse(text) as Schema)
  compiled.set(text, validator)
  return validator
}

const utf8 = new TextDecoder('utf-8', { fatal: true })

/** Says everything that is wrong with a reply; nothing when it is right. */
export type ResponseChecker = (reply: Reply) => string[]

/** Judges the replies to an operation by the document alone. */
export function createResponseChecker({ responses }: Operation): ResponseChecker {
  const validators = new Map<string, ValidateFunction>()
  for (const [status, { content = {} }] of Object.entries(responses)) {
    for (const [type, { schema }] of Object.entries(content)) validators.set(`${status} ${type}`, compile(schema))
  }
  return ({ status, headers, body }) => {
    const complaints: string[] = []
    if (status >= 500) complaints.push(`it is a ${status}`)
    if (headers['x-request-id'] === undefined) complaints.push('it has no X-Request-Id')
    const declared = responses[String(status)]
    if (declared === undefined) return [...complaints, `${status} is not declared`]
    const types = Object.keys(declared.content ?? {})
    if (types.length === 0) {
      if (body.length > 0) complaints.push('it has a body, and none is declared')
      return complaints
    }
    const type = /^([^;]*)/.exec(String(headers['content-type'] ?? ''))?.[1] ?? ''
    const isValid = validators.get(`${status} ${type}`)
    if (isValid === undefined) return [...complaints, `its type is ${type}, and ${types.join(', ')} is declared`]
    const value = parse(body)
    if (value instanceof Error) return [...complaints, `its body is no JSON: ${value.message}`]
    if (!isValid(value)) complaints.push(`its body is not as declared: ${ajv.errorsText(isValid.errors)}`)
    if (status >= 400) complaints.push(...ofProblem(value as Partial<Problem>, status, headers))
    return complaints
  }
}

interface Problem {
  status: number
  code: string
}

function ofProblem({ code, status: said }: Partial<Problem>, status: number, headers: Reply['headers']): string[] {
  return [
    ...(/^[a-z]+(?:_[a-z]+)*$/.test(code ?? '') ? [] : [`its code is ${code}`]),
    ...(said === status ? [] : [`it says that its status is ${said}`]),
    ...(status === 401 && headers['www-authenticate'] === undefined ? ['it does not say how to authenticate'] : []),
  ]
}

function parse(body: Buffer): unknown {
  try {
    return JSON.parse(utf8.decode(body)) as unknown
  } catch (error) {
    return error
  }
}
