import fc from 'fast-check'

import type { Operation, Parameter } from './read-operations.ts'
import { hostileTexts } from './hostile-values.ts'
import type { Json } from './json-text.ts'
import { type Hints, validValue } from './schema-values.ts'

const getQueryParameters = ({ parameters }: Operation) => parameters.filter((parameter) => parameter.in === 'query')

const formatQuery = (pairs: [string, string][]) =>
  pairs.length === 0 ? '' : `?${pairs.map(([name, value]) => `${name}=${value}`).join('&')}`

/** Percent-encodes a value, except its slots. */
const encodeValue = (value: Json) =>
  encodeURIComponent(typeof value === 'string' ? value : JSON.stringify(value)).replaceAll(
    /%7B%7B([\w.%]+?)%7D%7D/g,
    (slot) => decodeURIComponent(slot),
  )

/** Parameters without which hardly any request succeeds. */
const NEEDED = new Set(['run_id', 'test_case_ids', 'q', 'base', 'head'])

/** The name of a file is a parameter, because its body is the content. */
const isNeeded = ({ id }: Operation, name: string): boolean =>
  NEEDED.has(name) || (name === 'name' && id.startsWith('attachTo'))

/** Queries with any valid parameters of the operation. */
export function validQuery(operation: Operation, hints: Hints): fc.Arbitrary<string> {
  const parameters = getQueryParameters(operation)
  // A list repeats its parameter.
  const createPairs = ({ name, schema }: Parameter) =>
    (hints(name) ?? validValue(schema, hints)).map((value) =>
      [value].flat().map((item): [string, string] => [name, encodeValue(item)]),
    )
  return fc
    .tuple(
      ...parameters.map((parameter) =>
        fc.option(createPairs(parameter), { freq: isNeeded(operation, parameter.name) ? 50 : 2, nil: [] }),
      ),
    )
    .map((lists) => formatQuery(limitLength(removeRowParameters(operation, lists.flat()))))
}

/** The URL and the headers of a request can have 16 KB together. */
const MAX_QUERY_LENGTH = 12_000

/** Keeps as many parameters as a URL has room for. */
function limitLength(pairs: [string, string][]): [string, string][] {
  let length = 0
  return pairs.filter(([name, value]) => {
    const isKept = length + name.length + value.length < MAX_QUERY_LENGTH
    if (isKept) length += name.length + value.length
    return isKept
  })
}

/** Only compact rows have large pages and a cursor, which takes the place of the page. */
function removeRowParameters(operation: Operation, pairs: [string, string][]): [string, string][] {
  const fields = getQueryParameters(operation).find(({ name }) => name === 'fields')
  if (fields?.schema.enum?.includes('row') !== true) return pairs
  const isRow = pairs.some(([name, value]) => name === 'fields' && value === 'row')
  const hasCursor = pairs.some(([name]) => name === 'after')
  return pairs.filter(([name, value]) => {
    if (isRow) return name !== 'page' || !hasCursor
    return name !== 'after' && (name !== 'per_page' || Number(value) <= 100)
  })
}

const unusualValues = fc.oneof(
  fc.constantFrom(
    '',
    '0',
    '-1',
    '101',
    '1.5',
    '1e2',
    '1e400',
    'NaN',
    'Infinity',
    '0x10',
    '%20%205',
    '9007199254740993',
    'true',
  ),
  fc.constantFrom(
    '%00',
    '%',
    '%zz',
    '%ED%A0%80',
    '%C0%80',
    '%F0%9F%98%80',
    '+',
    '{{other_project.folder}}',
    'x'.repeat(4000),
  ),
  fc
    .constantFrom(...hostileTexts.filter(({ length }) => length < 400))
    .map((text) => encodeURIComponent(text.toWellFormed())),
)

/** Queries with parameters that are unknown, out of range, repeated, lists or badly encoded. */
export function invalidQuery(operation: Operation, hints: Hints): fc.Arbitrary<string> {
  const names = [...getQueryParameters(operation).map(({ name }) => name), 'page', '__proto__', 'constructor', 'future']
  const pair = fc
    .tuple(fc.constantFrom(...names), fc.constantFrom('', '[]', '[0]', '[a]', '.a'), unusualValues)
    .map(([name, suffix, value]) => `${name}${suffix}=${value}`)
  const pairs = fc.array(fc.oneof({ weight: 9, arbitrary: pair }, fc.constantFrom('&&', '=', '?', 'page', 'a=b=c')), {
    minLength: 1,
    maxLength: 3,
  })
  return fc
    .tuple(validQuery(operation, hints), pairs)
    .map(([original, strange]) => `${original === '' ? '?' : `${original}&`}${strange.join('&')}`)
}
