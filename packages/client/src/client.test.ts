import { createServer, type IncomingHttpHeaders, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'

import { afterEach, describe, expect, it } from 'vitest'

import {
  createProject,
  createRun,
  getProject,
  listProjects,
  revokePersonalToken,
  uploadResults,
} from './endpoints.generated.ts'
import { createClient, type ClientOptions, type Retry } from './client.ts'

/*
 * What a broken network or a proxy does, done by a bare HTTP server. How the client gets on with Caseward itself is
 * tested against the real one, in apps/server/test.
 */

const servers: Server[] = []
afterEach(() => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections()
    server.close()
  }
})

/** A server that answers its first request with the first of these, and so on; the last one stays. */
async function serverThat(...answers: RequestListener[]) {
  const requests: { method: string; url: string; headers: IncomingHttpHeaders; body: Buffer }[] = []
  const server = createServer((request, response) => {
    const { method = '', url = '', headers } = request
    const answer = answers[Math.min(requests.length, answers.length - 1)]
    const record = { method, url, headers, body: Buffer.alloc(0) }
    requests.push(record)
    request
      .on('data', (chunk: Buffer) => (record.body = Buffer.concat([record.body, chunk])))
      .on('end', () => answer?.(request, response))
  })
  servers.push(server)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, requests }
}

const json =
  (status: number, body: unknown, headers: Record<string, string> = {}): RequestListener =>
  (_, response) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body))
  }
const html =
  (status: number, headers: Record<string, string> = {}): RequestListener =>
  (_, response) => {
    response.writeHead(status, { 'content-type': 'text/html', ...headers }).end('<html>Bad Gateway</html>')
  }
const hangUp: RequestListener = (_, response) => void response.destroy()
const cutOff: RequestListener = (_, response) => {
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': '100' })
  response.write('{"data": [')
  setTimeout(() => response.destroy(), 20)
}
const neverAnswer: RequestListener = () => {}

const page = { data: [], meta: { page: 1, per_page: 20, total: 0 } }
const stats = { passed: 1, failed: 0, blocked: 0, retest: 0, not_tested: 0 }
const receipt = { success: true, uploaded_count: 1, failed_count: 0, stats }
const partial = { ...receipt, success: false, partial_failure: true, errors: [] }
const problem = { type: 'about:blank', title: 'Not Found', status: 404, detail: 'No such project.', code: 'not_found' }

const impatient = { limit: 3, firstDelayMs: 10, longestDelayMs: 2000 }
const createTestClient = (url: string, options: Partial<ClientOptions> = {}) =>
  createClient({ url, token: 'cwc_test', retries: impatient, ...options })

describe('a call', () => {
  it('sends what the contract says, with the token', async () => {
    const { url, requests } = await serverThat(json(200, receipt))
    const reply = await createTestClient(url).call(uploadResults, { body: { run_id: 'r', results: [] } })
    expect(reply).toMatchObject({ kind: 'success', status: 200, data: receipt })
    expect(requests).toMatchObject([
      {
        method: 'POST',
        url: '/v1/results',
        headers: { authorization: 'Bearer cwc_test', 'content-type': 'application/json' },
        body: Buffer.from('{"run_id":"r","results":[]}'),
      },
    ])
  })

  it('sends a raw body byte by byte, as what it is', async () => {
    const { url, requests } = await serverThat(json(207, partial))
    const body = Buffer.from('\uFEFF<testsuites name="é"/>', 'utf16le')
    const reply = await createTestClient(url).call(uploadResults, {
      rawBody: { contentType: 'application/xml', body },
      query: { run_id: 'r', dry_run: true },
    })
    expect(reply).toMatchObject({ kind: 'success', status: 207, data: { partial_failure: true } })
    expect(requests).toMatchObject([
      { url: '/v1/results?run_id=r&dry_run=true', headers: { 'content-type': 'application/xml' }, body },
    ])
  })

  it('lives behind a path prefix', async () => {
    const { url, requests } = await serverThat(json(200, page))
    await createTestClient(`${url}/caseward/`).call(listProjects)
    expect(requests[0]?.url).toBe('/caseward/v1/projects')
  })

  it('has null as the data of an empty answer', async () => {
    const { url } = await serverThat((_, response) => void response.writeHead(204).end())
    const reply = await createTestClient(url).call(revokePersonalToken, { params: { token_id: 't' } })
    expect(reply).toMatchObject({ kind: 'success', status: 204, data: null })
  })

  it('gives a refusal with its problem', async () => {
    const { url, requests } = await serverThat(json(404, problem, { 'content-type': 'application/problem+json' }))
    const reply = await createTestClient(url).call(getProject, { params: { project_id: 'p' } })
    expect(reply).toMatchObject({ kind: 'problem', status: 404, problem })
    expect(requests).toHaveLength(1)
  })
})

describe('an answer that is not Caseward’s', () => {
  it('is unreadable when it is a page', async () => {
    const { url } = await serverThat(html(200))
    const reply = await createTestClient(url).call(listProjects)
    expect(reply).toMatchObject({
      kind: 'unreadable',
      reason: 'not-json',
      status: 200,
      excerpt: '<html>Bad Gateway</html>',
    })
  })

  it.each([
    [200, { ok: true }],
    [200, []],
    [200, 'hello'],
    [202, page],
    [200, { data: null, meta: {} }],
    [200, { data: {}, meta: {} }],
    [200, { data: [null], meta: {} }],
    [200, { data: [], meta: null }],
    [404, { error: 'no route' }],
  ])('is unreadable when it is JSON of another shape or status: %i %j', async (status, body) => {
    const { url } = await serverThat(json(status, body))
    const reply = await createTestClient(url).call(listProjects)
    expect(reply).toMatchObject({ kind: 'unreadable', reason: 'unexpected-shape', status })
  })

  it('is unreadable when there is nothing where an object is promised', async () => {
    const { url } = await serverThat(json(200, { data: null }))
    const reply = await createTestClient(url).call(getProject, { params: { project_id: 'p' } })
    expect(reply).toMatchObject({ kind: 'unreadable', reason: 'unexpected-shape' })
  })

  it('is not read for ever', async () => {
    let hangsUp = () => {}
    const closed = new Promise<void>((resolve) => (hangsUp = resolve))
    const flood: RequestListener = (_, response) => {
      response.once('close', hangsUp)
      const mebibyte = '1'.repeat(1024 * 1024)
      const pour = () => {
        while (!response.destroyed && response.write(mebibyte));
      }
      response.writeHead(200, { 'content-type': 'application/json' }).on('drain', pour)
      pour()
    }
    const { url } = await serverThat(flood)
    const reply = await createTestClient(url, { timeoutMs: 20_000 }).call(listProjects)
    expect(reply).toMatchObject({ kind: 'unreadable', reason: 'too-large', excerpt: '1'.repeat(500) })
    await closed
  })

  it('is not followed to another address', async () => {
    const { url, requests } = await serverThat(html(301, { location: 'https://elsewhere.example.com/v1/results' }))
    const reply = await createTestClient(url).call(uploadResults, { body: { run_id: 'r' } })
    expect(reply).toMatchObject({
      kind: 'unreadable',
      reason: 'redirect',
      status: 301,
      location: 'https://elsewhere.example.com/v1/results',
    })
    expect(requests).toHaveLength(1)
  })

  it('is read leniently where the server is newer', async () => {
    const { url } = await serverThat(json(200, { ...page, facets: {} }))
    expect(await createTestClient(url).call(listProjects)).toMatchObject({ kind: 'success' })
  })
})

describe('trying again', () => {
  it.each([
    ['a 503 of a starting server', json(503, { ...problem, status: 503 })],
    ['a 502 page of a proxy', html(502)],
    ['a connection that is closed without an answer', hangUp],
    ['a body that breaks off', cutOff],
  ])('gets over %s', async (_, trouble) => {
    const { url, requests } = await serverThat(trouble, trouble, json(200, receipt))
    const reply = await createTestClient(url).call(uploadResults, { body: { run_id: 'r', results: [] } })
    expect(reply).toMatchObject({ kind: 'success', data: receipt })
    expect(requests.map(({ body }) => body.toString())).toEqual(Array(3).fill('{"run_id":"r","results":[]}'))
  })

  it('ends after the limit, with the last answer', async () => {
    const { url, requests } = await serverThat(html(502))
    const reply = await createTestClient(url).call(listProjects)
    expect(reply).toMatchObject({ kind: 'unreadable', status: 502 })
    expect(requests).toHaveLength(1 + impatient.limit)
  })

  it('never makes a second project of one', async () => {
    const { url, requests } = await serverThat(hangUp, json(201, {}))
    const reply = await createTestClient(url).call(createProject, { body: { name: 'Web', prefix: 'WEB' } })
    expect(reply).toMatchObject({ kind: 'unreachable', reason: 'connection-lost', mayHaveReachedServer: true })
    expect(requests).toHaveLength(1)
  })

  it('asks again for a run that is known by its key', async () => {
    const run = { name: 'Nightly', run_key: 'build-7' }
    const { url, requests } = await serverThat(hangUp, json(200, { data: run }))
    const reply = await createTestClient(url).call(createRun, { params: { project_id: 'p' }, body: run })
    expect(reply).toMatchObject({ kind: 'success', status: 200 })
    expect(requests.map(({ body }) => body.toString())).toEqual([JSON.stringify(run), JSON.stringify(run)])
  })

  it('waits as long as the server asks, and says so', async () => {
    const { url } = await serverThat(html(429, { 'retry-after': '1' }), json(200, page))
    const retries: Retry[] = []
    const start = performance.now()
    const reply = await createTestClient(url, { onRetry: (retry) => retries.push(retry) }).call(listProjects)
    expect(reply.kind).toBe('success')
    expect(performance.now() - start).toBeGreaterThan(990)
    expect(retries).toMatchObject([{ attempt: 1, attempts: 4, reply: { status: 429 } }])
  })

  it('does not wait longer than the policy allows', async () => {
    const { url, requests } = await serverThat(html(429, { 'retry-after': '3' }))
    expect(await createTestClient(url).call(listProjects)).toMatchObject({ kind: 'unreadable', status: 429 })
    expect(requests).toHaveLength(1)
  })
})

describe('nobody there', () => {
  it('is told as a refused connection', async () => {
    const { url } = await serverThat(neverAnswer)
    await new Promise((resolve) => servers.pop()?.close(resolve))
    const retries: Retry[] = []
    const reply = await createTestClient(url, { onRetry: (retry) => retries.push(retry) }).call(createProject, {
      body: { name: 'Web', prefix: 'WEB' },
    })
    expect(reply).toMatchObject({
      kind: 'unreachable',
      reason: 'refused',
      mayHaveReachedServer: false,
      code: 'ECONNREFUSED',
    })
    expect(retries).toHaveLength(impatient.limit)
  })

  it('is told as an unknown host', async () => {
    const reply = await createTestClient('http://caseward.invalid').call(listProjects)
    expect(reply).toMatchObject({ kind: 'unreachable', reason: 'unknown-host' })
  })

  it('is told as running out of time', async () => {
    const { url, requests } = await serverThat(neverAnswer)
    const reply = await createTestClient(url, { timeoutMs: 50, retries: { limit: 1, firstDelayMs: 1 } }).call(
      listProjects,
    )
    expect(reply).toMatchObject({ kind: 'unreachable', reason: 'timed-out', mayHaveReachedServer: true })
    expect(requests).toHaveLength(2)
  })

  it('is told as running out of time when the answer stops in the middle', async () => {
    const { url } = await serverThat((_, response) => void response.writeHead(200).write('{"data": ['))
    const reply = await createTestClient(url, { timeoutMs: 100, retries: { limit: 0 } }).call(listProjects)
    expect(reply).toMatchObject({ kind: 'unreachable', reason: 'timed-out' })
  })
})

describe('a signal', () => {
  it('ends a call that waits for its answer', async () => {
    const { url } = await serverThat(neverAnswer)
    const signal = AbortSignal.timeout(50)
    await expect(createTestClient(url).call(listProjects, { signal })).rejects.toThrow('aborted due to timeout')
  })

  it('ends a call that waits for its next attempt', async () => {
    const { url, requests } = await serverThat(html(429, { 'retry-after': '2' }))
    const controller = new AbortController()
    const onRetry = () => void setTimeout(() => controller.abort(new Error('enough')), 20)
    await expect(createTestClient(url, { onRetry }).call(listProjects, { signal: controller.signal })).rejects.toThrow(
      'enough',
    )
    expect(requests).toHaveLength(1)
  })

  it('that was given before keeps the call from being made', async () => {
    const { url, requests } = await serverThat(json(200, page))
    await expect(createTestClient(url).call(listProjects, { signal: AbortSignal.abort() })).rejects.toThrow(/aborted/)
    expect(requests).toHaveLength(0)
  })
})
