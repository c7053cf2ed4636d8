import { once } from 'node:events'
import { request as httpRequest } from 'node:http'
import { connect } from 'node:net'

import type { Problem } from '@caseward/contract/problem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { makeFolder, makeProject, makeRun } from '@caseward/test-support/factories'
import { startTestServer, type TestServer } from '@caseward/test-support/test-server'
import { makeUser } from '@caseward/test-support/users'

let server: TestServer
let token: string
beforeAll(async () => {
  server = await startTestServer()
  token = (await makeUser(server)).token
})
afterAll(() => server.close())

const MEBIBYTE = 1024 * 1024

describe('X-Request-Id', () => {
  const idFor = async (given?: string) => {
    const headers: Record<string, string> = given === undefined ? {} : { 'x-request-id': given }
    return (await server.request('GET', '/healthz', { headers })).headers.get('x-request-id')
  }

  it('is made when none is given, another each time', async () => {
    const [one, other] = [await idFor(), await idFor()]
    expect(one).toMatch(/^[\w-]{12}-[0-9a-z]+$/)
    expect(other).not.toBe(one)
  })

  it.each([['abc'], ['req:1/2;{"x"}'], ['x'.repeat(128)]])('is echoed and logged: %s', async (id) => {
    expect(await idFor(id)).toBe(id)
    expect(server.logged.some((line) => (JSON.parse(line) as { request_id?: string }).request_id === id)).toBe(true)
  })

  it.each([[''], ['a b'], ['x'.repeat(129)], ['caf\u00e9'], ['a\tb'], ['\u0085']])(
    'is replaced when it is %j',
    async (id) => {
      expect(await idFor(id)).toMatch(/^[\w-]{12}-[0-9a-z]+$/)
    },
  )

  it('is on every answer: refusals, unknown paths, malformed paths', async () => {
    const headers = { 'x-request-id': 'mine' }
    for (const path of ['/v1/projects', '/nowhere', '/v1/projects/%E0%A4%A', `/v1/projects/${'x'.repeat(400)}`]) {
      const answer = await server.request('GET', path, { headers })
      expect(answer.headers.get('x-request-id')).toBe('mine')
    }
  })
})

describe('paths', () => {
  it.each([
    ['%E0%A4%A'],
    ['%'],
    ['%00'],
    ['%ff'],
    ['a%2Fb'],
    ['..%2F..%2Fetc%2Fpasswd'],
    ['x'.repeat(400)],
    ["1'%20or%20'1'='1"],
    ['\u{1F600}'],
    ['constructor'],
    ['__proto__'],
  ])('with the id %s lead nowhere', async (id) => {
    const project = await makeProject(server, { token })
    await server.expectProblem(404, 'GET', `/v1/projects/${id}`, { token })
    await server.expectProblem(404, 'GET', `/v1/runs/${id}`, { token })
    await server.expectProblem(404, 'GET', `/v1/projects/${project.id}/test-cases/${id}`, { token })
    await server.expectProblem(404, 'PATCH', `/v1/projects/${project.id}/folders/${id}`, { token, body: { name: 'x' } })
    await server.expectProblem(404, 'DELETE', `/v1/projects/${project.id}/tokens/${id}`, { token })
  })

  it(
    'that do not exist, and methods that are not taken, are 404 for anybody',
    { tags: ['spec:versioning/the-prefix-v1-is-on-every-endpoint'] },
    async () => {
      await server.expectProblem(404, 'GET', '/v1/nothing')
      await server.expectProblem(404, 'GET', '/v2/projects', { token })
      await server.expectProblem(404, 'DELETE', '/v1/projects', { token })
      await server.expectProblem(404, 'GET', '/v1/projects/', { token })
      await server.expectProblem(404, 'POST', '/v1/nothing', { headers: { 'content-type': 'text/plain' }, body: 'x' })
    },
  )
})

describe('an address that reaches no route', () => {
  it.each([['/v1/%zz'], ['/%zz'], [`/v1/projects/${'x'.repeat(600)}`]])(
    'is answered with the security headers of all data: %s',
    async (path) => {
      const { headers } = await server.request('GET', path)
      expect(headers.get('content-security-policy')).toBe("default-src 'none'; frame-ancestors 'none'")
      expect(headers.get('x-content-type-options')).toBe('nosniff')
      expect(headers.get('cache-control')).toBe('no-store')
    },
  )
})

describe('queries', () => {
  it.each([
    ['page=%E0%A4%A'],
    ['page=%00'],
    ['page=1&page=2'],
    ['per_page[]=1&per_page=x'],
    ['page=-1'],
    ['page=1e400'],
  ])('with ?%s are refused', async (query) => {
    await server.expectProblem(400, 'GET', `/v1/projects?${query}`, { token })
  })

  it.each([['other=%E0%A4%A'], ['%E0%A4%A=1'], ['&&=&'], ['page[]=7'], ['__proto__=1'], ['constructor=1'], ['x=%00']])(
    'with ?%s are taken: what is not known is ignored',
    { tags: ['spec:versioning/compatibility-decided-a-newer-client-works-with'] },
    async (query) => {
      expect((await server.request('GET', `/v1/projects?${query}`, { token })).status).toBe(200)
    },
  )

  it('are coerced from text', async () => {
    const { body } = await server.request('GET', '/v1/projects?page=2&per_page=3', { token })
    expect(body['meta']).toMatchObject({ page: 2, per_page: 3 })
  })

  it('answer JSON for the furthest page there is', async () => {
    const { status, body } = await server.request('GET', '/v1/projects?page=9007199254740991', { token })
    expect([status, body['data']]).toEqual([200, []])
  })
})

describe('what is no request', () => {
  /** Everything that the service says before it hangs up. */
  const say = async (text: string) => {
    const { hostname, port } = new URL(server.url)
    const socket = connect(Number(port), hostname).setEncoding('latin1')
    let said = ''
    socket.on('data', (part: string) => {
      said += part
    })
    socket.write(text, 'latin1')
    await once(socket, 'close')
    const [head = '', body = ''] = said.split('\r\n\r\n')
    return { head, problem: JSON.parse(body) as Problem }
  }

  it.each([
    ['an address with bytes outside ASCII', 'GET /v1/\u00FF HTTP/1.1\r\nHost: x\r\n\r\n', 400, 'malformed_request'],
    ['no HTTP at all', 'EHLO example.com\r\n', 400, 'malformed_request'],
    ['a header past 16 KB', `GET / HTTP/1.1\r\nX: ${'x'.repeat(17_000)}`, 431, 'headers_too_large'],
  ])('is answered by a problem: %s', async (_, text, status, code) => {
    const { head, problem } = await say(text)
    expect(head).toMatch(new RegExp(`^HTTP/1.1 ${status} [^]*Content-Type: application/problem\\+json`))
    expect(problem).toMatchObject({ status, code })
  })

  it('is answered with the security headers of all data', async () => {
    const { head } = await say('EHLO example.com\r\n')
    expect(head).toMatch(/^x-content-type-options: nosniff\r$/m)
    expect(head).toMatch(/^content-security-policy: default-src 'none'/m)
  })
})

describe('bodies', () => {
  it.each([
    ['JSON', 'application/json', '{}'],
    ['no JSON', 'application/json', '{"name":'],
    ['a form', 'application/x-www-form-urlencoded', ''],
    ['of no media type', 'nonsense', 'x'],
    ['more than 1 MB', 'application/json', ' '.repeat(MEBIBYTE + 1)],
  ])('are dropped where none is asked for: %s', async (_, type, body) => {
    const project = await makeProject(server, { token })
    const options = { token, body, headers: { 'content-type': type, 'content-encoding': 'gzip' } }
    const { id } = await makeFolder(server, project)
    expect((await server.request('DELETE', `/v1/projects/${project.id}/folders/${id}`, options)).status).toBe(200)
  })

  it('may be empty with a JSON content type where none is needed', async () => {
    const project = await makeProject(server, { token })
    const folder = await makeFolder(server, project)
    const headers = { 'content-type': 'application/json' }
    const path = `/v1/projects/${project.id}/folders/${folder.id}`
    expect((await server.request('DELETE', path, { token, headers })).status).toBe(200)
    expect((await server.request('DELETE', `/v1/projects/${project.id}`, { token, headers, body: '' })).status).toBe(
      200,
    )
  })

  it(
    'may not be empty where one is needed, and the answer says so',
    { tags: ['spec:conventions/a-body-that-is-stated-is-required'] },
    async () => {
      for (const options of [{}, { headers: { 'content-type': 'application/json' } }]) {
        const problem = await server.expectProblem(400, 'POST', '/v1/projects', { token, ...options })
        expect(problem.errors).toEqual([{ path: '', message: 'must be a JSON object' }])
      }
    },
  )

  it.each([
    ['application/json; charset=utf-8'],
    ['APPLICATION/JSON'],
    ['application/json;charset=UTF-8'],
    ['application/json; charset="utf-8"'],
    ['application/json; charset=utf8; version=1'],
  ])('are JSON as %s', { tags: ['spec:conventions/bodies-of-requests-are-json-and-say-so'] }, async (type) => {
    const body = JSON.stringify({ name: 'Prüfung', prefix: 'WEB' })
    const answer = await server.request('POST', '/v1/projects', { token, headers: { 'content-type': type }, body })
    expect(answer).toMatchObject({ status: 201, body: { data: { name: 'Prüfung' } } })
  })

  it.each([['iso-8859-1'], ['UTF-16'], ['"windows-1252"'], ['no-such-charset']])(
    'are not taken as JSON in %s',
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
    ['a character that breaks off', buildJson(Buffer.from([0xe2, 0x82]))],
    ['half of a surrogate pair', buildJson(Buffer.from([0xed, 0xa0, 0x80]))],
    ['a character in more bytes than it takes', buildJson(Buffer.from([0xc0, 0xaf]))],
    ['UTF-16', Buffer.from('\ufeff{"prefix":"WEB","name":"x"}', 'utf16le')],
    ['a megabyte with one bad byte', buildJson(Buffer.alloc(MEBIBYTE - 100, 'x').fill(0xff, 500_000, 500_001))],
  ])('that are not UTF-8 are told so: %s', async (_, body) => {
    const headers = { 'content-type': 'application/json' }
    const problem = await server.expectProblem(400, 'POST', '/v1/projects', { token, headers, body })
    expect([problem.code, problem.detail]).toEqual(['invalid_json', 'The request is not valid: the body is not UTF-8.'])
  })

  it('may begin with the mark of UTF-8', async () => {
    const headers = { 'content-type': 'application/json' }
    const body = '\ufeff{"name":"x","prefix":"WEB"}'
    expect((await server.request('POST', '/v1/projects', { token, headers, body })).status).toBe(201)
  })

  it.each([
    ['text/plain'],
    ['application/xml'],
    ['application/x-www-form-urlencoded'],
    ['multipart/form-data; boundary=x'],
    ['application/jsonx'],
    ['nonsense'],
  ])('are not taken as %s', { tags: ['spec:conventions/bodies-of-requests-are-json-and-say-so'] }, async (type) => {
    const body = JSON.stringify({ name: 'x', prefix: 'WEB' })
    await server.expectProblem(415, 'POST', '/v1/projects', { token, headers: { 'content-type': type }, body })
  })

  it.each([
    ['{"name":'],
    ['{name:1}'],
    ["{'name':'x'}"],
    ['undefined'],
    [' '],
    ['{"a":1}{"b":2}'],
    ['{"a":1,}'],
    ['[1'],
  ])('that are not JSON are told so: %s', async (body) => {
    const headers = { 'content-type': 'application/json' }
    const problem = await server.expectProblem(400, 'POST', '/v1/projects', { token, headers, body })
    expect(problem).toMatchObject({ code: 'invalid_json', errors: [{ path: '' }] })
  })

  it(
    'may hold fields that the service does not know, however deep',
    { tags: ['spec:versioning/compatibility-decided-a-newer-client-works-with'] },
    async () => {
      const deep = `${'['.repeat(50_000)}${']'.repeat(50_000)}`
      const body = `{"name":"x","prefix":"WEB","future":${deep},"test_case_count":7}`
      const headers = { 'content-type': 'application/json' }
      const answer = await server.request('POST', '/v1/projects', { token, headers, body })
      expect(answer).toMatchObject({ status: 201, body: { data: { test_case_count: 0 } } })
    },
  )

  it.each([
    ['"__proto__":{"description":"theirs"}'],
    ['"__pr\\u006fto__":{"description":"theirs"}'],
    ['"constructor":{"prototype":{"description":"theirs"}}'],
    ['"future":[{"__proto__":{"description":"theirs"},"constructor":{"prototype":1}}]'],
    ['"__proto__":1,"constructor":"x"'],
  ])('may hold keys that would reach into prototypes, which count for nothing: %s', async (fields) => {
    const headers = { 'content-type': 'application/json' }
    const body = `{"name":"x","prefix":"WEB",${fields}}`
    const answer = await server.request('POST', '/v1/projects', { token, headers, body })
    expect(answer).toMatchObject({ status: 201, body: { data: { name: 'x', prefix: 'WEB' } } })
    expect(JSON.stringify(answer.body)).not.toContain('theirs')
  })

  it('have no field from a prototype of their own', async () => {
    const headers = { 'content-type': 'application/json' }
    const body = '{"prefix":"WEB","__proto__":{"name":"x"}}'
    const problem = await server.expectProblem(400, 'POST', '/v1/projects', { token, headers, body })
    expect(problem.errors).toEqual([{ path: '/name', message: 'is required' }])
  })

  it('are taken up to 1 MB and refused past it', { tags: ['spec:limits/sizes-of-other-bodies-decided'] }, async () => {
    const sized = (bytes: number) => {
      const rest = JSON.stringify({ name: 'x', prefix: 'WEB', future: '' }).length
      return { name: 'x', prefix: 'WEB', future: 'x'.repeat(bytes - rest) }
    }
    expect((await server.request('POST', '/v1/projects', { token, body: sized(MEBIBYTE) })).status).toBe(201)
    const problem = await server.expectProblem(413, 'POST', '/v1/projects', { token, body: sized(MEBIBYTE + 1) })
    expect(problem).toMatchObject({ code: 'body_too_large', detail: expect.stringContaining('1 MB') })
  })

  it(
    'are taken up to 10 MB where results come in, and refused past it',
    { tags: ['spec:limits/sizes-of-other-bodies-decided'] },
    async () => {
      const run = await makeRun(server, await makeProject(server, { token }))
      const path = `/v1/runs/${run.id}/results/bulk`
      const sized = (bytes: number) => ({
        results: [],
        future: 'x'.repeat(bytes - '{"results":[],"future":""}'.length),
      })
      expect((await server.request('POST', path, { token, body: sized(10 * MEBIBYTE) })).status).toBe(200)
      await server.expectProblem(413, 'POST', path, { token, body: sized(10 * MEBIBYTE + 1) })
    },
  )

  it('past the limit are refused also when they come in chunks without a length', async () => {
    const { hostname, port } = new URL(server.url)
    const status = await new Promise<number | undefined>((resolve, reject) => {
      const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
      const outgoing = httpRequest({ hostname, port, method: 'POST', path: '/v1/projects', headers }, (answer) => {
        answer.resume()
        answer.on('end', () => resolve(answer.statusCode))
      })
      outgoing.on('error', reject)
      for (let sent = 0; sent < 40; sent += 1) outgoing.write(' '.repeat(64 * 1024))
      outgoing.end()
    })
    expect(status).toBe(413)
  })

  it('with a million empty items are refused within seconds, and others are answered meanwhile', async () => {
    const run = await makeRun(server, await makeProject(server, { token }))
    const body = `{"results":[${'{},'.repeat(1_000_000)}{}]}`
    const headers = { 'content-type': 'application/json' }
    const start = performance.now()
    const refused = server.expectProblem(400, 'POST', `/v1/runs/${run.id}/results/bulk`, { token, headers, body })
    expect((await server.request('GET', '/healthz')).status).toBe(200)
    expect((await refused).errors?.[0]).toMatchObject({ path: '/results' })
    expect(performance.now() - start).toBeLessThan(5000)
  })
})
