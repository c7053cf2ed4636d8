// Writes src/endpoints.generated.ts, plain types and descriptors of all endpoints, from the built contract, so that who
// installs the client does not install TypeBox. With --check it fails when the file differs.
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { isDeepStrictEqual } from 'node:util'

import { compile } from 'json-schema-to-typescript'

const contract = new URL('../../contract/', import.meta.url)
const target = new URL('../src/endpoints.generated.ts', import.meta.url)

/** Each module of the contract with what it exports, as the plain JSON that it is but for TypeBox's hidden marks. */
async function readContract() {
  const files = await readdir(new URL('src/', contract))
  return Promise.all(
    files.toSorted().map(async (file) => {
      const noun = file.replace(/\.ts$/, '')
      const exported = Object.entries(await import(new URL(`dist/${noun}.js`, contract)))
      const data = exported.filter(([, value]) => typeof value === 'object')
      return { noun, exports: data.map(([name, value]) => [name, JSON.parse(JSON.stringify(value))]) }
    }),
  )
}

const isWords = (value) => Array.isArray(value) && value.every((word) => typeof word === 'string')
const isShape = (value) => value.type === 'object' && value.properties !== undefined
const isEndpoint = (value) => value.schema?.operationId !== undefined

/** What two schemas must have in common to be one type: all but what is said about them as a whole. */
const getShape = (schema) => ({ ...schema, description: undefined, examples: undefined })

/** RESULT_STATUSES → ResultStatus, PRIORITIES → Priority, TOKEN_ACCESS → TokenAccess */
function wordName(constant) {
  const singular = constant
    .replace(/STATUSES$/, 'STATUS')
    .replace(/IES$/, 'Y')
    .replace(/(?<!S|U)S$/, '')
  return singular.toLowerCase().replaceAll(/(?:^|_)(\w)/g, (_, letter) => letter.toUpperCase())
}

const capital = (name) => name[0].toUpperCase() + name.slice(1)

/** The same schema with the name of each part that has one in place of it. */
function withNames({ items, properties, ...rest }, names) {
  const parts = Object.entries(properties ?? {}).map(([name, part]) => [name, byName(part, names)])
  return {
    ...rest,
    ...(items && { items: byName(items, names) }),
    ...(properties && { properties: Object.fromEntries(parts) }),
  }
}

function byName(schema, names) {
  const words = schema.enum?.filter((word) => word !== null)
  const set = names.words.find(({ values }) => isDeepStrictEqual(values, words))
  if (set !== undefined) return { tsType: set.name + (schema.enum.includes(null) ? ' | null' : ''), ...about(schema) }
  const named = names.shapes.find(({ shape }) => isDeepStrictEqual(shape, getShape(schema)))
  return named === undefined ? withNames(schema, names) : { tsType: named.name, ...about(schema) }
}

const about = ({ description }) => (description === undefined ? {} : { description })

/** `export interface <name> …` with a docstring for each field, on one line where one suffices. */
async function declare(schema, name) {
  const options = {
    additionalProperties: false,
    bannerComment: '',
    ignoreMinAndMaxItems: true,
    style: { bracketSpacing: true, objectWrap: 'collapse', printWidth: 120, semi: false, singleQuote: true },
  }
  const text = await compile(schema, name, options)
  if (!text.includes(` ${name} `)) throw new Error(`${name} is no name for a type`)
  return text
    .replaceAll(/^ *\* @(?:min|max)Items .*\n/gm, '')
    .replaceAll(/(\n *\*)+(?=\n *\*\/)/g, '')
    .replaceAll(/\/\*\*\n *\* (.*)\n *\*\//g, '/** $1 */')
    .replaceAll(/'(\d{3})':/g, '$1:')
    .trim()
}

/** The fields that a reply always has, and which are objects or lists of them; null for an empty one. */
function requiredFields(schema, name) {
  if (schema.type === 'null') return 'null'
  if (schema.type !== 'object') throw new Error(`${name} answers neither an object nor nothing`)
  const fields = (schema.required ?? []).map((field) => `'${field}${getTypeSign(schema.properties[field])}'`)
  return `[${fields.join(', ')}]`
}

function getTypeSign({ type, items }) {
  if (type === 'object') return '{}'
  return type === 'array' && items.type === 'object' ? '[]' : ''
}

async function describeEndpoint(name, { method, url, schema }, names) {
  const { params, querystring: query, body, response, operationId, summary, description } = schema
  if (operationId !== name) throw new Error(`${name} has the operationId ${operationId}`)
  const successes = Object.entries(response).filter(([status]) => status.startsWith('2'))
  const object = (parts) => ({ type: 'object', properties: parts, required: Object.keys(parts) })
  const input = Object.entries({ params, query, body })
  const types = object({
    ...Object.fromEntries(input.filter(([, part]) => part !== undefined)),
    success: object(
      Object.fromEntries(successes.map(([status, part]) => [status, part.type === 'null' ? { type: 'null' } : part])),
    ),
  })
  const type = capital(name)
  return `/** What {@link ${name}} takes and answers. */
${await declare(withNames(types, names), type)}

/**
 * ${summary}.
 *
 * ${description.replaceAll('*/', '* /')}
 */
export const ${name}: Endpoint<${type}> = {
  method: '${method}',
  url: '${url}',
  operationId: '${operationId}',
  success: { ${successes.map(([status, part]) => `${status}: ${requiredFields(part, name)}`).join(', ')} },
}`
}

async function generate() {
  const modules = await readContract()
  const all = modules.flatMap(({ exports }) => exports)
  const names = {
    words: all.filter(([, value]) => isWords(value)).map(([name, values]) => ({ name: wordName(name), values })),
    shapes: all.filter(([, value]) => isShape(value)).map(([name, value]) => ({ name, shape: getShape(value) })),
  }
  const taken = [...names.words, ...names.shapes].map(({ name }) => name)
  taken.push(...all.filter(([, value]) => isEndpoint(value)).map(([name]) => capital(name)))
  const twice = taken.filter((name, index) => taken.indexOf(name) !== index)
  if (twice.length > 0) throw new Error(`More than one thing is called ${twice.join(', ')}`)

  const parts = []
  for (const { noun, exports } of modules) {
    const before = parts.length
    for (const [name, value] of exports) {
      if (name === 'BODY_LIMIT') {
        parts.push(
          `/** The largest body that is taken, in bytes. */\nexport const BODY_LIMIT = ${inline(value)} as const`,
        )
      } else if (isWords(value)) {
        parts.push(
          `export const ${name} = ${inline(value)} as const\nexport type ${wordName(name)} = (typeof ${name})[number]`,
        )
      }
    }
    for (const [name, value] of exports) if (isShape(value)) parts.push(await declare(withNames(value, names), name))
    for (const [name, value] of exports) if (isEndpoint(value)) parts.push(await describeEndpoint(name, value, names))
    if (parts.length > before) parts[before] = `/* ${noun} */\n\n${parts[before]}`
  }
  const banner =
    '// Made from packages/contract by packages/client/scripts/generate-endpoints.mjs: `npm run generated`.'
  return `${[banner, "import type { Endpoint } from './endpoint.ts'", ...parts].join('\n\n')}\n`
}

const inline = (value) =>
  JSON.stringify(value, null, 1)
    .replaceAll(/\s*\n\s*/g, ' ')
    .replaceAll(/"(\w+)":/g, '$1:')
    .replaceAll('"', "'")
    .replaceAll(/\[ | \]/g, (bracket) => bracket.trim())

const wanted = await generate()
if (!process.argv.includes('--check')) await writeFile(target, wanted)
else if (wanted !== (await readFile(target, 'utf8').catch(() => ''))) {
  console.error('packages/client/src/endpoints.generated.ts differs from packages/contract: run `npm run generated`')
  process.exitCode = 1
}
