import type { RequestListener } from 'node:http'

import { describe, expect, it } from 'vitest'

import {
  hangUp,
  html,
  json,
  neverRespond,
  problem,
  projects,
  receipt,
  run,
  SAVED,
  useReporterSandbox,
} from './reporter.test.helper.ts'

const { startServer, report, listSpool, listRefused } = useReporterSandbox()

describe('a reporter whose server is unavailable', () => {
  it.each<[string, RequestListener, RegExp]>([
    ['fails', problem(500, 'internal'), /^No: internal\.$/],
    [
      'is behind a proxy that cannot reach it',
      html(502),
      /^The response is not from a Caseward server \(not-json, 502\)\.$/,
    ],
    ['is busy for an hour', problem(429, 'rate_limited', { 'retry-after': '3600' }), /^No: rate_limited\.$/],
    [
      'has moved',
      html(301, { location: 'https://other.example.com/v1' }),
      /\(redirect, 301, redirects to https:\/\/other\.example\.com\/v1\)\.$/,
    ],
    [
      'rejects the token',
      problem(401, 'invalid_token'),
      /^No: invalid_token\. Check that SERVICE_TOKEN contains a complete CI token/,
    ],
    ['requires a CI token', problem(403, 'ci_token_required'), /SERVICE_TOKEN contains a personal token \(cwp_…\)/],
    ['denies access', problem(403, 'forbidden'), /^No: forbidden\.$/],
    ['has completed the run', problem(409, 'run_completed'), /^No: run_completed\.$/],
    [
      'closes the connection',
      hangUp,
      /^The connection to the server http:\S+:\d+ was lost \(\w+\)\. No proxy was used/,
    ],
    ['never responds', neverRespond, /^The server http:\S+:\d+ did not respond in time\. No proxy was used/],
  ])('saves the results and does not fail the suite when the server %s', async (_, listener, reason) => {
    for (const route of ['*', 'POST /v1/results']) {
      const server = await startServer({ [route]: listener })
      const timeouts = listener === neverRespond ? { timeoutMs: 100 } : {}
      const { failsSuite, lines } = await report({ url: server.url, timeouts })
      expect([failsSuite, lines]).toEqual([false, [expect.stringContaining('Caseward: nothing was stored: ')]])
      const printedReason = lines[0]?.replace('Caseward: nothing was stored: ', '').replace(` ${SAVED}`, '')
      expect(printedReason).toMatch(reason)
    }
    expect([listSpool().length, listRefused()]).toEqual([2, []])
  })

  it('saves the results and does not fail the suite when the connection is refused', async () => {
    const server = await startServer()
    await server.close()
    const { failsSuite, lines } = await report({ url: server.url })
    expect([failsSuite, lines]).toEqual([
      false,
      [
        `Caseward: nothing was stored: Connection refused by the server ${server.url} (ECONNREFUSED). No proxy was used: if this network requires one, set HTTP_PROXY. ${SAVED}`,
      ],
    ])
    expect(listSpool()).toHaveLength(1)
  })

  it('prints in CI how to keep the results', async () => {
    const server = await startServer({ '*': html(502) })
    const { lines } = await report({ url: server.url, env: { GITHUB_RUN_ID: '1' } })
    expect(lines).toEqual([
      expect.stringContaining('nothing was stored'),
      expect.stringMatching(/actions\/upload-artifact.*“caseward replay”.*\.caseward[/\\]spool\.$/),
    ])
  })

  it('waits as long as the Retry-After header asks, within its limits', async () => {
    const server = await startServer({
      'POST /v1/results': [problem(429, 'rate_limited', { 'retry-after': '1' }), json(200, receipt)],
    })
    const start = performance.now()
    const { lines } = await report({ url: server.url })
    expect(performance.now() - start).toBeGreaterThan(990)
    expect(lines).toEqual([expect.stringContaining('stored 1 result')])
  })

  it.each([
    ['the search for the run', '*', { findRunMs: 200 }],
    ['the upload', 'POST /v1/results', { totalMs: 300 }],
    ['the report of the shard', 'POST /v1/runs/run-1/shards/2/done', { totalMs: 300 }],
  ])('times out when the server does not respond to %s', async (_, route, timeouts) => {
    const server = await startServer({ [route]: neverRespond })
    const start = performance.now()
    const longTimeouts = { timeoutMs: 60_000, findRunMs: 60_000, totalMs: 60_000, ...timeouts }
    const { lines } = await report({ url: server.url, env: { SERVICE_SHARD: '2' }, timeouts: longTimeouts })
    expect(performance.now() - start).toBeLessThan(4000)
    expect(lines).toEqual([
      expect.stringMatching(/The server http:\S+ did not respond in time\. The results are saved/),
    ])
  })

  it('prints how many results were stored before a failure', async () => {
    const server = await startServer({ 'POST /v1/runs/run-1/shards/2/done': problem(409, 'too_many_shards') })
    const { lines } = await report({ url: server.url, env: { SERVICE_SHARD: '2' } })
    expect(lines).toEqual([
      `Caseward: stored 1 result, then failed: Shard “2” was not reported as done: No: too_many_shards. ${SAVED}`,
    ])
  })

  it('fails the suite only with the option strict or SERVICE_STRICT=1', async () => {
    const { url } = await startServer({ '*': html(502) })
    expect((await report({ url, options: { strict: true } })).failsSuite).toBe(true)
    expect((await report({ url, options: { strict: false } })).failsSuite).toBe(false)
    expect((await report({ url, env: { SERVICE_STRICT: '1' } })).failsSuite).toBe(true)
  })

  it.each([400, 404, 413, 415, 422])('moves the results to spool/refused after status %d', async (status) => {
    const server = await startServer({ 'POST /v1/results': problem(status, 'never') })
    const { failsSuite, lines } = await report({ url: server.url })
    expect([failsSuite, lines]).toEqual([
      false,
      [
        'Caseward: nothing was stored: No: never. The results were moved to .caseward/spool/refused because sending them again would fail in the same way.',
      ],
    ])
    expect([listSpool(), listRefused().length]).toEqual([[], 1])
  })
})

describe('a reporter that receives an unexpected response', () => {
  it.each<[string, string, unknown]>([
    ['an invalid list of projects', 'GET /v1/projects', { data: 7, meta: {} }],
    ['an invalid project', 'GET /v1/projects', { data: [null], meta: {} }],
    ['a prefix that is a pattern', 'GET /v1/projects', { data: [{ id: 'p', prefix: '(a+)+$' }], meta: {} }],
    ['no run', 'GET /v1/runs/run-1', { data: null }],
    ['a run without a name', 'GET /v1/runs/run-1', { data: { ...run, name: { a: 1 } } }],
    ['a run without an id', 'GET /v1/runs/run-1', { data: { ...run, id: '' } }],
    ['a receipt without numbers', 'POST /v1/results', { ...receipt, uploaded_count: 'many' }],
    ['a receipt without counts', 'POST /v1/results', { ...receipt, stats: null }],
    ['a receipt with invalid errors', 'POST /v1/results', { ...receipt, errors: [null] }],
    ['no run for a shard', 'POST /v1/runs/run-1/shards/2/done', { data: [] }],
  ])('saves the results and does not fail the suite: %s', async (_, route, body) => {
    const server = await startServer({ [route]: json(200, body) })
    const { failsSuite, lines } = await report({ url: server.url, env: { SERVICE_SHARD: '2' } })
    expect([failsSuite, lines]).toEqual([
      false,
      [expect.stringMatching(/The response is not from a Caseward server.*saved in/)],
    ])
    expect(listSpool()).toHaveLength(1)
  })

  it('prints that a problem has no reason', async () => {
    const body = { type: 'x', title: 'x', status: 400, detail: { a: 1 }, code: 5 }
    const server = await startServer({ 'POST /v1/results': json(400, body) })
    const { lines } = await report({ url: server.url })
    expect(lines).toEqual([
      expect.stringContaining('nothing was stored: The server rejected the request without a reason.'),
    ])
  })

  it('removes control characters and line breaks from the name of the run', async () => {
    const name = '\x1B[2J\n::error::x'
    const server = await startServer({ 'GET /v1/runs/run-1': json(200, { data: { ...run, name } }) })
    const { lines } = await report({ url: server.url })
    expect(lines).toEqual([expect.stringContaining('in “::error::x”')])
  })

  it('stores the results when the Date header is in the year 9999 or invalid', async () => {
    const responses = ['Fri, 31 Dec 9999 23:59:59 GMT', 'never'].map((date) => json(200, projects, { date }))
    const server = await startServer({ 'GET /v1/projects': responses })
    const reports = [await report({ url: server.url }), await report({ url: server.url })]
    expect(reports.flatMap(({ lines }) => lines)).toEqual([
      expect.stringContaining('stored 1'),
      expect.stringContaining('stored 1'),
    ])
  })
})
