import { describe, expect, it } from 'vitest'

import type { Operation } from './document.ts'
import { createResponseChecker } from './response-checker.ts'
import type { Reply } from './send.ts'

const run = {
  type: 'object',
  required: ['name'],
  properties: { name: { type: 'string' }, steps: { type: 'array', items: { type: 'object', properties: {} } } },
}
const problem = { type: 'object', properties: { code: { type: 'string' }, status: { type: 'integer' } } }
const judge = createResponseChecker({
  responses: {
    200: { content: { 'application/json': { schema: run } } },
    204: {},
    400: { content: { 'application/problem+json': { schema: problem } } },
    503: { content: { 'application/problem+json': { schema: problem } } },
  },
} as unknown as Operation)

const reply = (status: number, body: string | Buffer, type = 'application/json; charset=utf-8'): Reply => ({
  status,
  headers: { 'content-type': type, 'x-request-id': 'x' },
  body: Buffer.from(body),
})
const refusal = (body: object, status = 400) => reply(status, JSON.stringify(body), 'application/problem+json')

describe('the judge of the fuzz', () => {
  it.each<[string, Reply]>([
    ['a body as declared', reply(200, '{"name":"x","steps":[{}]}')],
    ['no body where none is declared', reply(204, '')],
    ['a problem', refusal({ status: 400, code: 'invalid_request' })],
  ])('has nothing to say of %s', (_, answer) => {
    expect(judge(answer)).toEqual([])
  })

  it.each<[string, Reply, RegExp]>([
    ['a status that is not declared', reply(202, '{"name":"x"}'), /202 is not declared/],
    ['a 5xx', reply(500, '{}'), /it is a 500/],
    ['a 5xx that is declared', refusal({ status: 503, code: 'database_unavailable' }, 503), /^it is a 503$/],
    ['a property that is missing', reply(200, '{}'), /must have required property 'name'/],
    ['a property too many', reply(200, '{"name":"x","id":1}'), /must NOT have additional properties/],
    ['one too many in a list', reply(200, '{"name":"x","steps":[{"a":1}]}'), /data\/steps\/0 must NOT have additional/],
    ['a body where none is declared', reply(204, '{}'), /it has a body/],
    ['another media type', reply(200, '{"name":"x"}', 'text/html'), /its type is text\/html/],
    ['what is no JSON', reply(200, '{"name":NaN}'), /is no JSON/],
    ['what is no UTF-8', reply(200, Buffer.from('{"name":"\u00E9"}', 'latin1')), /is no JSON/],
    ['a problem without a code', refusal({ status: 400 }), /its code is undefined/],
    ['a problem of another status', refusal({ status: 404, code: 'not_found' }), /says that its status is 404/],
    ['an answer without a request id', { ...reply(204, ''), headers: {} }, /no X-Request-Id/],
  ])('finds %s', (_, answer, complaint) => {
    expect(judge(answer).join('\n')).toMatch(complaint)
  })
})
