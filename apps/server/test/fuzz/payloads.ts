import { BODY_LIMIT } from '@caseward/contract/endpoint'
import fc from 'fast-check'

import type { Operation } from './document.ts'
import { spoilJson } from './hostile-json.ts'
import { toJson } from './json-text.ts'
import { hostileXml, junitDocument } from './junit-documents.ts'
import type { Headers } from './principals.ts'
import { type Hints, nearlyValid, valid } from './values-of-schema.ts'

/** A body: its text, how that becomes bytes, and the headers that go with it. */
export interface Payload {
  headers: Headers
  text: string
  as: 'utf8' | 'latin1' | 'utf16le' | 'gzip'
  /** White space is appended up to so many bytes. */
  bytes?: number
  /** Sent in chunks, without its length. */
  isChunked?: boolean
}

const JSON_TYPE = { 'content-type': 'application/json' }
const XML_TYPE = { 'content-type': 'application/xml' }
/** Bytes that begin or end no character, and half of a surrogate pair. */
const NO_UTF8 = '\u00FF\u00C0\u0080\u00ED\u00A0\u0080'

const asJson = (text: string): Payload => ({ headers: JSON_TYPE, text, as: 'utf8' })
const asXml = (text: string): Payload => ({ headers: XML_TYPE, text, as: 'utf8' })

/** Bodies that the operation takes. */
export function goodPayload({ body }: Operation, hints: Hints): fc.Arbitrary<Payload | null> {
  const { 'application/json': json, 'application/xml': xml } = body
  if (json === undefined) return fc.constantFrom(null, null, null, { headers: JSON_TYPE, text: '', as: 'utf8' })
  const good = valid(json.schema, hints).map((value) => asJson(toJson(value)))
  return xml === undefined ? good : fc.oneof(good, junitDocument.map(asXml))
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

/** Bodies that the operation does not take, or hardly. */
export function badPayload(operation: Operation, hints: Hints): fc.Arbitrary<Payload | null> {
  const { 'application/json': json, 'application/xml': xml } = operation.body
  const schema = json?.schema ?? { type: 'object', properties: { name: { type: 'string' } } }
  const nearly = nearlyValid(schema, hints).map((value) => asJson(toJson(value)))
  const good = json === undefined ? nearly : valid(schema, hints).map((value) => asJson(toJson(value)))
  const limit = schema.properties?.['results'] === undefined ? BODY_LIMIT.standard : BODY_LIMIT.upload
  return fc.oneof(
    { weight: 20, arbitrary: nearly },
    { weight: 8, arbitrary: spoilJson(good.map(({ text }) => text)).map(asJson) },
    { weight: 4, arbitrary: withStrangeType(good) },
    { weight: 6, arbitrary: inStrangeBytes(good) },
    { weight: 1, arbitrary: withSize(good, [limit, limit + 1]) },
    ...(xml === undefined ? [] : [{ weight: 12, arbitrary: badXml }]),
  )
}

const withStrangeType = (payload: fc.Arbitrary<Payload>) =>
  fc.tuple(payload, contentTypes).map(([good, headers]): Payload => ({ ...good, headers }))

const withSize = (payload: fc.Arbitrary<Payload>, sizes: number[]) =>
  fc.tuple(payload, fc.constantFrom(...sizes)).map(([good, bytes]): Payload => ({ ...good, bytes }))

/** Not in UTF-8, compressed, in chunks, or not there. */
const inStrangeBytes = (payload: fc.Arbitrary<Payload>): fc.Arbitrary<Payload | null> =>
  fc.oneof(
    fc.constantFrom(null, asJson(''), asXml('')),
    payload.map((good): Payload => ({ ...good, isChunked: true })),
    payload.map((good): Payload => ({ ...good, as: 'utf16le' })),
    payload.map((good): Payload => ({ ...good, as: 'gzip' })),
    payload.map((good): Payload => ({ ...good, as: 'gzip', headers: { ...JSON_TYPE, 'content-encoding': 'gzip' } })),
    payload.map((good): Payload => ({ ...good, text: good.text.replaceAll('a', NO_UTF8), as: 'latin1' })),
    fc.uint8Array().map((bytes): Payload => ({ ...asJson(Buffer.from(bytes).toString('latin1')), as: 'latin1' })),
  )

const badXml: fc.Arbitrary<Payload> = fc.oneof(
  { weight: 6, arbitrary: hostileXml.map(asXml) },
  { weight: 1, arbitrary: hostileXml.map((text): Payload => ({ ...asXml(text), as: 'utf16le' })) },
  { weight: 1, arbitrary: hostileXml.map((text): Payload => ({ ...asXml(text), as: 'latin1' })) },
  { weight: 1, arbitrary: junitDocument.map((text): Payload => ({ ...asXml(text), isChunked: true })) },
  { weight: 2, arbitrary: withStrangeType(junitDocument.map(asXml)) },
)
