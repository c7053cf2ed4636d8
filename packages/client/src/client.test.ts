import type { RequestListener } from 'node:http'

import { describe, expect, it } from 'vitest'

import { getProject, listProjects, revokePersonalToken, uploadResults } from './endpoints.generated.ts'
import {
  createTestClient,
  html,
  json,
  neverRespond,
  page,
  partial,
  problem,
  receipt,
  startServer,
} from './fake-server.test.helper.ts'

describe('Client.call', () => {
  it('sends method, path, JSON body and token', async () => {
    const { url, requests } = await startServer(json(200, receipt))
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

  it('sends a raw body unchanged with its media type', async () => {
    const { url, requests } = await startServer(json(207, partial))
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

  it('keeps the path prefix of the server address', async () => {
    const { url, requests } = await startServer(json(200, page))
    await createTestClient(`${url}/caseward/`).call(listProjects)
    expect(requests[0]?.url).toBe('/caseward/v1/projects')
  })

  it('returns null as the data of an empty response', async () => {
    const { url } = await startServer((_, response) => void response.writeHead(204).end())
    const reply = await createTestClient(url).call(revokePersonalToken, { params: { token_id: 't' } })
    expect(reply).toMatchObject({ kind: 'success', status: 204, data: null })
  })

  it('returns a problem without retrying', async () => {
    const { url, requests } = await startServer(json(404, problem, { 'content-type': 'application/problem+json' }))
    const reply = await createTestClient(url).call(getProject, { params: { project_id: 'p' } })
    expect(reply).toMatchObject({ kind: 'problem', status: 404, problem })
    expect(requests).toHaveLength(1)
  })
})

describe('Client.call when the response is not from Caseward', () => {
  it('returns unreadable for an HTML page', async () => {
    const { url } = await startServer(html(200))
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
  ])('returns unreadable for JSON of another shape or status: %i %j', async (status, body) => {
    const { url } = await startServer(json(status, body))
    const reply = await createTestClient(url).call(listProjects)
    expect(reply).toMatchObject({ kind: 'unreadable', reason: 'unexpected-shape', status })
  })

  it('returns unreadable when a required object is null', async () => {
    const { url } = await startServer(json(200, { data: null }))
    const reply = await createTestClient(url).call(getProject, { params: { project_id: 'p' } })
    expect(reply).toMatchObject({ kind: 'unreadable', reason: 'unexpected-shape' })
  })

  it('stops reading a response that never ends, and closes the connection', async () => {
    let onClose = () => {}
    const closed = new Promise<void>((resolve) => (onClose = resolve))
    const flood: RequestListener = (_, response) => {
      response.once('close', onClose)
      const mebibyte = '1'.repeat(1024 * 1024)
      const write = () => {
        while (!response.destroyed && response.write(mebibyte));
      }
      response.writeHead(200, { 'content-type': 'application/json' }).on('drain', write)
      write()
    }
    const { url } = await startServer(flood)
    const reply = await createTestClient(url, { timeoutMs: 20_000 }).call(listProjects)
    expect(reply).toMatchObject({ kind: 'unreadable', reason: 'too-large', excerpt: '1'.repeat(500) })
    await closed
  })

  it('does not follow a redirect', async () => {
    const { url, requests } = await startServer(html(301, { location: 'https://other.example.com/v1/results' }))
    const reply = await createTestClient(url).call(uploadResults, { body: { run_id: 'r' } })
    expect(reply).toMatchObject({
      kind: 'unreadable',
      reason: 'redirect',
      status: 301,
      location: 'https://other.example.com/v1/results',
    })
    expect(requests).toHaveLength(1)
  })

  it('accepts additional fields of a newer server', async () => {
    const { url } = await startServer(json(200, { ...page, facets: {} }))
    expect(await createTestClient(url).call(listProjects)).toMatchObject({ kind: 'success' })
  })
})

describe('Client.call with a signal', () => {
  it('rejects while it waits for the response', async () => {
    const { url } = await startServer(neverRespond)
    const signal = AbortSignal.timeout(50)
    await expect(createTestClient(url).call(listProjects, { signal })).rejects.toThrow('aborted due to timeout')
  })

  it('rejects while it waits for the next attempt', async () => {
    const { url, requests } = await startServer(html(429, { 'retry-after': '2' }))
    const controller = new AbortController()
    const onRetry = () => void setTimeout(() => controller.abort(new Error('enough')), 20)
    await expect(createTestClient(url, { onRetry }).call(listProjects, { signal: controller.signal })).rejects.toThrow(
      'enough',
    )
    expect(requests).toHaveLength(1)
  })

  it('sends nothing when the signal is aborted already', async () => {
    const { url, requests } = await startServer(json(200, page))
    await expect(createTestClient(url).call(listProjects, { signal: AbortSignal.abort() })).rejects.toThrow(/aborted/)
    expect(requests).toHaveLength(0)
  })
})
