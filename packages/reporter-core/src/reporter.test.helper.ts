import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
} from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { afterEach, beforeEach } from 'vitest'

import type { ReporterOptions } from './options.ts'
import { createReporter } from './reporter.ts'
import { getSpoolDirectory, listJournals } from './spool-files.ts'
import type { SuiteError, TestAttempt } from './test-attempt.ts'

/*
 * Runs a reporter against a bare HTTP server that can misbehave. The reporters are tested against Caseward itself in
 * e2e/reporters.
 */

interface RecordedRequest {
  readonly route: string
  readonly headers: IncomingHttpHeaders
  body: string
}

/**
 * Responses by route, such as `GET /v1/projects`, or `*` for all. Of a list, each request gets the next, and the last
 * stays.
 */
type Responses = Readonly<Record<string, Respond | Respond[]>>
type Respond = (request: IncomingMessage, response: ServerResponse, body: string) => void

export const json =
  (status: number, body: unknown, headers: Record<string, string> = {}): RequestListener =>
  (_, response) =>
    void response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body))
export const html =
  (status: number, headers: Record<string, string> = {}): RequestListener =>
  (_, response) =>
    void response.writeHead(status, { 'content-type': 'text/html', ...headers }).end('<html>Bad Gateway</html>')
export const problem = (status: number, code: string, headers: Record<string, string> = {}) =>
  json(status, { type: 'about:blank', title: 'No', status, detail: `No: ${code}.`, code }, headers)
export const hangUp: RequestListener = (_, response) => void response.destroy()
export const neverRespond: RequestListener = () => {}

export const run = { id: 'run-1', name: 'Nightly', status: 'in_progress', expected_shards: null, shards_done: [] }
export const projects = { data: [{ id: 'p-1', prefix: 'WEB' }], meta: { page: 1, per_page: 100, total: 1 } }
const stats = { passed: 1, failed: 0, blocked: 0, retest: 0, not_tested: 0 }
export const receipt = { success: true, uploaded_count: 1, failed_count: 0, stats }

/** Creates the run with the key of the request. */
const createRun: Respond = (request, response, body) => {
  const { run_key } = JSON.parse(body) as { run_key: string }
  json(201, { data: { ...run, run_key } })(request, response)
}

const defaultResponses: Responses = {
  'GET /v1/projects': json(200, projects),
  'GET /v1/runs/run-1': json(200, { data: run }),
  'POST /v1/projects/p-1/runs': createRun,
  'POST /v1/results': json(200, receipt),
  'POST /v1/runs/run-1/shards/2/done': json(200, { data: run }),
}

export const attempt: TestAttempt = {
  testId: 'a',
  titlePath: ['Shop', 'WEB-1 opens'],
  status: 'passed',
  durationMs: 1200,
}

export const shortTimeouts = {
  timeoutMs: 2000,
  retries: { limit: 1, firstDelayMs: 5, longestDelayMs: 1500 },
  findRunMs: 3000,
  totalMs: 5000,
  replayMs: 5000,
}

interface Suite {
  readonly url?: string
  readonly env?: Record<string, string>
  readonly options?: ReporterOptions
  readonly attempts?: readonly unknown[]
  readonly errors?: readonly unknown[]
  readonly timeouts?: Partial<typeof shortTimeouts>
}

/** Gives each test a working directory of its own, and closes its servers. */
export function useReporterSandbox() {
  const sandbox = { cwd: '' }
  const servers: Server[] = []
  beforeEach(() => {
    sandbox.cwd = mkdtempSync(join(tmpdir(), 'caseward-reporter-'))
  })
  afterEach(() => {
    rmSync(sandbox.cwd, { recursive: true, force: true })
    for (const server of servers.splice(0)) {
      server.closeAllConnections()
      server.close()
    }
  })

  /** Starts a server that responds as Caseward does, except on the given routes. */
  async function startServer(responses: Responses = {}) {
    const requests: RecordedRequest[] = []
    const server = createServer((request, response) => {
      const route = `${request.method} ${request.url?.split('?')[0]}`
      const earlierCount = requests.filter((earlier) => earlier.route === route).length
      const recorded: RecordedRequest = { route, headers: request.headers, body: '' }
      requests.push(recorded)
      const listeners = responses[route] ?? responses['*'] ?? defaultResponses[route] ?? problem(404, 'no_route')
      const listener = Array.isArray(listeners) ? listeners[Math.min(earlierCount, listeners.length - 1)] : listeners
      request
        .on('data', (chunk) => (recorded.body += chunk))
        .on('end', () => listener?.(request, response, recorded.body))
    })
    servers.push(server)
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    return {
      url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
      requests,
      countUploads: () => requests.filter(({ route }) => route === 'POST /v1/results').length,
      close: () => new Promise((resolve) => server.close(resolve)),
    }
  }

  /** Reports a suite, and returns what its reporter has printed. */
  async function report({ url = '', env = {}, options, attempts = [attempt], errors = [], timeouts = {} }: Suite) {
    const lines: string[] = []
    const reporter = createReporter(
      'test',
      options,
      {},
      {
        env: { SERVICE_URL: url, SERVICE_TOKEN: 'cwc_secret', SERVICE_RUN_ID: 'run-1', ...env },
        cwd: sandbox.cwd,
        print: (line) => void lines.push(line),
        timeouts: { ...shortTimeouts, ...timeouts },
      },
    )
    for (const value of attempts) reporter.recordAttempt(value as TestAttempt)
    for (const value of errors) reporter.recordSuiteError(value as SuiteError)
    const { failsSuite } = await reporter.finish()
    return { reporter, failsSuite, lines }
  }

  const listSpool = () => listJournals(getSpoolDirectory(sandbox.cwd))
  const listRefused = () => {
    const directory = join(getSpoolDirectory(sandbox.cwd), 'refused')
    return existsSync(directory) ? readdirSync(directory) : []
  }
  return { sandbox, startServer, report, listSpool, listRefused }
}

export const SAVED =
  'The results are saved in .caseward/spool and will be sent by the next run or by “caseward replay”.'
