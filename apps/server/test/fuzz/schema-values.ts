import { cleanName } from '@caseward/matching/clean-name'
import fc from 'fast-check'

import { type Schema, listTypes } from './read-operations.ts'
import { anyValue, hostileText, unusualNames, unstorable } from './hostile-values.ts'
import { type Json, withProperty } from './json-text.ts'
import { isText, isVisibleText } from '../../src/platform/http/text-formats.ts'

/** Values for properties whose schema is not enough, such as existing ids and the right password; null for none. */
export type Hints = (property: string) => fc.Arbitrary<Json> | null | undefined

/** Values that match the schema. */
export function validValue(schema: Schema, hints: Hints): fc.Arbitrary<Json> {
  const types = listTypes(schema)
  if (types.length > 1 && types.includes('null')) {
    const rest = { ...schema, type: types.filter((type) => type !== 'null') }
    return fc.oneof({ weight: 4, arbitrary: validValue(rest, hints) }, { weight: 1, arbitrary: fc.constant(null) })
  }
  if (schema.enum !== undefined) return fc.constantFrom(...(schema.enum as Json[]).filter((value) => value !== null))
  if (schema.const !== undefined) return fc.constant(schema.const as Json)
  const [type = 'anything'] = types
  switch (type) {
    case 'string':
      return text(schema)
    case 'integer':
      return integer(schema)
    case 'number':
      return number(schema)
    case 'boolean':
      return fc.boolean()
    case 'array':
      return fc.array(validValue(schema.items ?? {}, hints), { maxLength: Math.min(schema.maxItems ?? 4, 4) })
    case 'object':
      return schema.properties === undefined ? textsByName(schema) : object(schema, hints)
    default:
      throw new Error(`Unsupported schema: ${JSON.stringify(schema)}`)
  }
}

/** Values that differ from a valid one in one place; most do not match the schema. */
export function nearlyValidValue(schema: Schema, hints: Hints): fc.Arbitrary<Json> {
  const types = listTypes(schema)
  if (types.includes('object'))
    return schema.properties === undefined ? nearlyTexts(schema) : nearlyObject(schema, hints)
  if (types.includes('array')) {
    const { items = {}, maxItems = 4 } = schema
    const sizes = fc.constantFrom(maxItems, maxItems + 1).map((length) => Math.min(length, 501))
    const full = fc.tuple(validValue(items, hints), sizes).map(([item, length]) => Array.from({ length }, () => item))
    const oneWrong = fc
      .tuple(fc.array(validValue(items, hints), { maxLength: 3 }), nearlyValidValue(items, hints))
      .map(([original, invalid]): Json => [...original, invalid])
    return fc.oneof(
      { weight: 6, arbitrary: oneWrong },
      { weight: 1, arbitrary: full },
      { weight: 2, arbitrary: anyValue },
    )
  }
  const ofType = types.includes('string') ? [{ weight: 1, arbitrary: unstorable }] : []
  return fc.oneof(
    { weight: 2, arbitrary: fc.constantFrom(...outOfBounds(schema)) },
    { weight: 2, arbitrary: anyValue },
    ...ofType,
  )
}

/** Values at each bound and just outside of it. */
function outOfBounds({ minimum, maximum, minLength, maxLength, enum: words }: Schema): Json[] {
  return [
    ...(minimum === undefined ? [] : [minimum - 1, minimum, minimum + 0.5]),
    ...(maximum === undefined ? [] : [maximum + 1, maximum]),
    ...(minLength === undefined ? [] : ['x'.repeat(minLength - 1), ' '.repeat(minLength)]),
    ...(maxLength === undefined ? [] : ['x'.repeat(maxLength + 1), '\u{1F600}'.repeat(Math.min(maxLength, 5000))]),
    ...(words === undefined ? [] : words.map((word) => String(word).toUpperCase())),
    null,
  ]
}

function nearlyObject(schema: Schema, hints: Hints): fc.Arbitrary<Json> {
  const { properties = {} } = schema
  const validObject = object(schema, hints)
  const names = Object.keys(properties)
  const spoiled = names.map((name) =>
    fc
      .tuple(validObject, nearlyValidValue(properties[name] ?? {}, hints))
      .map(([original, invalid]): Json => withProperty(original, name, invalid)),
  )
  const without = fc
    .tuple(validObject, fc.constantFrom(...names))
    .map(([original, name]): Json =>
      Object.fromEntries(Object.entries(original).filter(([property]) => property !== name)),
    )
  const withStrange = fc
    .tuple(validObject, unusualNames, anyValue)
    .map(([original, name, value]): Json => withProperty(original, name, value))
  return fc.oneof(
    { weight: 6, arbitrary: fc.oneof(...spoiled) },
    { weight: 2, arbitrary: without },
    { weight: 2, arbitrary: withStrange },
    { weight: 1, arbitrary: anyValue },
  )
}

function object({ properties = {}, required = [] }: Schema, hints: Hints): fc.Arbitrary<{ [name: string]: Json }> {
  const values = Object.entries(properties)
    .filter(([name]) => hints(name) !== null)
    .map(([name, schema]) => [name, hints(name) ?? validValue(schema, hints)])
  const model = Object.fromEntries(values) as Record<string, fc.Arbitrary<Json>>
  return fc.oneof(fc.record(model, { requiredKeys: required }), fc.record(model)).map((value) => ({ ...value }))
}

/** Objects whose property names the caller chooses. */
const textsByName = ({ propertyNames = {}, additionalProperties, maxProperties = 4 }: Schema) =>
  fc.dictionary(text(propertyNames), text(toSchema(additionalProperties)), { maxKeys: Math.min(maxProperties, 4) })

const toSchema = (value: Schema | boolean | undefined): Schema => (typeof value === 'object' ? value : {})

function nearlyTexts(schema: Schema): fc.Arbitrary<Json> {
  const { propertyNames = {}, additionalProperties, maxProperties = 4 } = schema
  const name = nearlyValidValue(propertyNames, () => undefined).map(String)
  const value = nearlyValidValue(toSchema(additionalProperties), () => undefined)
  const size = fc.constantFrom(maxProperties, maxProperties + 1)
  return fc.oneof(
    {
      weight: 3,
      arbitrary: fc.tuple(textsByName(schema), name).map(([original, invalid]) => withProperty(original, invalid, 'x')),
    },
    {
      weight: 3,
      arbitrary: fc
        .tuple(textsByName(schema), value)
        .map(([original, invalid]) => withProperty(original, 'x', invalid)),
    },
    {
      weight: 1,
      arbitrary: size.map((length) => Object.fromEntries(Array.from({ length }, (_, at) => [`${at}`, '']))),
    },
    { weight: 2, arbitrary: anyValue },
  )
}

const number = ({ minimum = -1000, maximum = 1000 }: Schema): fc.Arbitrary<number> =>
  fc.oneof(
    { weight: 3, arbitrary: fc.double({ min: minimum, max: Math.min(maximum, minimum + 100), noNaN: true }) },
    { weight: 1, arbitrary: fc.constantFrom(minimum, maximum) },
  )

function integer({ minimum = -1000, maximum = 1000 }: Schema): fc.Arbitrary<number> {
  return fc.oneof(
    { weight: 3, arbitrary: fc.integer({ min: minimum, max: Math.min(maximum, minimum + 100) }) },
    { weight: 1, arbitrary: fc.constantFrom(minimum, maximum) },
  )
}

/** Valid timestamps, from the first year to the last. */
export const moment = fc.oneof(
  fc
    .date({ min: new Date('0101-01-01'), max: new Date('9998-12-31'), noInvalidDate: true })
    .map((date) => date.toISOString()),
  fc.constantFrom(
    '2026-11-21',
    '2026-11-21T09:30:00Z',
    '2026-11-21 09:30:00.123456789+05:45',
    '2024-02-29t23:59:60z',
    '0100-01-02',
    '9999-12-31',
  ),
)

function text(schema: Schema): fc.Arbitrary<string> {
  const { format, pattern, minLength = 0, maxLength = 100_000 } = schema
  if (format === 'timestamp') return moment
  if (pattern !== undefined) {
    const maxTextLength = Math.min(maxLength, 100)
    // A generated text may contain unstorable and invisible characters where the pattern allows any.
    const isAllowed = format === 'idn-email' ? isVisibleText : isText
    return matchingText(pattern)
      .map((matching) => matching.slice(0, maxTextLength))
      .filter((matching) => new RegExp(pattern, 'u').test(matching) && isAllowed(matching))
  }
  return anyText(minLength, maxLength).map((any) => fitToSchema(any, schema))
}

/** To build the arbitraries of texts takes longer than to send the requests: those with the same bounds are the same. */
const matchingText = cached((pattern: string) => fc.stringMatching(new RegExp(pattern, 'u')))
const anyText = cached((minLength: number, maxLength: number) => {
  const lengths = { minLength, maxLength: Math.max(minLength, Math.min(maxLength, 24)) }
  return fc.oneof(
    { weight: 60, arbitrary: fc.string({ unit: 'grapheme-ascii', ...lengths }) },
    { weight: 30, arbitrary: fc.string({ unit: 'binary', ...lengths }) },
    { weight: 30, arbitrary: hostileText },
    { weight: 1, arbitrary: fc.constantFrom('x', '\u{1F600}', '\uFFFF').map((letter) => letter.repeat(maxLength)) },
  )
})

function cached<K extends (string | number)[]>(create: (...key: K) => fc.Arbitrary<string>): typeof create {
  const made = new Map<string, fc.Arbitrary<string>>()
  return (...key) => {
    const arbitrary = made.get(key.join(' ')) ?? create(...key)
    made.set(key.join(' '), arbitrary)
    return arbitrary
  }
}

/** Changes a text so that it matches the schema. */
function fitToSchema(any: string, schema: Schema): string {
  const { format, 'x-clean': isCleaned, 'x-trim': isTrimmed, minLength = 0, maxLength = 100_000 } = schema
  const clean = (name: string) => (format === 'name' || isCleaned === true ? cleanName(name) : name)
  const stored = clean(any.toWellFormed().replaceAll('\0', ''))
  const points = Array.from(isTrimmed === true ? stored.trim() : stored)
  if (points.length < minLength) return 'x'.repeat(minLength)
  return points.length > maxLength ? clean(points.slice(0, maxLength).join('')) : stored
}
