// Writes src/endpoints.generated.ts: types and descriptors of all endpoints, from the built contract, so that users of the
// client do not install TypeBox. With --check it fails when the file is out of date.
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { isDeepStrictEqual } from 'node:util'

import { compile } from 'json-schema-to-typescript'

const contract = new URL('../../contract/', import.meta.url)
const target = new URL('../src/endpoints.generated.ts', import.meta.url)

const { acceptsIdempotencyKey } = await import(new URL('dist/idempotency.js', contract))

/** The limits that programs check before they send a request. */
const LIMITS = {
  BODY_LIMIT: 'Size limits of request bodies in bytes.',
  MAX_FILE_BYTES: 'Size limit of a file in one request.',
  MAX_AUTOMATION_KEY_LENGTH: 'Maximum length of an automation key in characters.',
  MAX_ESTIMATE: 'Longest estimate of a test in seconds.',
  MAX_IMPORT_ROWS: 'Maximum number of test cases of one import.',
}

/** Reads every module of the contract with its exported objects and limits; as JSON, TypeBox's symbols are gone. */
async function readContract() {
  const files = await readdir(new URL('src/', contract))
  return Promise.all(
    files.toSorted().map(async (file) => {
      const noun = file.replace(/\.ts$/, '')
      const exported = Object.entries(await import(new URL(`dist/${noun}.js`, contract)))
      const used = exported.filter(([name, value]) => typeof value === 'object' || Object.hasOwn(LIMITS, name))
      return { exports: used.map(([name, value]) => [name, JSON.parse(JSON.stringify(value))]) }
    }),
  )
}

const isStringList = (value) => Array.isArray(value) && value.every((item) => typeof item === 'string')
const isObjectSchema = (value) => value.type === 'object' && value.properties !== undefined
const isEndpoint = (value) => value.schema?.operationId !== undefined

/** Two schemas with the same shape are one type; descriptions and examples do not matter. */
const getShape = (schema) => ({ ...schema, description: undefined, examples: undefined })

/** RESULT_STATUSES → ResultStatus, PRIORITIES → Priority, TOKEN_ACCESS → TokenAccess */
function toTypeName(constant) {
  const singular = constant
    .replace(/STATUSES$/, 'STATUS')
    .replace(/IES$/, 'Y')
    .replace(/(?<!S|U)S$/, '')
  return singular.toLowerCase().replaceAll(/(?:^|_)(\w)/g, (_, letter) => letter.toUpperCase())
}

const capitalize = (name) => name[0].toUpperCase() + name.slice(1)

/** Replaces the parts of a schema that have a named type by its name. */
function replaceNamedParts({ items, properties, ...rest }, names) {
  const parts = Object.entries(properties ?? {}).map(([name, part]) => [name, replaceNamed(part, names)])
  return {
    ...rest,
    ...(items && { items: replaceNamed(items, names) }),
    ...(properties && { properties: Object.fromEntries(parts) }),
  }
}

function replaceNamed(schema, names) {
  const strings = schema.enum?.filter((value) => value !== null)
  const list = names.lists.find(({ values }) => isDeepStrictEqual(values, strings))
  if (list !== undefined) {
    const type = list.name + (schema.enum.includes(null) ? ' | null' : '')
    // The type has the description, if it is the same.
    return list.description === schema.description ? { tsType: type } : { tsType: type, ...pickDescription(schema) }
  }
  const isNullable = isDeepStrictEqual(schema.type, ['object', 'null'])
  const shape = getShape(isNullable ? { ...schema, type: 'object' } : schema)
  const named = names.shapes.find((candidate) => isDeepStrictEqual(candidate.shape, shape))
  if (named === undefined) return replaceNamedParts(schema, names)
  return { tsType: isNullable ? `${named.name} | null` : named.name, ...pickDescription(schema) }
}

const pickDescription = ({ description }) => (description === undefined ? {} : { description })

/**
 * Returns `export interface <name> …` with a docstring for each field, on one line if it fits: the first sentence of its
 * description, as the reference of the API has all, and the command installs these types.
 */
async function declareType(schema, name) {
  const options = {
    additionalProperties: false,
    bannerComment: '',
    ignoreMinAndMaxItems: true,
    style: { bracketSpacing: true, objectWrap: 'collapse', printWidth: 120, semi: false, singleQuote: true },
  }
  const text = await compile(shortenDescriptions(schema), name, options)
  if (!text.includes(` ${name} `)) throw new Error(`${name} is not a valid name of a type`)
  return (
    text
      .replaceAll(/^ *\* @(?:min|max)Items .*\n/gm, '')
      // What the items are follows from their type, or from the description of the list.
      .replaceAll(/(?:\n *\*)*\n *\* Items: .*(?=\n)/g, '')
      .replaceAll(/(\n *\*)+(?=\n *\*\/)/g, '')
      .replaceAll(/\/\*\*\n *\* (.*)\n *\*\//g, '/** $1 */')
      .replaceAll(/'(\d{3})':/g, '$1:')
      .trim()
  )
}

/** Lists the required fields of a response, marked as objects or lists of objects; null for an empty response. */
function formatRequiredFields(schema, name) {
  if (schema.type === 'null') return 'null'
  if (schema.type !== 'object') throw new Error(`The response of ${name} is neither an object nor empty`)
  const fields = (schema.required ?? []).map((field) => `'${field}${getTypeSign(schema.properties[field])}'`)
  return `[${fields.join(', ')}]`
}

function getTypeSign({ type, items }) {
  if (type === 'object') return '{}'
  return type === 'array' && items.type === 'object' ? '[]' : ''
}

/** A parameter that can be repeated takes one value or a list. */
function acceptSingleValues(query, names) {
  const parameters = Object.entries(query.properties).map(([name, part]) => {
    if (part.type !== 'array') return [name, part]
    const item = replaceNamed(part.items, names)
    const type = item.tsType ?? item.type
    return [name, { tsType: `${type} | readonly ${type}[]`, ...pickDescription(part) }]
  })
  return { ...query, properties: Object.fromEntries(parameters) }
}

/** The parameters of a query. Those that filter by custom fields are named by the fields of the project. */
function describeQuery(query, { hasFieldFilters }, names) {
  const parameters = acceptSingleValues(query, names)
  return hasFieldFilters ? { allOf: [parameters, { tsType: 'FieldFilters' }] } : parameters
}

const FIELD_FILTERS = `/** Filters by custom fields: \`field.severity\`, and \`field.risk.min\`, \`.max\` or \`.contains\`. */
export interface FieldFilters {
  readonly [name: \`field.\${string}\`]: string | number | boolean | readonly string[] | undefined
}`

const toSummaryComment = (name, summary) => (repeatsName(name, summary) ? '' : `/** ${summary}. */\n`)

/** That `deleteUser` deletes a user, and `error_count` is the number of errors, needs no words. */
function repeatsName(name, text) {
  const sort = (words) => [...words.replaceAll('_', '').toLowerCase()].toSorted((a, b) => a.localeCompare(b)).join('')
  const words = text.replace(/^Number of/, 'count').replaceAll(/\b(?:an?|the|its|of|from|in|for|to|all)\b|\W/gi, '')
  return [words, words.replace(/s$/, '')].some((candidate) => sort(candidate) === sort(name))
}

/** An endpoint whose response is a stream of events: a client builds its URL, and does not call it. */
async function describeEventStream(name, { url, schema: { params, operationId, summary } }, names) {
  if (operationId !== name) throw new Error(`${name} has the operationId ${operationId}`)
  const type = capitalize(name)
  const types = { type: 'object', properties: { params }, required: ['params'] }
  return `${await declareType(replaceNamedParts(types, names), type)}

${toSummaryComment(name, summary)}export const ${name}: EventStreamEndpoint<${type}> = { method: 'GET', url: '${url}', operationId: '${operationId}' }`
}

/** The filters of the list of test cases are described there. */
function withoutListed(query, { filters }) {
  const properties = Object.entries(query.properties).map(([name, part]) => {
    if (part.description === undefined || part.description !== filters[name]?.description) return [name, part]
    const { description: _, ...rest } = part
    return [name, rest]
  })
  return { ...query, properties: Object.fromEntries(properties) }
}

/** An endpoint that returns the content of a file, of which a client takes the response. */
async function describeFile(name, { url, schema: { params, querystring: query, operationId, summary } }, names) {
  if (operationId !== name) throw new Error(`${name} has the operationId ${operationId}`)
  const type = capitalize(name)
  const ownQuery = query && withoutListed(query, names)
  const types = { type: 'object', properties: { params, query: ownQuery }, required: ['params', 'query'] }
  return `${await declareType(replaceNamedParts(types, names), type)}

${toSummaryComment(name, summary)}export const ${name}: FileEndpoint<${type}> = {
  method: 'GET',
  url: '${url}',
  operationId: '${operationId}',
  sendsFile: true,
}`
}

async function describeEndpoint(name, { method, url, config, schema }, names) {
  if (config.isEventStream) return await describeEventStream(name, { url, schema }, names)
  if (config.sendsFile) return await describeFile(name, { url, schema }, names)
  const { params, querystring: query, body, response, operationId, summary } = schema
  if (operationId !== name) throw new Error(`${name} has the operationId ${operationId}`)
  const successes = Object.entries(response).filter(([status]) => status.startsWith('2'))
  const object = (parts) => ({ type: 'object', properties: parts, required: Object.keys(parts) })
  const input = Object.entries({ params, query: query && describeQuery(query, config, names), body })
  const types = object({
    ...Object.fromEntries(input.filter(([, part]) => part !== undefined)),
    success: object(
      Object.fromEntries(successes.map(([status, part]) => [status, part.type === 'null' ? { type: 'null' } : part])),
    ),
  })
  const type = capitalize(name)
  // The description is in the reference of the API: the command and the reporters install these files. A literal in one line stays so,
  // and takes a tenth less.
  return `${await declareType(replaceNamedParts(types, names), type)}

${toSummaryComment(name, summary)}export const ${name}: Endpoint<${type}> = { ${[
    `method: '${method}'`,
    `url: '${url}'`,
    `operationId: '${operationId}'`,
    ...(acceptsIdempotencyKey({ method, config }) ? ['acceptsKey: true'] : []),
    `success: { ${successes.map(([status, part]) => `${status}: ${formatRequiredFields(part, name)}`).join(', ')} }`,
  ].join(', ')} }`
}

/** The description of a list's type, which an exported schema with the same values has. */
const findDescription = (values, all) => all.find(([, value]) => isDeepStrictEqual(value.enum, values))?.[1].description

/** Descriptions of fields that a type has already, by the name of the field. */
const described = new Set()

/**
 * Shortens the descriptions of the fields of a type, and leaves out what an earlier type says of a field with the same name: the
 * command installs these types, and many of them have the same fields.
 */
function shortenDescriptions({ description, properties, ...schema }, name = '') {
  const text = describe(description ?? '', name)
  const isRepeated = name !== '' && described.has(`${name} ${text}`)
  described.add(`${name} ${text}`)
  const rest = Object.entries(schema).map(([key, part]) => {
    if (Array.isArray(part) && key !== 'enum' && key !== 'required')
      return [key, part.map((item) => (isSchema(item) ? shortenDescriptions(item) : item))]
    return [key, isSchema(part) ? shortenDescriptions(part) : part]
  })
  const fields = Object.entries(properties ?? {}).map(([field, part]) => [field, shortenDescriptions(part, field)])
  return {
    ...Object.fromEntries(rest),
    ...(text === undefined || text === '' || isRepeated ? {} : { description: text }),
    ...(properties === undefined ? {} : { properties: Object.fromEntries(fields) }),
  }
}

const isSchema = (value) => typeof value === 'object' && value !== null && !Array.isArray(value)

/** That `project_id` is the id of a project needs no words. */
const describe = (text, name) =>
  /^[A-Z][a-z ]* id\.$/.test(text) || repeatsName(name, text) ? undefined : getFirstSentence(text)

/** An explanation of values, which begins with one of them, stays whole. */
const getFirstSentence = (text) => (text.startsWith('`') ? text : (/^.*?\.(?=\s|$)/s.exec(text)?.[0] ?? text))

async function generate() {
  const modules = await readContract()
  const all = modules.flatMap(({ exports }) => exports)
  const names = {
    lists: all
      .filter(([, value]) => isStringList(value))
      .map(([name, values]) => ({ name: toTypeName(name), values, description: findDescription(values, all) })),
    shapes: all.filter(([, value]) => isObjectSchema(value)).map(([name, value]) => ({ name, shape: getShape(value) })),
    filters: all.find(([name]) => name === 'listTestCases')?.[1].schema.querystring.properties ?? {},
  }
  const usedNames = [...names.lists, ...names.shapes].map(({ name }) => name)
  usedNames.push(...all.filter(([, value]) => isEndpoint(value)).map(([name]) => capitalize(name)))
  const duplicates = usedNames.filter((name, index) => usedNames.indexOf(name) !== index)
  if (duplicates.length > 0) throw new Error(`Several types have the same name: ${duplicates.join(', ')}`)

  const parts = []
  for (const { exports } of modules) {
    for (const [name, value] of exports) {
      const limit = LIMITS[name]
      if (limit !== undefined) {
        parts.push(`/** ${limit} */\nexport const ${name} = ${inline(value)} as const`)
      } else if (isStringList(value)) {
        const { description } = names.lists.find((list) => list.name === toTypeName(name))
        const comment = description === undefined ? '' : `/** ${description} */\n`
        const type = `export type ${toTypeName(name)} = (typeof ${name})[number]`
        parts.push(`export const ${name} = ${inline(value)} as const\n${comment}${type}`)
      }
    }
    for (const [name, value] of exports)
      if (isObjectSchema(value)) parts.push(await declareType(replaceNamedParts(value, names), name))
    for (const [name, value] of exports) if (isEndpoint(value)) parts.push(await describeEndpoint(name, value, names))
  }
  const banner =
    '// Generated from packages/contract by packages/client/scripts/generate-endpoints.mjs: `npm run generated`.'
  return `${[banner, "import type { Endpoint, EventStreamEndpoint, FileEndpoint } from './endpoint.ts'", FIELD_FILTERS, ...parts].join('\n\n')}\n`
}

/** Formats a value on one line. */
const inline = (value) =>
  JSON.stringify(value, null, 1)
    .replaceAll(/\s*\n\s*/g, ' ')
    .replaceAll(/"(\w+)":/g, '$1:')
    .replaceAll('"', "'")
    .replaceAll(/\[ | \]/g, (bracket) => bracket.trim())

const generated = await generate()
if (!process.argv.includes('--check')) await writeFile(target, generated)
else if (generated !== (await readFile(target, 'utf8').catch(() => ''))) {
  console.error(
    'packages/client/src/endpoints.generated.ts is out of date with packages/contract: run `npm run generated`',
  )
  process.exitCode = 1
}
