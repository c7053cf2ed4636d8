import { type FieldError, MAX_FIELD_ERRORS } from '@caseward/contract/problem'
import { EMAIL_PATTERN, IF_MATCH_PATTERN, UUID_PATTERN } from '@caseward/contract/schemas'
import { POSITION_PATTERN } from '@caseward/contract/test-case-batches'
import { cleanName } from '@caseward/matching/clean-name'
import { Ajv, type ErrorObject, type Options, type ValidateFunction } from 'ajv'

import { invalidProblem } from './problems.ts'
import { createYielder, waitInLongRound } from '../yielder.ts'
import { sliceBody } from './body-slices.ts'
import { isName, isText, isVisibleText } from './text-formats.ts'
import { parseTimestamp } from './timestamps.ts'

const formats: Record<string, (text: string) => boolean> = {
  text: isText,
  name: isName,
  'idn-email': isVisibleText,
  timestamp: (text) => parseTimestamp(text) !== null,
}

/** A longer name is invalid also without the characters that `x-clean` removes, unless it consists of little else. */
const MAX_CLEANED_LENGTH = 4000

/** The keywords that change a string before it is validated. */
const conversions: Record<string, (text: string) => string> = {
  'x-clean': (text) => (text.length <= MAX_CLEANED_LENGTH ? cleanName(text) : text),
  'x-trim': (text) => text.trim(),
}

function createAjv(options: Options): Ajv {
  // The compiler checks our schemas: to validate them with that of JSON Schema takes a tenth of the time of the start.
  const ajv = new Ajv({ strict: false, meta: false, validateSchema: false, ...options })
  for (const [name, isValid] of Object.entries(formats)) ajv.addFormat(name, isValid)
  ajv.addFormat('date-time', true)
  // In the order in which they apply: each is added directly before `maxLength`.
  for (const [keyword, convert] of Object.entries(conversions)) addConversion(ajv, keyword, convert)
  return ajv
}

interface FieldContext {
  parentData: unknown
  parentDataProperty: unknown
}

function addConversion(ajv: Ajv, keyword: string, convert: (text: string) => string): void {
  ajv.addKeyword({
    keyword,
    type: 'string',
    modifying: true,
    before: 'maxLength',
    validate: (_on: boolean, text: string, _schema: unknown, context?: FieldContext) => {
      const converted = convert(text)
      if (context !== undefined && converted !== text) {
        Object.assign(context.parentData as object, { [String(context.parentDataProperty)]: converted })
      }
      return true
    },
  })
}

// Bodies are not coerced: "5" is not an integer. Query parameters are always text and are coerced.
// A single value of a parameter that can be repeated becomes a list.
const queryOptions = { coerceTypes: 'array', useDefaults: true } as const
const firstErrorAjv = { body: createAjv({}), query: createAjv(queryOptions) }
const allErrorsAjv = { body: createAjv({ allErrors: true }), query: createAjv({ ...queryOptions, allErrors: true }) }

/**
 * Compiles a schema for Fastify. A validator that stops at the first error checks every request; only an invalid one is
 * validated again to find all invalid fields, or as many as the response lists.
 */
export function compileValidator(schema: object, part: 'body' | 'query') {
  const isValid = firstErrorAjv[part].compile(schema)
  let validateAll: ValidateFunction | undefined
  /** @throws {Problem} 400, always */
  async function throwAllErrors(data: unknown, firstErrors: readonly ErrorObject[]): Promise<never> {
    // A body of 4 KB can have a thousand errors, and hundreds of them can arrive together.
    await waitInLongRound()
    // Compiled when needed: most routes never get an invalid request, and a validator takes memory.
    validateAll ??= allErrorsAjv[part].compile(schema)
    const byPath = new Map<string, FieldError>()
    const getPath = part === 'body' ? getErrorPath : getParameterPath
    // The slices do not show that a list is too long; the first error may.
    addErrors(byPath, firstErrors, 0, getPath)
    const yielder = createYielder(1)
    for (const { slice, pathPrefix, offset } of sliceBody(data, schema)) {
      if (yielder.shouldYield()) await yielder.yield()
      if (!validateAll(slice)) addErrors(byPath, validateAll.errors?.filter(isBelow(pathPrefix)) ?? [], offset, getPath)
      // One more than the response lists, so that it reports that there are more.
      if (byPath.size > MAX_FIELD_ERRORS) break
    }
    throw invalidProblem([...byPath.values()])
  }
  return (data: unknown) => (isValid(data) ? { value: data } : throwAllErrors(data, isValid.errors ?? []))
}

/** Compiles a check of data that does not come from a request, with the rules of a body. */
export const compileCheck = (schema: object): ((data: unknown) => boolean) => firstErrorAjv.body.compile(schema)

const isBelow = (path: string) => (error: ErrorObject) => error.instancePath.startsWith(path)

function addErrors(
  byPath: Map<string, FieldError>,
  errors: readonly ErrorObject[],
  offset: number,
  getPath: (error: ErrorObject, offset: number) => string,
): void {
  for (const error of errors) {
    // It repeats the errors of the branch that applies.
    if (error.keyword === 'if') continue
    const path = getPath(error, offset)
    if (!byPath.has(path)) byPath.set(path, { path, message: describeError(error) })
  }
}

function getErrorPath({ instancePath, keyword, params }: ErrorObject, offset: number): string {
  const missing = keyword === 'required' ? `/${params['missingProperty']}` : ''
  if (offset === 0) return instancePath + missing
  const toWholeList = (_: string, field: string, index: string) => `/${field}/${Number(index) + offset}`
  return instancePath.replace(/^\/([^/]+)\/(\d+)/, toWholeList) + missing
}

/** A query has no positions: one value of a repeated parameter has the path of the parameter. */
const getParameterPath = (error: ErrorObject, offset: number) => getErrorPath(error, offset).replace(/\/\d+$/, '')

const typeNames: Record<string, string> = {
  string: 'text',
  integer: 'a whole number',
  number: 'a number',
  boolean: 'true or false',
  array: 'a list',
  object: 'a JSON object',
  null: 'null',
}

const patternNames = new Map<string, string>([
  ['^[A-Z]{2,5}$', 'must be 2 to 5 uppercase letters'],
  [EMAIL_PATTERN, 'must be an email address'],
  [UUID_PATTERN, 'must be an id as the API returns it'],
  [IF_MATCH_PATTERN, 'must be the version in double quotes, such as "7", or *'],
  [POSITION_PATTERN, 'must be a position as the API returns it'],
])

const formatMessages: Record<string, string> = {
  text: 'must be well-formed Unicode without NUL characters',
  name: 'must be well-formed Unicode without control characters, invisible characters and characters that change the direction of text',
  'idn-email': 'must be an email address without spaces and invisible characters',
  timestamp: 'must be a time such as 2026-11-21T09:30:00Z, or a date such as 2026-11-21',
}

function describeError({ keyword, params, message, propertyName }: ErrorObject): string {
  if (propertyName !== undefined)
    return `has a name that ${describeError({ keyword, params, instancePath: '', schemaPath: '' })}`
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
      return params['limit'] === 1 ? 'must not be empty' : `must be at least ${params['limit']} characters long`
    case 'maxLength':
      return `must be at most ${params['limit']} characters long`
    case 'maxItems':
      return `must have at most ${params['limit']} items`
    case 'maxProperties':
      return `must have at most ${params['limit']} entries`
    case 'minimum':
      return `must be ${params['limit']} or more`
    case 'maximum':
      return `must be ${params['limit']} or less`
    case 'format':
      return formatMessages[String(params['format'])] ?? 'is invalid'
    case 'pattern':
      return patternNames.get(String(params['pattern'])) ?? `must match ${params['pattern']}`
    default:
      return message ?? 'is invalid'
  }
}
