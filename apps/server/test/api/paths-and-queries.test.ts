import { once } from 'node:events'
import { connect } from 'node:net'

import type { Problem } from '@caseward/contract/problem'
import { makeProject } from '@caseward/test-support/factories'
import { useSharedServer } from '@caseward/test-support/test-server'
import { makeUser } from '@caseward/test-support/users'
import { beforeAll, describe, expect, it } from 'vitest'

const server = useSharedServer()
let token: string
beforeAll(async () => {
  token = (await makeUser(server)).token
})

describe('request paths', () => {
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
  ])('return 404 with the id %s', async (id) => {
    const project = await makeProject(server, { token })
    await server.expectProblem(404, 'GET', `/v1/projects/${id}`, { token })
    await server.expectProblem(404, 'GET', `/v1/runs/${id}`, { token })
    await server.expectProblem(404, 'GET', `/v1/projects/${project.id}/test-cases/${id}`, { token })
    await server.expectProblem(404, 'PATCH', `/v1/projects/${project.id}/folders/${id}`, { token, body: { name: 'x' } })
    await server.expectProblem(404, 'DELETE', `/v1/projects/${project.id}/tokens/${id}`, { token })
  })

  it(
    'return 404 without a token too, when the path or its method does not exist',
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

describe('request paths that match no route', () => {
  it.each([['/v1/%zz'], ['/%zz'], [`/v1/projects/${'x'.repeat(600)}`]])(
    'return the security headers of API responses: %s',
    async (path) => {
      const { headers } = await server.request('GET', path)
      expect(headers.get('content-security-policy')).toBe("default-src 'none'; frame-ancestors 'none'")
      expect(headers.get('x-content-type-options')).toBe('nosniff')
      expect(headers.get('cache-control')).toBe('no-store')
    },
  )
})

describe('a path with percent-encoded letters', () => {
  it.each(['/%761/me', '/v%31/me', '/%76%31/no-such-endpoint'])(
    'returns the security headers of API responses: %s',
    async (path) => {
      const { headers } = await server.request('GET', path, { token, headers: { accept: 'text/html' } })
      expect(headers.get('content-type')).toMatch(/^application\/(?:problem\+)?json/)
      expect(headers.get('content-security-policy')).toBe("default-src 'none'; frame-ancestors 'none'")
      expect(headers.get('cache-control')).toBe('no-store')
    },
  )

  it('is limited, measured and logged as the route that it is', async () => {
    await server.expectProblem(401, 'GET', '/%761/%6De')
    const { body } = await server.request<string>('GET', '/%6Detrics')
    expect(body).toMatch(/_count\{method="GET",route="\/v1\/me",status="401"\}/)
    expect(server.logged.some((line) => /"route":"\/v1\/me","status":401/.test(line))).toBe(true)
    expect(server.logged.join('\n')).not.toContain('%6De')
  })
})

describe('query parameters', () => {
  it.each([
    ['page=%E0%A4%A'],
    ['page=%00'],
    ['page=1&page=2'],
    ['per_page[]=1&per_page=x'],
    ['page=-1'],
    ['page=1e400'],
  ])('return 400 when invalid: ?%s', async (query) => {
    await server.expectProblem(400, 'GET', `/v1/projects?${query}`, { token })
  })

  it.each([['other=%E0%A4%A'], ['%E0%A4%A=1'], ['&&=&'], ['page[]=7'], ['__proto__=1'], ['constructor=1'], ['x=%00']])(
    'are ignored when unknown: ?%s',
    { tags: ['spec:versioning/compatibility-decided-a-newer-client-works-with'] },
    async (query) => {
      expect((await server.request('GET', `/v1/projects?${query}`, { token })).status).toBe(200)
    },
  )

  it('are converted from text to numbers', async () => {
    const { body } = await server.request('GET', '/v1/projects?page=2&per_page=3', { token })
    expect(body['meta']).toMatchObject({ page: 2, per_page: 3 })
  })

  it('return an empty page for the highest page number', async () => {
    const { status, body } = await server.request('GET', '/v1/projects?page=9007199254740991', { token })
    expect([status, body['data']]).toEqual([200, []])
  })
})

describe('bytes that are not a valid HTTP request', () => {
  /** Sends bytes and returns the response, after the server has closed the connection. */
  const sendBytes = async (text: string) => {
    const { hostname, port } = new URL(server.url)
    const socket = connect(Number(port), hostname).setEncoding('latin1')
    let response = ''
    socket.on('data', (part: string) => {
      response += part
    })
    socket.write(text, 'latin1')
    await once(socket, 'close')
    const [head = '', body = ''] = response.split('\r\n\r\n')
    return { head, problem: JSON.parse(body) as Problem }
  }

  it.each([
    ['a path with bytes outside ASCII', 'GET /v1/\u00FF HTTP/1.1\r\nHost: x\r\n\r\n', 400, 'malformed_request'],
    ['another protocol', 'EHLO example.com\r\n', 400, 'malformed_request'],
    ['a header of more than 16 KB', `GET / HTTP/1.1\r\nX: ${'x'.repeat(17_000)}`, 431, 'headers_too_large'],
  ])('return a problem: %s', async (_, text, status, code) => {
    const { head, problem } = await sendBytes(text)
    expect(head).toMatch(new RegExp(`^HTTP/1.1 ${status} [^]*Content-Type: application/problem\\+json`))
    expect(problem).toMatchObject({ status, code })
  })

  it('return the security headers of API responses', async () => {
    const { head } = await sendBytes('EHLO example.com\r\n')
    expect(head).toMatch(/^x-content-type-options: nosniff\r$/m)
    expect(head).toMatch(/^content-security-policy: default-src 'none'/m)
  })
})
