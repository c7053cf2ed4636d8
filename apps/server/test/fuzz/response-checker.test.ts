import { describe, expect, it } from 'vitest'

import type { Operation } from './read-operations.ts'
import { createResponseChecker } from './response-checker.ts'
import type { RawResponse } from './raw-http.ts'

const run = {
  type: 'object',
  required: ['name'],
  properties: { name: { type: 'string' }, steps: { type: 'array', items: { type: 'object', properties: {} } } },
}
const problem = { type: 'object', properties: { code: { type: 'string' }, status: { type: 'integer' } } }
const check = createResponseChecker({
  responses: {
    200: { content: { 'application/json': { schema: run } } },
    204: {},
    400: { content: { 'application/problem+json': { schema: problem } } },
    503: { content: { 'application/problem+json': { schema: problem } } },
  },
} as unknown as Operation)

const response = (status: number, body: string | Buffer, type = 'application/json; charset=utf-8'): RawResponse => ({
  status,
  headers: { 'content-type': type, 'x-request-id': 'x' },
  body: Buffer.from(body),
})
const problemResponse = (body: object, status = 400) =>
  response(status, JSON.stringify(body), 'application/problem+json')

describe('createResponseChecker', () => {
  it.each<[string, RawResponse]>([
    ['a body as declared', response(200, '{"name":"x","steps":[{}]}')],
    ['an empty body if none is declared', response(204, '')],
    ['a problem', problemResponse({ status: 400, code: 'invalid_request' })],
  ])('finds no fault in %s', (_, actual) => {
    expect(check(actual)).toEqual([])
  })

  it.each<[string, RawResponse, RegExp]>([
    ['a status that is not declared', response(202, '{"name":"x"}'), /202 is not declared/],
    ['a 5xx', response(500, '{}'), /it is a 500/],
    ['a 5xx that is declared', problemResponse({ status: 503, code: 'database_unavailable' }, 503), /^it is a 503$/],
    ['a property that is missing', response(200, '{}'), /must have required property 'name'/],
    ['an undeclared property', response(200, '{"name":"x","id":1}'), /must NOT have additional properties/],
    [
      'an undeclared property in a list',
      response(200, '{"name":"x","steps":[{"a":1}]}'),
      /data\/steps\/0 must NOT have additional/,
    ],
    ['a body if none is declared', response(204, '{}'), /it has a body/],
    ['another media type', response(200, '{"name":"x"}', 'text/html'), /its type is text\/html/],
    ['a body that is not JSON', response(200, '{"name":NaN}'), /is not JSON/],
    ['a body that is not UTF-8', response(200, Buffer.from('{"name":"\u00E9"}', 'latin1')), /is not JSON/],
    ['a problem without a code', problemResponse({ status: 400 }), /its code is undefined/],
    ['a problem of another status', problemResponse({ status: 404, code: 'not_found' }), /status in its body is 404/],
    ['a response without a request id', { ...response(204, ''), headers: {} }, /no X-Request-Id/],
  ])('reports %s', (_, actual, fault) => {
    expect(check(actual).join('\n')).toMatch(fault)
  })
})
