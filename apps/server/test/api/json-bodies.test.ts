import { useSharedServer } from '@caseward/test-support/test-server'
import { makeUser } from '@caseward/test-support/users'
import { beforeAll, describe, expect, it } from 'vitest'

const server = useSharedServer()
let token: string
beforeAll(async () => {
  token = (await makeUser(server)).token
})

const MEBIBYTE = 1024 * 1024
const buildObject = (keyCount: number) =>
  `{${Array.from({ length: keyCount }, (_, index) => `"${index}":0`).join(',')}}`

const jsonHeaders = { 'content-type': 'application/json' }

describe('JSON request bodies', () => {
  it.each([
    ['application/json; charset=utf-8'],
    ['APPLICATION/JSON'],
    ['application/json;charset=UTF-8'],
    ['application/json; charset="utf-8"'],
    ['application/json; charset=utf8; version=1'],
  ])(
    'are parsed as JSON with the content type %s',
    { tags: ['spec:conventions/bodies-of-requests-are-json-and-say-so'] },
    async (type) => {
      const body = JSON.stringify({ name: 'Prüfung', prefix: 'WEB' })
      const response = await server.request('POST', '/v1/projects', { token, headers: { 'content-type': type }, body })
      expect(response).toMatchObject({ status: 201, body: { data: { name: 'Prüfung' } } })
    },
  )

  it.each([['iso-8859-1'], ['UTF-16'], ['"windows-1252"'], ['no-such-charset']])(
    'return 415 with the charset %s',
    async (charset) => {
      const headers = { 'content-type': `application/json; charset=${charset}` }
      const options = { token, headers, body: '{"name":"x","prefix":"WEB"}' }
      expect((await server.expectProblem(415, 'POST', '/v1/projects', options)).code).toBe('unsupported_charset')
    },
  )

  const buildJson = (name: Uint8Array) =>
    Buffer.concat([Buffer.from('{"prefix":"WEB","name":"'), name, Buffer.from('"}')])
  it.each([
    ['ISO 8859-1', buildJson(Buffer.from('Prüfung', 'latin1'))],
    ['an incomplete character', buildJson(Buffer.from([0xe2, 0x82]))],
    ['half of a surrogate pair', buildJson(Buffer.from([0xed, 0xa0, 0x80]))],
    ['an overlong encoding', buildJson(Buffer.from([0xc0, 0xaf]))],
    ['UTF-16', Buffer.from('\ufeff{"prefix":"WEB","name":"x"}', 'utf16le')],
    ['1 MB with one invalid byte', buildJson(Buffer.alloc(MEBIBYTE - 100, 'x').fill(0xff, 500_000, 500_001))],
  ])('return 400 when they are not UTF-8: %s', async (_, body) => {
    const problem = await server.expectProblem(400, 'POST', '/v1/projects', { token, headers: jsonHeaders, body })
    expect([problem.code, problem.detail]).toEqual(['invalid_json', 'The request is not valid: the body is not UTF-8.'])
  })

  it('are accepted with a byte order mark', async () => {
    const body = '\ufeff{"name":"x","prefix":"WEB"}'
    expect((await server.request('POST', '/v1/projects', { token, headers: jsonHeaders, body })).status).toBe(201)
  })

  it.each([
    ['text/plain'],
    ['application/xml'],
    ['application/x-www-form-urlencoded'],
    ['multipart/form-data; boundary=x'],
    ['application/jsonx'],
    ['nonsense'],
  ])(
    'return 415 with the content type %s',
    { tags: ['spec:conventions/bodies-of-requests-are-json-and-say-so'] },
    async (type) => {
      const body = JSON.stringify({ name: 'x', prefix: 'WEB' })
      await server.expectProblem(415, 'POST', '/v1/projects', { token, headers: { 'content-type': type }, body })
    },
  )

  it.each([
    ['{"name":'],
    ['{name:1}'],
    ["{'name':'x'}"],
    ['undefined'],
    [' '],
    ['{"a":1}{"b":2}'],
    ['{"a":1,}'],
    ['[1'],
  ])('return 400 when they are not JSON: %s', async (body) => {
    const problem = await server.expectProblem(400, 'POST', '/v1/projects', { token, headers: jsonHeaders, body })
    expect(problem).toMatchObject({ code: 'invalid_json', errors: [{ path: '' }] })
  })

  it(
    'may contain unknown fields with up to 32 levels',
    { tags: ['spec:versioning/compatibility-decided-a-newer-client-works-with'] },
    async () => {
      const deep = `${'['.repeat(31)}${']'.repeat(31)}`
      const body = `{"name":"x","prefix":"WEB","future":${deep},"test_case_count":7}`
      const response = await server.request('POST', '/v1/projects', { token, headers: jsonHeaders, body })
      expect(response).toMatchObject({ status: 201, body: { data: { test_case_count: 0 } } })
    },
  )

  it.each([
    ['more than 32 levels', 'json_too_deep', `${'['.repeat(32)}${']'.repeat(32)}`, /32 levels/],
    ['1 MB of opening brackets', 'json_too_deep', '['.repeat(MEBIBYTE - 100), /32 levels/],
    [
      'objects in half a megabyte of levels',
      'json_too_deep',
      `${'{"a":'.repeat(50_000)}0${'}'.repeat(50_000)}`,
      /32 levels/,
    ],
    ['more than 1,000 keys in an object', 'json_too_many_keys', buildObject(1001), /1,000 keys/],
    ['more than 100,000 values in a field', 'json_too_many_values', `{"a":[${'0,'.repeat(100_000)}0]}`, /100,000/],
  ])('return 400 with %s, and say what to change', async (_what, code, value, detail) => {
    const body = `{"name":"x","prefix":"WEB","future":${value}}`
    const problem = await server.expectProblem(400, 'POST', '/v1/projects', { token, headers: jsonHeaders, body })
    expect([problem.code, problem.detail]).toEqual([code, expect.stringMatching(detail)])
    expect(problem.detail).toMatch(/\. Send it|\. Leave out/)
  })

  it('may contain brackets in texts', async () => {
    const name = `\\"${'[{'.repeat(60)}\\`
    const body = { name, prefix: 'WEB' }
    expect(await server.request('POST', '/v1/projects', { token, body })).toMatchObject({ body: { data: { name } } })
  })

  it.each([
    ['"__proto__":{"description":"injected"}'],
    ['"__pr\\u006fto__":{"description":"injected"}'],
    ['"constructor":{"prototype":{"description":"injected"}}'],
    ['"future":[{"__proto__":{"description":"injected"},"constructor":{"prototype":1}}]'],
    ['"__proto__":1,"constructor":"x"'],
  ])('may contain keys of prototypes, which are ignored: %s', async (fields) => {
    const body = `{"name":"x","prefix":"WEB",${fields}}`
    const response = await server.request('POST', '/v1/projects', { token, headers: jsonHeaders, body })
    expect(response).toMatchObject({ status: 201, body: { data: { name: 'x', prefix: 'WEB' } } })
    expect(JSON.stringify(response.body)).not.toContain('injected')
  })

  it('do not inherit fields from __proto__', async () => {
    const body = '{"prefix":"WEB","__proto__":{"name":"x"}}'
    const problem = await server.expectProblem(400, 'POST', '/v1/projects', { token, headers: jsonHeaders, body })
    expect(problem.errors).toEqual([{ path: '/name', message: 'is required' }])
  })
})
