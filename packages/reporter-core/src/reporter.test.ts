import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type IncomingHttpHeaders, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { createReporter, type ReporterOptions, type SuiteError, type TestAttempt } from './reporter.ts'
import { listJournals, getSpoolDirectory } from './spool-files.ts'
import { parseRecord } from './suite-record.ts'

/*
 * A suite's end where the server, the network or the framework misbehaves: done by a bare HTTP server. How it gets on
 * with Caseward itself is tested against the real one, in e2e/reporters.
 */

let cwd: string
const servers: Server[] = []
beforeEach(() => {
  cwd = mkdtempSync(join(tmpdir(), 'caseward-reporter-'))
})
afterEach(() => {
  rmSync(cwd, { recursive: true, force: true })
  for (const server of servers.splice(0)) {
    server.closeAllConnections()
    server.close()
  }
})

interface Request {
  readonly route: string
  readonly headers: IncomingHttpHeaders
  body: string
}

const json =
  (status: number, body: unknown, headers: Record<string, string> = {}): RequestListener =>
  (_, response) =>
    void response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body))
const html =
  (status: number, headers: Record<string, string> = {}): RequestListener =>
  (_, response) =>
    void response.writeHead(status, { 'content-type': 'text/html', ...headers }).end('<html>Bad Gateway</html>')
const refusal = (status: number, code: string, headers: Record<string, string> = {}) =>
  json(status, { type: 'about:blank', title: 'No', status, detail: `No: ${code}.`, code }, headers)
const hangUp: RequestListener = (_, response) => void response.destroy()
const neverAnswer: RequestListener = () => {}

const run = { id: 'run-1', name: 'Nightly', status: 'in_progress', expected_shards: null, shards_done: [] }
const projects = { data: [{ id: 'p-1', prefix: 'WEB' }], meta: { page: 1, per_page: 100, total: 1 } }
const stats = { passed: 1, failed: 0, blocked: 0, retest: 0, not_tested: 0 }
const receipt = { success: true, uploaded_count: 1, failed_count: 0, stats }

/** A server that does all right, but for what is said otherwise; of several answers the last one stays. */
async function serverThat(answers: Record<string, RequestListener | RequestListener[]> = {}) {
  const requests: Request[] = []
  const usual: Record<string, RequestListener> = {
    'GET /v1/projects': json(200, projects),
    'GET /v1/runs/run-1': json(200, { data: run }),
    'POST /v1/projects/p-1/runs': json(201, { data: run }),
    'POST /v1/results': json(200, receipt),
    'POST /v1/runs/run-1/shards/2/done': json(200, { data: run }),
  }
  const server = createServer((request, response) => {
    const route = `${request.method} ${request.url?.split('?')[0]}`
    const made = requests.filter((one) => one.route === route).length
    const record: Request = { route, headers: request.headers, body: '' }
    requests.push(record)
    const chosen = answers[route] ?? answers['*'] ?? usual[route] ?? refusal(404, 'no_route')
    const answer = Array.isArray(chosen) ? chosen[Math.min(made, chosen.length - 1)] : chosen
    request.on('data', (chunk) => (record.body += chunk)).on('end', () => answer?.(request, response))
  })
  servers.push(server)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    uploads: () => requests.filter(({ route }) => route === 'POST /v1/results').length,
    close: () => new Promise((resolve) => server.close(resolve)),
  }
}

const attempt: TestAttempt = { testId: 'a', titlePath: ['Shop', 'WEB-1 opens'], status: 'passed', durationMs: 1200 }
const shortTimeouts = {
  timeoutMs: 2000,
  retries: { limit: 1, firstDelayMs: 5, longestDelayMs: 1500 },
  findRunMs: 3000,
  totalMs: 5000,
  replayMs: 5000,
}

interface Suite {
  readonly env?: Record<string, string>
  readonly options?: ReporterOptions
  readonly attempts?: readonly unknown[]
  readonly errors?: readonly unknown[]
  readonly timeouts?: Partial<typeof shortTimeouts>
  readonly url?: string
}

async function report({ url = '', env = {}, options, attempts = [attempt], errors = [], timeouts = {} }: Suite) {
  const lines: string[] = []
  const reporter = createReporter(
    'test',
    options,
    {},
    {
      env: { SERVICE_URL: url, SERVICE_TOKEN: 'cwc_secret', SERVICE_RUN_ID: 'run-1', ...env },
      cwd,
      print: (line) => void lines.push(line),
      timeouts: { ...shortTimeouts, ...timeouts },
    },
  )
  for (const one of attempts) reporter.recordAttempt(one as TestAttempt)
  for (const one of errors) reporter.recordSuiteError(one as SuiteError)
  const { failsSuite } = await reporter.finish()
  return { reporter, failsSuite, lines }
}

const kept = () => listJournals(getSpoolDirectory(cwd))
const aside = () => {
  const folder = join(getSpoolDirectory(cwd), 'refused')
  return existsSync(folder) ? readdirSync(folder) : []
}
const KEPT = 'The results are kept in .caseward/spool; the next run or “caseward replay” sends them.'

describe('a suite that ends well', () => {
  it('is uploaded with its token, and leaves nothing behind', async () => {
    const server = await serverThat()
    const { failsSuite, lines } = await report({ url: server.url })
    expect([failsSuite, lines]).toEqual([
      false,
      [`Caseward: stored 1 result (1 passed) in “Nightly”: ${server.url}/runs/run-1`],
    ])
    const upload = server.requests.find(({ route }) => route === 'POST /v1/results')
    expect(upload?.headers).toMatchObject({ authorization: 'Bearer cwc_secret', 'user-agent': 'caseward-test' })
    expect(JSON.parse(upload?.body ?? '')).toEqual({
      run_id: 'run-1',
      results: [{ test_case_id: 'WEB-1', status: 'passed', elapsed: 1 }],
      finished_at: expect.stringMatching(/Z$/),
    })
    expect([kept(), aside()]).toEqual([[], []])
  })

  it('stays in the spool until the answer is there', async () => {
    let meanwhile: string[] = []
    const server = await serverThat({
      'POST /v1/results': (request, response) => {
        meanwhile = kept().map((path) => readFileSync(path, 'utf8'))
        json(200, receipt)(request, response)
      },
    })
    await report({ url: server.url })
    const record = parseRecord(meanwhile[0] ?? '')
    expect(record).toMatchObject({ deliveryStart: { runId: 'run-1' }, ending: { interrupted: false } })
    expect(meanwhile.join('')).not.toContain('cwc_secret')
    expect(kept()).toEqual([])
  })

  it('is stored as of the time of the server, be that years from ours', async () => {
    const server = await serverThat({
      'GET /v1/projects': json(200, projects, { date: 'Wed, 01 Jan 2031 10:00:00 GMT' }),
    })
    await report({ url: server.url })
    const upload = server.requests.find(({ route }) => route === 'POST /v1/results')
    expect(JSON.parse(upload?.body ?? '')).toMatchObject({
      finished_at: expect.stringMatching(/^2031-01-01T09:59:5|^2031-01-01T10:00/),
    })
  })

  it('is finished once, however often that is asked for', async () => {
    const server = await serverThat()
    const { reporter } = await report({ url: server.url })
    await Promise.all([reporter.finish(), reporter.finish()])
    expect(server.uploads()).toBe(1)
  })

  it('finds its run by the key of its build, cut to what the server takes without being another’s', async () => {
    const server = await serverThat()
    const key = 'k'.repeat(300)
    const keys = { SERVICE_RUN_ID: '', SERVICE_PROJECT_ID: 'p-1', SERVICE_RUN_NAME: '\0 Night\uD83Dly ' }
    for (const end of ['1', '2']) await report({ url: server.url, env: { ...keys, SERVICE_RUN_KEY: key + end } })
    const bodies = server.requests.filter(({ route }) => route === 'POST /v1/projects/p-1/runs').map(({ body }) => body)
    const made = bodies.map((body) => JSON.parse(body) as { run_key: string; name: string })
    expect(made.map(({ run_key }) => run_key.length <= 255)).toEqual([true, true])
    expect(made[0]?.run_key).not.toBe(made[1]?.run_key)
    expect(made[0]?.name).toBe('Night\uFFFDly')
  })

  it('reports its shard once all is stored', async () => {
    const completed = { ...run, status: 'completed' }
    const server = await serverThat({ 'POST /v1/runs/run-1/shards/2/done': json(200, { data: completed }) })
    const { lines } = await report({ url: server.url, env: { SERVICE_SHARD: '2' } })
    expect(lines).toEqual([expect.stringContaining('“Nightly”, which is complete')])
    expect(server.requests.at(-1)?.route).toBe('POST /v1/runs/run-1/shards/2/done')
  })
})

describe('a server that cannot be had now', () => {
  it.each<[string, RequestListener, RegExp]>([
    ['fails', refusal(500, 'internal'), /^No: internal\.$/],
    [
      'is behind a proxy that does not reach it',
      html(502),
      /^Something that is not Caseward answered \(not-json, 502\)\.$/,
    ],
    ['is busy for long', refusal(429, 'rate_limited', { 'retry-after': '3600' }), /^No: rate_limited\.$/],
    [
      'has moved',
      html(301, { location: 'https://elsewhere.example.com/v1' }),
      /\(redirect, 301, which points to https:\/\/elsewhere\.example\.com\/v1\)\.$/,
    ],
    ['does not know the token', refusal(401, 'invalid_token'), /^No: invalid_token\.$/],
    ['does not let it write', refusal(403, 'forbidden'), /^No: forbidden\.$/],
    ['has closed the run', refusal(409, 'run_completed'), /^No: run_completed\.$/],
    ['hangs up', hangUp, /^The connection to the server broke \(\w+\)\.$/],
    ['never answers', neverAnswer, /^(?:The server did not answer in time|The server took too long)\.$/],
  ])('does the suite no harm, and its results are kept: it %s', async (_what, answer, reason) => {
    for (const route of ['*', 'POST /v1/results']) {
      const server = await serverThat({ [route]: answer })
      const timeouts = { timeoutMs: 100 }
      const { failsSuite, lines } = await report({ url: server.url, timeouts })
      expect([failsSuite, lines]).toEqual([false, [expect.stringContaining('Caseward: nothing was stored: ')]])
      const said = lines[0]?.replace('Caseward: nothing was stored: ', '').replace(` ${KEPT}`, '')
      expect(said).toMatch(reason)
    }
    expect([kept().length, aside()]).toEqual([2, []])
  })

  it('does it no harm when nobody listens', async () => {
    const server = await serverThat()
    await server.close()
    const { failsSuite, lines } = await report({ url: server.url })
    expect([failsSuite, lines]).toEqual([
      false,
      [`Caseward: nothing was stored: Nobody listens at the address of the server (ECONNREFUSED). ${KEPT}`],
    ])
    expect(kept()).toHaveLength(1)
  })

  it('is waited for as long as it asks, within limits', async () => {
    const server = await serverThat({
      'POST /v1/results': [refusal(429, 'rate_limited', { 'retry-after': '1' }), json(200, receipt)],
    })
    const start = performance.now()
    const { lines } = await report({ url: server.url })
    expect(performance.now() - start).toBeGreaterThan(990)
    expect(lines).toEqual([expect.stringContaining('stored 1 result')])
  })

  it.each([
    ['for the run', '*', { findRunMs: 200 }],
    ['for the upload', 'POST /v1/results', { totalMs: 300 }],
    ['for the shard', 'POST /v1/runs/run-1/shards/2/done', { totalMs: 300 }],
  ])('is not waited for for ever: %s', async (_what, route, timeouts) => {
    const server = await serverThat({ [route]: neverAnswer })
    const start = performance.now()
    const long = { timeoutMs: 60_000, findRunMs: 60_000, totalMs: 60_000, ...timeouts }
    const { lines } = await report({ url: server.url, env: { SERVICE_SHARD: '2' }, timeouts: long })
    expect(performance.now() - start).toBeLessThan(4000)
    expect(lines).toEqual([expect.stringMatching(/The server took too long\. The results are kept/)])
  })

  it('that fails under way is told of with what it had stored', async () => {
    const server = await serverThat({ 'POST /v1/runs/run-1/shards/2/done': refusal(409, 'too_many_shards') })
    const { lines } = await report({ url: server.url, env: { SERVICE_SHARD: '2' } })
    expect(lines).toEqual([
      `Caseward: stored 1 result, but not all is done: The run does not know yet that the shard “2” is done: No: too_many_shards. ${KEPT}`,
    ])
  })

  it('fails a suite that is strict, and that alone', async () => {
    const { url } = await serverThat({ '*': html(502) })
    expect((await report({ url, options: { strict: true } })).failsSuite).toBe(true)
    expect((await report({ url, options: { strict: false } })).failsSuite).toBe(false)
    expect((await report({ url, env: { SERVICE_STRICT: '1' } })).failsSuite).toBe(true)
  })
})

describe('results that the server will never take', () => {
  it.each([400, 404, 413, 415, 422])('are put aside: %d', async (status) => {
    const server = await serverThat({ 'POST /v1/results': refusal(status, 'never') })
    const { failsSuite, lines } = await report({ url: server.url })
    expect([failsSuite, lines]).toEqual([
      false,
      [
        'Caseward: nothing was stored: No: never. The results are kept in .caseward/spool/refused: to send them again would end the same.',
      ],
    ])
    expect([kept(), aside().length]).toEqual([[], 1])
  })
})

describe('an answer that only looks like Caseward’s', () => {
  const broken: [string, string, unknown][] = [
    ['projects that are none', 'GET /v1/projects', { data: 7, meta: {} }],
    ['a list of something else', 'GET /v1/projects', { data: [null], meta: {} }],
    ['a prefix that is a pattern', 'GET /v1/projects', { data: [{ id: 'p', prefix: '(a+)+$' }], meta: {} }],
    ['no run', 'GET /v1/runs/run-1', { data: null }],
    ['a run without a name', 'GET /v1/runs/run-1', { data: { ...run, name: { a: 1 } } }],
    ['a run without an id', 'GET /v1/runs/run-1', { data: { ...run, id: '' } }],
    ['a receipt without numbers', 'POST /v1/results', { ...receipt, uploaded_count: 'many' }],
    ['a receipt without counts', 'POST /v1/results', { ...receipt, stats: null }],
    ['a receipt with errors that are none', 'POST /v1/results', { ...receipt, errors: [null] }],
    ['a shard that is no run', 'POST /v1/runs/run-1/shards/2/done', { data: [] }],
  ]

  it.each(broken)('does the suite no harm, and the results are kept: %s', async (_what, route, body) => {
    const server = await serverThat({ [route]: json(200, body) })
    const { failsSuite, lines } = await report({ url: server.url, env: { SERVICE_SHARD: '2' } })
    expect([failsSuite, lines]).toEqual([
      false,
      [expect.stringMatching(/Something that is not Caseward answered.*kept in/)],
    ])
    expect(kept()).toHaveLength(1)
  })

  it('does no harm with a refusal that gives no reason', async () => {
    const body = { type: 'x', title: 'x', status: 400, detail: { a: 1 }, code: 5 }
    const server = await serverThat({ 'POST /v1/results': json(400, body) })
    const { lines } = await report({ url: server.url })
    expect(lines).toEqual([expect.stringContaining('nothing was stored: The server refused, and did not say why.')])
  })

  it('does no harm with words that turn a terminal upside down', async () => {
    const name = '\x1B[2J\n::error::x'
    const server = await serverThat({ 'GET /v1/runs/run-1': json(200, { data: { ...run, name } }) })
    const { lines } = await report({ url: server.url })
    expect(lines).toEqual([expect.stringContaining('in “::error::x”')])
  })

  it('does no harm with a clock of another time', async () => {
    const answers = ['Fri, 31 Dec 9999 23:59:59 GMT', 'never'].map((date) => json(200, projects, { date }))
    const server = await serverThat({ 'GET /v1/projects': answers })
    const lines = [await report({ url: server.url }), await report({ url: server.url })].flatMap((one) => one.lines)
    expect(lines).toEqual([expect.stringContaining('stored 1'), expect.stringContaining('stored 1')])
  })
})

describe('a framework that tells something strange', () => {
  const circular: Record<string, unknown> = { ...attempt, testId: 'circular' }
  circular['errors'] = [circular]
  const trap = {
    ...attempt,
    get titlePath(): string[] {
      throw new Error('not now')
    },
  }
  const strange: unknown[] = [
    undefined,
    null,
    5,
    'a',
    [],
    {},
    Symbol('a'),
    () => {},
    { ...attempt, status: 'exploded' },
    { ...attempt, testId: 1n, titlePath: 'a title' },
    { ...attempt, errors: 'no' },
    { ...attempt, durationMs: 1n },
    circular,
    trap,
    new Proxy(
      {},
      {
        get: () => {
          throw Symbol('no')
        },
      },
    ),
  ]

  it('never makes it throw, nor keeps the others from being stored', async () => {
    const server = await serverThat()
    const { failsSuite, lines } = await report({
      url: server.url,
      attempts: [...strange, attempt],
      errors: [...strange, { location: 'cart.test.ts', message: 'no' }],
    })
    expect(failsSuite).toBe(false)
    expect(lines).toEqual([
      expect.stringContaining('stored 1 result'),
      expect.stringMatching(
        /the suite is not complete: \d+ errors outside of tests \(test: A test was told of in a way that cannot/,
      ),
    ])
    const { body } = server.requests.find(({ route }) => route === 'POST /v1/results') ?? { body: '' }
    expect(body).toContain('"WEB-1"')
  })

  it('has all that can be kept on disk, also after what cannot', async () => {
    const server = await serverThat({ '*': html(502) })
    await report({ url: server.url, attempts: [circular, trap, { ...attempt, testId: 'b' }] })
    const record = parseRecord(readFileSync(kept()[0] ?? '', 'utf8'))
    expect(record).toMatchObject({
      attempts: [{ testId: 'circular' }, { testId: 'b' }],
      errors: [{ location: 'test' }],
    })
  })

  it.each([[{}], [{ url: 5 }], [{ token: {} }], [{ url: 'no address', strict: undefined }]])(
    'or whose options are strange never makes it throw: %j',
    async (options) => {
      const server = await serverThat()
      const { failsSuite } = await report({ url: server.url, options: options as ReporterOptions })
      expect(failsSuite).toBe(false)
    },
  )

  it('or whose terminal is gone never makes it reject', async () => {
    const print = () => {
      throw new Error('EPIPE')
    }
    const { url } = await serverThat({ '*': html(502) })
    const env = { SERVICE_URL: url, SERVICE_TOKEN: 'cwc_a', SERVICE_RUN_ID: 'run-1' }
    const reporter = createReporter('test', {}, {}, { env, cwd, print, timeouts: shortTimeouts })
    reporter.recordAttempt(attempt)
    expect(await reporter.finish()).toEqual({ failsSuite: false })
  })
})

describe('a suite for which something is not set', () => {
  it('is kept, and says what is missing', async () => {
    const { failsSuite, lines } = await report({ env: { SERVICE_TOKEN: '' } })
    expect([failsSuite, lines]).toEqual([
      false,
      [
        `Caseward: nothing was sent: SERVICE_URL is not set; SERVICE_TOKEN is not set, or empty as secrets are in forks. ${KEPT}`,
      ],
    ])
    expect(kept()).toHaveLength(1)
  })

  it('is kept, and says so where it is not known into which run it belongs', async () => {
    const { lines } = await report({ url: 'https://caseward.example.com', env: { SERVICE_RUN_ID: '' } })
    expect(lines).toEqual([
      'Caseward: nothing was sent: neither SERVICE_RUN_ID nor SERVICE_PROJECT_ID is set. The results are kept in .caseward/spool; once it knows the run, “caseward replay” sends them.',
    ])
  })

  it('does not go into the run of a later suite', async () => {
    const server = await serverThat()
    await report({ url: server.url, env: { SERVICE_RUN_ID: '' } })
    const { lines } = await report({ url: server.url })
    expect(lines).toEqual([
      expect.stringContaining('stored 1 result'),
      'Caseward: 1 suite kept without a run stays in the spool: “caseward replay” takes SERVICE_RUN_ID.',
    ])
    expect([server.uploads(), kept().length]).toEqual([1, 1])
  })

  it('says nothing of results where there are none', async () => {
    const { lines } = await report({ env: { SERVICE_TOKEN: '' }, attempts: [] })
    expect(lines).toEqual([expect.stringMatching(/^Caseward: nothing was sent: .* in forks\.$/)])
    expect(kept()).toEqual([])
  })

  const off = { SERVICE_TOKEN: '', SERVICE_RUN_ID: '' }
  const line = 'Caseward: results are not uploaded, as SERVICE_URL, SERVICE_TOKEN and SERVICE_RUN_ID are not set.'
  it.each([
    ['is not told of on a developer’s machine', off, false, []],
    ['nor where CI is false', { ...off, CI: 'false' }, false, []],
    ['is told of in CI', { ...off, CI: 'true' }, false, [line]],
    ['fails where it is strict', { ...off, SERVICE_STRICT: '1' }, true, [line]],
  ])('or nothing at all: %s', async (_what, env, failsSuite, lines) => {
    expect(await report({ env })).toMatchObject({ failsSuite, lines })
    expect(existsSync(join(cwd, '.caseward'))).toBe(false)
  })

  it('says that it could not be kept either', async () => {
    writeFileSync(join(cwd, '.caseward'), '')
    const { failsSuite, lines } = await report({ env: { SERVICE_TOKEN: '' } })
    expect([failsSuite, lines]).toEqual([
      false,
      [expect.stringMatching(/Nor could all of the results be kept: E(?:EXIST|NOTDIR): /)],
    ])
  })

  it('never has the password of an address on disk', async () => {
    await report({ url: 'https://bot:hunter2@caseward.example.com', timeouts: { findRunMs: 50 } })
    expect(readFileSync(kept()[0] ?? '', 'utf8')).not.toContain('hunter2')
  })
})
