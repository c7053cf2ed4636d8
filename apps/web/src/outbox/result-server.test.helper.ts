import type { IncomingMessage, ServerResponse } from 'node:http'

import { createClient } from '@caseward/client'
import type { ResultStatus } from '@caseward/client/endpoints'

import { readBody, sleep, startServer } from '../start-server.test.helper.ts'
import type { NewerResult } from './outbox-entry.ts'

/**
 * How the next write fails.
 *
 * - `unavailable`: 503, nothing is stored
 * - `crash`: 500, nothing is stored
 * - `drop`: the connection ends, nothing is stored
 * - `lose`: everything is stored, and the connection ends before the response
 * - `late`: the connection ends, and what was sent is stored a little later
 */
export type Fault = 'unavailable' | 'crash' | 'drop' | 'lose' | 'late'

interface Item {
  readonly test_case_id: string
  readonly status: ResultStatus
  readonly note?: string | null
  readonly elapsed?: number | null
  readonly base_tested_at?: string | null
}

/** A server that stores results as the real one does, and fails as it is told. */
export interface ResultServer {
  readonly url: string
  readonly client: ReturnType<typeof createClient>
  /** By result id. Result `r1` is that of test case `WEB-1`, in every run. */
  readonly results: Map<string, NewerResult>
  /** One for each of the next writes. */
  faults: Fault[]
  /** User of the browser's session; null without one. */
  user: string | null
  readonly completedRuns: Set<string>
  /** Test cases that are no longer in their run. */
  readonly removed: Set<string>
  /** Everything that was stored, in order. */
  readonly writes: { id: string; status: ResultStatus; by: string | null }[]
  /** Number of items of each request that writes. */
  readonly requestSizes: number[]
  /** A result by somebody else. */
  set(id: string, status: ResultStatus, by: string): void
  /** Writes under way that are stored late. */
  lateCount: number
  close(): Promise<void>
}

export async function startResultServer(): Promise<ResultServer> {
  let clock = Date.parse('2026-11-21T09:00:00.000Z')
  const results = new Map<string, NewerResult>()
  /** A request that is repeated, because its response was lost, is stored again. */
  const isRepeated = (item: Omit<Item, 'test_case_id'>, before: NewerResult, by: string | null) =>
    before.tested_by === by &&
    before.status === item.status &&
    (item.note ?? before.note) === before.note &&
    (item.elapsed ?? before.elapsed) === before.elapsed
  const get = (id: string): NewerResult =>
    results.get(id) ?? { status: 'not_tested', note: null, elapsed: null, tested_by: null, tested_at: null }

  function store(id: string, item: Omit<Item, 'test_case_id'>, by: string | null): boolean {
    const before = get(id)
    const isNewer =
      before.tested_at !== null && item.base_tested_at !== undefined && before.tested_at > (item.base_tested_at ?? '')
    if (isNewer && !isRepeated(item, before, by)) return false
    clock += 1
    const { note = before.note, elapsed = before.elapsed, status } = item
    results.set(id, { status, note, elapsed, tested_by: by, tested_at: new Date(clock).toISOString() })
    server.writes.push({ id, status, by })
    return true
  }

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await readBody(request)
    const reply = (status: number, data: unknown, headers = {}) =>
      response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(data))
    const fail = (status: number, code: string, more: object = {}) =>
      reply(status, { type: 'about:blank', title: code, status, detail: `The server says ${code}.`, code, ...more })
    const { user } = server
    if (user === null) return void fail(401, 'unauthenticated')
    const [, run = '', id = ''] = /^\/v1\/runs\/(\w+)\/results\/(\w+)$/.exec(request.url ?? '') ?? []
    if (request.url === '/v1/me') return void reply(200, { data: { id: user } })
    if (request.method === 'GET') return void reply(200, { data: { id, ...get(id), change_count: 0, test_case: null } })

    const items = id === 'bulk' ? (body as { results: Item[] }).results : [{ ...(body as Item), test_case_id: '' }]
    server.requestSizes.push(items.length)
    const fault = server.faults.shift()
    if (fault === 'unavailable') return void fail(503, 'database_unavailable')
    if (fault === 'crash') return void fail(500, 'internal_error')
    if (fault === 'drop') return void response.destroy()
    if (fault === 'late') {
      server.lateCount += 1
      response.destroy()
      await sleep(15)
    }
    if (server.completedRuns.has(run)) return void fail(409, 'run_completed')
    const errors: { test_case_id: string; error: string; code: string; current?: NewerResult }[] = []
    for (const item of items) {
      const resultId = id === 'bulk' ? item.test_case_id.replace('WEB-', 'r') : id
      const error = (code: string, current?: NewerResult) => {
        const note = current?.note?.slice(0, 1000) ?? null
        const more = current === undefined ? {} : { current: { ...current, note } }
        errors.push({ test_case_id: item.test_case_id, error: `It is ${code}.`, code, ...more })
      }
      if (server.removed.has(resultId)) error('not_in_run')
      else if (!store(resultId, item, user)) error('newer_result', get(resultId))
    }
    if (fault === 'late') server.lateCount -= 1
    if (fault === 'late' || fault === 'lose') return void response.destroy()
    const [first] = errors
    if (id !== 'bulk') {
      if (first?.code === 'not_in_run') return void fail(404, 'not_found')
      return void (first === undefined ? reply(200, { data: get(id) }) : fail(409, first.code, { current: get(id) }))
    }
    const stored = items.filter((item) => !errors.some((error) => error.test_case_id === item.test_case_id))
    const data = {
      updated: stored.length,
      results: stored.map(({ test_case_id, status }) => ({ test_case_id, status })),
      ...(errors.length === 0 ? {} : { errors }),
    }
    reply(errors.length === 0 ? 200 : 207, { data })
  }

  const { url, close } = await startServer((request, response) => void handle(request, response))
  const server: ResultServer = {
    url,
    client: createClient({ url, retries: { limit: 0 }, timeoutMs: 2000 }),
    results,
    faults: [],
    user: 'ada',
    completedRuns: new Set(),
    removed: new Set(),
    writes: [],
    requestSizes: [],
    set: (id, status, by) => void store(id, { status }, by),
    lateCount: 0,
    close,
  }
  return server
}
