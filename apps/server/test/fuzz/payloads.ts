import { BODY_LIMIT } from '@caseward/contract/endpoint'
import fc from 'fast-check'

import type { Operation } from './read-operations.ts'
import { spoilJson } from './hostile-json.ts'
import { type Json, toJson } from './json-text.ts'
import { hostileXml, junitDocument } from './junit-documents.ts'
import type { Headers } from './callers.ts'
import { type Hints, nearlyValidValue, validValue } from './schema-values.ts'

/** A body: its text, the encoding of the text, and the headers for it. */
export interface Payload {
  headers: Headers
  text: string
  encoding: 'utf8' | 'latin1' | 'utf16le' | 'gzip'
  /** Spaces are appended up to this size. */
  minimumBytes?: number
  /** Sent in chunks, without its length. */
  isChunked?: boolean
}

const JSON_TYPE = { 'content-type': 'application/json' }
const XML_TYPE = { 'content-type': 'application/xml' }
/** Bytes that are not UTF-8, among them a half of a surrogate pair. */
const INVALID_UTF8 = '\u00FF\u00C0\u0080\u00ED\u00A0\u0080'

const toJsonPayload = (text: string): Payload => ({ headers: JSON_TYPE, text, encoding: 'utf8' })
const toXmlPayload = (text: string): Payload => ({ headers: XML_TYPE, text, encoding: 'utf8' })

/** Bodies that the operation accepts. */
export function validPayload(operation: Operation, hints: Hints): fc.Arbitrary<Payload | null> {
  const { 'application/json': json, 'application/xml': xml, 'application/octet-stream': file } = operation.body
  if (operation.id === 'sendDeclaredFile') return fc.constant(declaredContent)
  if (operation.id === 'sendFilePart') return fc.constant(filePart)
  if (json === undefined) return fc.constantFrom(null, null, null, { headers: JSON_TYPE, text: '', encoding: 'utf8' })
  const original = validValue(json.schema, hints).map((value) =>
    toJsonPayload(toJson(removeConflict(operation, value))),
  )
  if (file !== undefined) return fc.oneof(original, fileContent)
  return xml === undefined ? original : fc.oneof(original, junitDocument.map(toXmlPayload))
}

/** The content of the declared file, and all of the file that is sent in parts. */
const declaredContent: Payload = { headers: {}, text: '{{new declared_file.content}}', encoding: 'utf8' }
const filePart: Payload = { headers: { 'content-range': 'bytes 0-3/4' }, text: 'part', encoding: 'utf8' }

/** The bytes of a file: of some types that the server tells apart, and any. */
const fileContent: fc.Arbitrary<Payload> = fc
  .tuple(
    fc.constantFrom('', 'GIF89a\u0003\0\u0002\0', '%PDF-1.7', '<svg>', '\u00ff\u00fe', '\u0089PNG\r\n\u001a\n'),
    fc.uint8Array({ maxLength: 200 }),
    fc.constantFrom('application/octet-stream', 'image/png', 'text/html', 'x'),
  )
  .map(([start, bytes, type]) => ({
    headers: { 'content-type': type },
    text: start + Buffer.from(bytes).toString('latin1'),
    encoding: 'latin1' as const,
  }))

/** Removes what an operation does not accept together. */
function removeConflict({ id }: Operation, value: Json): Json {
  if (value === null || typeof value !== 'object' || Array.isArray(value)) return value
  if (id === 'createTestCasesForTests' || id === 'findSimilarForTests') {
    const { test_ids = [], all_unmatched_of_run, ...others } = value
    return all_unmatched_of_run === undefined ? { test_ids, ...others } : { all_unmatched_of_run, ...others }
  }
  if (id === 'bulkCreateTestCases' && Array.isArray(value['test_cases'])) {
    return { ...value, test_cases: value['test_cases'].map(removeFirstKey) }
  }
  if (id === 'importTestCases' && Array.isArray(value['rows'])) {
    return { ...value, rows: value['rows'].map(removeFirstKey) }
  }
  if (/^(?:create|update|put)TestCase$/.test(id)) return removeFirstKey(value)
  if (id !== 'bulkUpdateTestCases') return value
  // A bulk update either changes test cases or restores earlier values.
  const { restore, test_case_ids = [], ...changes } = value
  return restore === undefined || 'set' in changes ? { test_case_ids, ...changes } : { restore }
}

/** `automation_key` must be the first of `automation_keys`. */
function removeFirstKey(value: Json): Json {
  if (value === null || typeof value !== 'object' || Array.isArray(value)) return value
  const { automation_key: first, ...others } = value
  return first === undefined || others['automation_keys'] !== undefined ? others : { automation_key: first, ...others }
}

const contentTypes = fc.constantFrom<Headers[]>(
  {},
  { 'content-type': '' },
  { 'content-type': 'nonsense' },
  { 'content-type': 'text/plain' },
  { 'content-type': 'text/xml; charset=latin1' },
  { 'content-type': 'APPLICATION/JSON;charset="UTF-8"' },
  { 'content-type': 'application/json; charset=utf-16' },
  { 'content-type': 'application/json; charset=no-such-charset' },
  { 'content-type': 'application/json;;=' },
  { 'content-type': 'application/json, application/xml' },
  { 'content-type': 'application/vnd.api+json' },
  { 'content-type': 'application/x-www-form-urlencoded' },
  { 'content-type': 'multipart/form-data; boundary=x' },
  { 'content-type': '\u00FF/\u0080' },
  { 'content-type': `application/json; x=${'y'.repeat(3000)}` },
  { ...JSON_TYPE, 'content-encoding': 'gzip' },
  { ...XML_TYPE, 'content-encoding': 'deflate, gzip' },
  { ...JSON_TYPE, 'content-encoding': 'identity' },
)

/** Bodies that are invalid or almost invalid for the operation. */
export function invalidPayload(operation: Operation, hints: Hints): fc.Arbitrary<Payload | null> {
  const { 'application/json': json, 'application/xml': xml } = operation.body
  const schema = json?.schema ?? { type: 'object', properties: { name: { type: 'string' } } }
  const nearly = nearlyValidValue(schema, hints).map((value) => toJsonPayload(toJson(value)))
  const original = json === undefined ? nearly : validValue(schema, hints).map((value) => toJsonPayload(toJson(value)))
  const limit = schema.properties?.['results'] === undefined ? BODY_LIMIT.standard : BODY_LIMIT.upload
  return fc.oneof(
    { weight: 20, arbitrary: nearly },
    { weight: 8, arbitrary: spoilJson(original.map(({ text }) => text)).map(toJsonPayload) },
    { weight: 4, arbitrary: withUnusualType(original) },
    { weight: 6, arbitrary: withUnusualEncoding(original) },
    { weight: 1, arbitrary: withSize(original, [limit, limit + 1]) },
    ...(xml === undefined ? [] : [{ weight: 12, arbitrary: invalidXml }]),
  )
}

const withUnusualType = (payload: fc.Arbitrary<Payload>) =>
  fc.tuple(payload, contentTypes).map(([original, headers]): Payload => ({ ...original, headers }))

const withSize = (payload: fc.Arbitrary<Payload>, sizes: number[]) =>
  fc
    .tuple(payload, fc.constantFrom(...sizes))
    .map(([original, minimumBytes]): Payload => ({ ...original, minimumBytes }))

/** Bodies that are not UTF-8, compressed, sent in chunks, or missing. */
const withUnusualEncoding = (payload: fc.Arbitrary<Payload>): fc.Arbitrary<Payload | null> =>
  fc.oneof(
    fc.constantFrom(null, toJsonPayload(''), toXmlPayload('')),
    payload.map((original): Payload => ({ ...original, isChunked: true })),
    payload.map((original): Payload => ({ ...original, encoding: 'utf16le' })),
    payload.map((original): Payload => ({ ...original, encoding: 'gzip' })),
    payload.map((original): Payload => ({
      ...original,
      encoding: 'gzip',
      headers: { ...JSON_TYPE, 'content-encoding': 'gzip' },
    })),
    payload.map((original): Payload => ({
      ...original,
      text: original.text.replaceAll('a', INVALID_UTF8),
      encoding: 'latin1',
    })),
    fc
      .uint8Array()
      .map((bytes): Payload => ({ ...toJsonPayload(Buffer.from(bytes).toString('latin1')), encoding: 'latin1' })),
  )

const invalidXml: fc.Arbitrary<Payload> = fc.oneof(
  { weight: 6, arbitrary: hostileXml.map(toXmlPayload) },
  { weight: 1, arbitrary: hostileXml.map((text): Payload => ({ ...toXmlPayload(text), encoding: 'utf16le' })) },
  { weight: 1, arbitrary: hostileXml.map((text): Payload => ({ ...toXmlPayload(text), encoding: 'latin1' })) },
  { weight: 1, arbitrary: junitDocument.map((text): Payload => ({ ...toXmlPayload(text), isChunked: true })) },
  { weight: 2, arbitrary: withUnusualType(junitDocument.map(toXmlPayload)) },
)
