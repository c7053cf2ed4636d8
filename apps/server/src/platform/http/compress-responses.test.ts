import { request as httpRequest, type IncomingHttpHeaders } from 'node:http'
import { gunzipSync } from 'node:zlib'

import { beforeAll, describe, expect, it } from 'vitest'

import { makeProject, makeTestCases } from '@caseward/test-support/factories'
import { useSharedServer } from '@caseward/test-support/test-server'

const server = useSharedServer()
let project: Awaited<ReturnType<typeof makeProject>>
let token: string
let listPath: string
beforeAll(async () => {
  project = await makeProject(server)
  token = project.admin.token
  await makeTestCases(server, project, 100)
  listPath = `/v1/projects/${project.id}/test-cases?fields=all&per_page=100`
})

/** Sends a request without decoding the response, which `fetch` would do. */
function sendRaw(path: string, headers: Record<string, string>, method = 'GET') {
  return new Promise<{ status: number; headers: IncomingHttpHeaders; body: Buffer }>((resolve, reject) => {
    const outgoing = httpRequest(
      server.url + path,
      { method, headers: { authorization: `Bearer ${token}`, ...headers } },
      (response) => {
        const chunks: Buffer[] = []
        response.on('data', (chunk: Buffer) => chunks.push(chunk))
        response.on('end', () =>
          resolve({ status: response.statusCode ?? 0, headers: response.headers, body: Buffer.concat(chunks) }),
        )
        response.on('error', reject)
      },
    )
    outgoing.on('error', reject)
    outgoing.end()
  })
}

describe('a response of more than 4 KB', () => {
  it('is compressed when the client accepts gzip', async () => {
    const plain = await sendRaw(listPath, {})
    const compressed = await sendRaw(listPath, { 'accept-encoding': 'gzip, deflate, br' })
    expect([compressed.status, compressed.headers['content-encoding']]).toEqual([200, 'gzip'])
    expect(Number(compressed.headers['content-length'])).toBe(compressed.body.length)
    expect(compressed.body.length).toBeLessThan(plain.body.length / 4)
    expect(gunzipSync(compressed.body).equals(plain.body)).toBe(true)
    expect(compressed.headers['content-type']).toBe(plain.headers['content-type'])
  })

  it.each([{}, { 'accept-encoding': 'identity' }, { 'accept-encoding': 'gzip;q=0, *' }, { 'accept-encoding': 'br' }])(
    'is sent as it is for the headers %j, with Vary for caches',
    async (headers: Record<string, string>) => {
      const response = await sendRaw(listPath, headers)
      expect([response.headers['content-encoding'], response.headers.vary]).toEqual([undefined, 'Accept-Encoding'])
      expect(() => void JSON.parse(response.body.toString())).not.toThrow()
    },
  )

  it.each([
    ['same-origin', 'gzip'],
    ['none', 'gzip'],
    ['same-site', undefined],
    ['cross-site', undefined],
  ])('to a request of a browser with Sec-Fetch-Site: %s has the encoding %s', async (site, encoding) => {
    const { headers } = await sendRaw(listPath, { 'accept-encoding': 'gzip', 'sec-fetch-site': site })
    expect(headers['content-encoding']).toBe(encoding)
  })

  it('is compressed if it is a problem with many errors', async () => {
    const names = Array.from({ length: 200 }, () => 'test_case_ids=%00').join('&')
    const path = `/v1/projects/${project.id}/recent-results?${names}`
    expect((await sendRaw(path, { 'accept-encoding': 'gzip' })).status).toBe(400)
    const response = await server.request('POST', `/v1/projects/${project.id}/test-cases/bulk`, {
      token,
      body: { test_cases: Array.from({ length: 100 }, () => ({ title: '' })) },
    })
    expect([response.status, response.headers.get('content-encoding')]).toEqual([400, 'gzip'])
    expect(response.body['errors']).toHaveLength(100)
  })

  it('has the same headers for HEAD, without a body', async () => {
    const head = await sendRaw(listPath, { 'accept-encoding': 'gzip' }, 'HEAD')
    const get = await sendRaw(listPath, { 'accept-encoding': 'gzip' })
    expect([head.status, head.body.length]).toEqual([200, 0])
    expect(head.headers['content-encoding']).toBe('gzip')
    expect(head.headers['content-length']).toBe(get.headers['content-length'])
  })

  it('is compressed as a stream if it is a CSV file', async () => {
    const path = `/v1/projects/${project.id}/audit-log?format=csv`
    const plain = await sendRaw(path, {})
    const compressed = await sendRaw(path, { 'accept-encoding': 'gzip' })
    expect([compressed.status, compressed.headers['content-encoding']]).toEqual([200, 'gzip'])
    expect(gunzipSync(compressed.body).equals(plain.body)).toBe(true)
  })

  it('is not compressed if it is a page or another file than JSON and CSV', async () => {
    for (const path of ['/docs', '/docs/static/swagger-ui.css', '/metrics']) {
      const { status, headers } = await sendRaw(path, { 'accept-encoding': 'gzip' })
      expect([path, status, headers['content-encoding']]).toEqual([path, 200, undefined])
    }
  })

  it('is complete for each of 60 clients at once, compressed or not', async () => {
    const path = `/v1/projects/${project.id}/test-cases?fields=row&per_page=2000`
    const plain = await sendRaw(path, {})
    const responses = await Promise.all(Array.from({ length: 60 }, () => sendRaw(path, { 'accept-encoding': 'gzip' })))
    const bodies = responses.map(({ headers, body }) =>
      headers['content-encoding'] === 'gzip' ? gunzipSync(body) : body,
    )
    expect(bodies.filter((body) => !body.equals(plain.body))).toEqual([])
  })
})

describe('a response of less than 4 KB', () => {
  it('is not compressed and has no Vary', async () => {
    const { headers } = await sendRaw(`/v1/projects/${project.id}`, { 'accept-encoding': 'gzip' })
    expect([headers['content-encoding'], headers.vary]).toEqual([undefined, undefined])
  })
})
