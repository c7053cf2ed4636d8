import { describe, expect, it } from 'vitest'

import type { Retry } from './client.ts'
import { createProject, createRun, listProjects, updateProject, uploadResults } from './endpoints.generated.ts'
import {
  closeConnection,
  createTestClient,
  html,
  json,
  neverRespond,
  page,
  problem,
  receipt,
  shortDelays,
  startServer,
  truncate,
} from './fake-server.test.helper.ts'

describe('Client.call with retries', () => {
  it.each([
    ['a 503 problem', json(503, { ...problem, status: 503 })],
    ['a 502 page of a proxy', html(502)],
    ['a connection that is closed without a response', closeConnection],
    ['a truncated body', truncate],
  ])('retries an idempotent request after %s', async (_, failure) => {
    const { url, requests } = await startServer(failure, failure, json(200, receipt))
    const reply = await createTestClient(url).call(uploadResults, { body: { run_id: 'r', results: [] } })
    expect(reply).toMatchObject({ kind: 'success', data: receipt })
    expect(requests.map(({ body }) => body.toString())).toEqual(Array(3).fill('{"run_id":"r","results":[]}'))
  })

  it('returns the last reply after the maximum number of retries', async () => {
    const { url, requests } = await startServer(html(502))
    const reply = await createTestClient(url).call(listProjects)
    expect(reply).toMatchObject({ kind: 'unreadable', status: 502 })
    expect(requests).toHaveLength(1 + shortDelays.limit)
  })

  it('does not retry an update when the request may have been processed', async () => {
    const { url, requests } = await startServer(closeConnection, json(200, {}))
    const reply = await createTestClient(url).call(updateProject, {
      params: { project_id: 'p' },
      body: { name: 'Web' },
    })
    expect(reply).toMatchObject({ kind: 'unreachable', reason: 'connection-lost', mayHaveReachedServer: true })
    expect(requests).toHaveLength(1)
  })

  it('retries creating a project with the same Idempotency-Key, and sends another one with the next', async () => {
    const project = { data: {} }
    const { url, requests } = await startServer(closeConnection, json(201, project), json(201, project))
    const client = createTestClient(url)
    for (const name of ['Web', 'App']) {
      const reply = await client.call(createProject, { body: { name, prefix: 'WEB' } })
      expect(reply.kind).toBe('success')
    }
    const keys = requests.map(({ headers }) => headers['idempotency-key'])
    expect(keys[0]).toMatch(/^[0-9a-f]{32}$/)
    expect([keys[1] === keys[0], keys[2] === keys[0]]).toEqual([true, false])
  })

  it('sends no Idempotency-Key when nothing is retried, and with requests that are idempotent without', async () => {
    const { url, requests } = await startServer(json(201, { data: {} }), json(200, { data: {} }))
    const body = { name: 'Web', prefix: 'WEB' }
    await createTestClient(url, { retries: { limit: 0 } }).call(createProject, { body })
    await createTestClient(url).call(createRun, { params: { project_id: 'p' }, body: { name: 'Run', run_key: 'k' } })
    expect(requests.map(({ headers }) => headers['idempotency-key'])).toEqual([undefined, undefined])
  })

  it('retries creating a run with a run key', async () => {
    const run = { name: 'Nightly', run_key: 'build-7' }
    const { url, requests } = await startServer(closeConnection, json(200, { data: run }))
    const reply = await createTestClient(url).call(createRun, { params: { project_id: 'p' }, body: run })
    expect(reply).toMatchObject({ kind: 'success', status: 200 })
    expect(requests.map(({ body }) => body.toString())).toEqual([JSON.stringify(run), JSON.stringify(run)])
  })

  it('waits for the time of Retry-After, and announces the retry', async () => {
    const { url } = await startServer(html(429, { 'retry-after': '1' }), json(200, page))
    const retries: Retry[] = []
    const start = performance.now()
    const reply = await createTestClient(url, { onRetry: (retry) => retries.push(retry) }).call(listProjects)
    expect(reply.kind).toBe('success')
    expect(performance.now() - start).toBeGreaterThan(990)
    expect(retries).toMatchObject([{ attempt: 1, attempts: 4, reply: { status: 429 } }])
  })

  it('does not retry when Retry-After exceeds the longest delay', async () => {
    const { url, requests } = await startServer(html(429, { 'retry-after': '3' }))
    expect(await createTestClient(url).call(listProjects)).toMatchObject({ kind: 'unreadable', status: 429 })
    expect(requests).toHaveLength(1)
  })
})

describe('Client.call without a response', () => {
  it('returns refused after the retries when nothing listens', async () => {
    const { url, close } = await startServer(neverRespond)
    await close()
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
    expect(retries).toHaveLength(shortDelays.limit)
  })

  it('returns unknown-host when the host name does not resolve', async () => {
    const reply = await createTestClient('http://caseward.invalid').call(listProjects)
    expect(reply).toMatchObject({ kind: 'unreachable', reason: 'unknown-host' })
  })

  it('returns timed-out when the server does not respond', async () => {
    const { url, requests } = await startServer(neverRespond)
    const reply = await createTestClient(url, { timeoutMs: 300, retries: { limit: 1, firstDelayMs: 1 } }).call(
      listProjects,
    )
    expect(reply).toMatchObject({ kind: 'unreachable', reason: 'timed-out', mayHaveReachedServer: true })
    expect(requests).toHaveLength(2)
  })

  it('returns timed-out when the response stops in the middle', async () => {
    const { url } = await startServer((_, response) => void response.writeHead(200).write('{"data": ['))
    const reply = await createTestClient(url, { timeoutMs: 100, retries: { limit: 0 } }).call(listProjects)
    expect(reply).toMatchObject({ kind: 'unreachable', reason: 'timed-out' })
  })
})
