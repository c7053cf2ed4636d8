import { measureCpuTime } from '@caseward/test-support/cpu-time'
import { useSharedServer } from '@caseward/test-support/test-server'
import { describe, expect, it } from 'vitest'

const server = useSharedServer()

describe.each(['/openapi.json', '/docs/json'])('GET %s', (path) => {
  it('returns the document with an ETag, and 304 without it when the client has this version', async () => {
    const uncompressed = { 'accept-encoding': 'identity' }
    const { status, headers, body } = await server.request('GET', path, { headers: uncompressed })
    expect([status, body['openapi'], headers.get('content-type')]).toEqual([
      200,
      '3.1.0',
      'application/json; charset=utf-8',
    ])
    const etag = headers.get('etag') ?? ''
    expect(etag).toMatch(/^"[\w-]{43}"$/)
    for (const condition of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
      const cached = await server.request('GET', path, {
        headers: { ...uncompressed, 'if-none-match': condition },
      })
      expect([cached.status, cached.body, cached.headers.get('etag')]).toEqual([304, '', etag])
    }
    expect((await server.request('GET', path, { headers: { 'if-none-match': '"other"' } })).status).toBe(200)
  })

  it('returns the same document compressed, with a weak ETag of the same version', async () => {
    const [plain, compressed] = await Promise.all(
      ['identity', 'gzip'].map((encoding) => server.request('GET', path, { headers: { 'accept-encoding': encoding } })),
    )
    expect(compressed?.body).toEqual(plain?.body)
    expect([compressed?.headers.get('content-encoding'), compressed?.headers.get('vary')]).toEqual([
      'gzip',
      'Accept-Encoding',
    ])
    expect(compressed?.headers.get('etag')).toBe(`W/${plain?.headers.get('etag')}`)
  })

  it('takes about as long as a response without content, because the document is serialized once', async () => {
    const headers = { 'if-none-match': '*' }
    await server.request('GET', path, { headers })
    const spentMs = { [path]: 0, '/healthz': 0 }
    // Alternately, so that a busy machine slows down both.
    for (let count = 0; count < 50; count += 1) {
      for (const url of [path, '/healthz']) {
        spentMs[url] = (spentMs[url] ?? 0) + (await measureCpuTime(() => server.request('GET', url, { headers })))
      }
    }
    // Serializing took 15 ms each time, more than ten times as long as the response.
    expect(spentMs[path]).toBeLessThan(4 * (spentMs['/healthz'] ?? 0))
  })
})

// reference.test.ts draws the page.
describe('GET /docs', () => {
  it('has a Content-Security-Policy that allows only its own scripts, styles and forms, and does not upgrade to HTTPS', async () => {
    const policy = (await server.request('GET', '/docs')).headers.get('content-security-policy') ?? ''
    const rules = policy.split(';')
    for (const name of ['default-src', 'script-src', 'style-src', 'form-action'])
      expect(rules).toContain(`${name} 'self'`)
    expect(rules).toContain("base-uri 'none'")
    expect(policy).not.toMatch(/upgrade-insecure-requests|swagger\.io/)
  })
})

interface Document {
  paths: Record<string, Record<string, { responses: Record<string, { $ref?: string }> }>>
  components: { responses: Record<string, object>; schemas: Record<string, object> }
}

describe('problems in the document', () => {
  it('are described once, and every reference leads to one', async () => {
    const { body } = await server.request<Document>('GET', '/openapi.json')
    const text = JSON.stringify(body)
    const references = [...text.matchAll(/"\$ref":"#\/components\/(responses|schemas)\/(\w+)"/g)]
    expect(
      references.filter(([, kind, name = '']) => !(name in body.components[kind as 'responses' | 'schemas'])),
    ).toEqual([])
    // Each operation can return two of them: the database is unavailable, and an error of the server.
    const operations = Object.values(body.paths).flatMap((methods) => Object.values(methods))
    expect(
      operations.filter(({ responses }) => responses['503']?.$ref !== '#/components/responses/Problem503'),
    ).toEqual([])
    expect(text.split('Stable error code in snake_case').length).toBeLessThan(operations.length)
  })
})
