import { setTimeout as sleep } from 'node:timers/promises'

import { EMAIL, PASSWORD, TOKEN } from '../servers.ts'

const CASES = 200
const STREAMS = 20
/** A stream is opened again after this time, as a page that is left and visited again. */
const STREAM_MS = 20_000
/** Uploads continue with a new run after this time. */
const RUN_MS = 60_000
const STATUSES = ['passed', 'failed', 'blocked', 'retest'] as const

/** How many milliseconds pass between the starts of two requests of a kind. */
const INTERVALS_MS = { read: 150, upload: 1000, result: 250, edit: 500, create: 1000, session: 3000 }

/** Counts of requests by kind. */
export type RequestCounts = Record<string, { sent: number; failed: number }>

/** What the service has acknowledged and must still have at the end. */
export interface AcknowledgedWrites {
  /** Titles of test cases by number. */
  titles: Map<number, string>
  /** Statuses of results by id of the run and number of the test case. */
  statuses: Map<string, string>
}

export interface SoakLoad {
  projectId: string
  counts: RequestCounts
  /** The first failures, described. */
  failures: string[]
  writes: AcknowledgedWrites
  stop(): Promise<void>
}

const FAILURES_KEPT = 20

/** Starts reads, uploads, edits, sessions and event streams at a rate that does not depend on the speed of the service. */
export async function startSoakLoad(url: string): Promise<SoakLoad> {
  const end = new AbortController()
  const counts: RequestCounts = {}
  const failures: string[] = []
  const writes: AcknowledgedWrites = { titles: new Map(), statuses: new Map() }

  /** Sends a request, and returns its body; undefined if it failed. */
  async function send(kind: string, method: string, path: string, options: SendOptions = {}): Promise<unknown> {
    const { body, token = TOKEN, headers = {} } = options
    const count = (counts[kind] ??= { sent: 0, failed: 0 })
    count.sent += 1
    try {
      const response = await fetch(url + path, {
        method,
        headers: {
          ...(token === null ? {} : { authorization: `Bearer ${token}` }),
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
          ...headers,
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      })
      const text = await response.text()
      if (!response.ok) throw new Error(`${response.status} ${text.slice(0, 200)}`)
      options.onHeaders?.(response.headers)
      return text === '' ? null : JSON.parse(text)
    } catch (error) {
      count.failed += 1
      if (failures.length < FAILURES_KEPT) failures.push(`${method} ${path}: ${describeError(error)}`)
      return undefined
    }
  }

  const project = await create(send, '/v1/projects', { name: 'Soak', prefix: 'WEB' })
  const path = `/v1/projects/${project.id}`
  for (let first = 1; first <= CASES; first += 100) {
    const test_cases = Array.from({ length: 100 }, (_, index) => ({ title: `Case ${first + index}` }))
    await send('prepare', 'POST', `${path}/test-cases/bulk`, { body: { test_cases } })
  }
  const { token: ciToken } = await create(send, `${path}/tokens`, { name: 'CI', access: 'write' })
  const manualRun = await create(send, `${path}/runs`, { name: 'Manual' })
  let ciRun = { id: manualRun.id, createdAt: 0 }
  let count = 0
  const getStatus = () => STATUSES[(count += 1) % STATUSES.length] ?? 'passed'

  async function upload(): Promise<void> {
    if (Date.now() - ciRun.createdAt > RUN_MS) {
      ciRun = { id: (await create(send, `${path}/runs`, { name: `Build ${count}` })).id, createdAt: Date.now() }
    }
    const runId = ciRun.id
    const results = Array.from({ length: CASES }, (_, index) => ({
      test_case_id: `WEB-${index + 1}`,
      status: getStatus(),
      note: index % 20 === 0 ? `AssertionError: expected ${count} to be less` : null,
    }))
    const isStored =
      (await send('upload', 'POST', '/v1/results', { body: { run_id: runId, results }, token: ciToken })) !== undefined
    for (const [index, { status }] of results.entries())
      setOrForget(writes.statuses, `${runId}/${index + 1}`, isStored, status)
  }

  async function setResult(): Promise<void> {
    const status = getStatus()
    const number = (count % CASES) + 1
    const reply = await send('result', 'PUT', `/v1/runs/${manualRun.id}/results/WEB-${number}`, { body: { status } })
    setOrForget(writes.statuses, `${manualRun.id}/${number}`, reply !== undefined, status)
  }

  async function editCase(): Promise<void> {
    const number = ((count += 1) % CASES) + 1
    const title = `Case ${number}, edited ${count}`
    const reply = await send('edit', 'PATCH', `${path}/test-cases/WEB-${number}`, { body: { title } })
    setOrForget(writes.titles, number, reply !== undefined, title)
  }

  async function createCase(): Promise<void> {
    const title = `Created ${(count += 1)}`
    const reply = (await send('create', 'POST', `${path}/test-cases`, { body: { title } })) as
      | { data: { id: string } }
      | undefined
    if (reply !== undefined) writes.titles.set(Number(reply.data.id.replace('WEB-', '')), title)
  }

  async function useSession(): Promise<void> {
    const origin = { origin: url }
    let cookie = ''
    await send('session', 'POST', '/v1/session', {
      body: { email: EMAIL, password: PASSWORD },
      token: null,
      headers: origin,
      onHeaders: (headers) => {
        cookie = headers
          .getSetCookie()
          .map((line) => line.split(';', 1)[0])
          .join('; ')
      },
    })
    if (cookie === '') return
    await send('session', 'GET', '/v1/me', { token: null, headers: { cookie } })
    await send('session', 'DELETE', '/v1/session', { token: null, headers: { cookie, ...origin } })
  }

  const reads = [
    () => `${path}/test-cases?search=case&per_page=50`,
    () => `/v1/runs/${manualRun.id}/results`,
    () => '/v1/projects',
    () => `/v1/runs/${ciRun.id}`,
    () => `${path}/runs`,
    () => `${path}/test-cases?fields=row`,
  ]
  const readNext = () => send('read', 'GET', reads[(count += 1) % reads.length]?.() ?? '')

  const repeat = async (intervalMs: number, work: () => Promise<unknown>) => {
    while (!end.signal.aborted) {
      const startedAt = Date.now()
      await work()
      await sleep(Math.max(0, startedAt + intervalMs - Date.now()))
    }
  }
  const openStream = async () => {
    const streamCount = (counts['event stream'] ??= { sent: 0, failed: 0 })
    streamCount.sent += 1
    const controller = new AbortController()
    const timeout = controller.signal
    const abort = () => controller.abort()
    const timer = setTimeout(abort, STREAM_MS)
    end.signal.addEventListener('abort', abort, { once: true })
    try {
      const headers = { authorization: `Bearer ${TOKEN}` }
      const response = await fetch(`${url}${path}/events`, { headers, signal: timeout })
      if (!response.ok) throw new Error(`event stream: ${response.status}`)
      for await (const _ of response.body ?? []) if (timeout.aborted) break
    } catch (error) {
      if (timeout.aborted) return
      streamCount.failed += 1
      if (failures.length < FAILURES_KEPT) failures.push(`event stream: ${describeError(error)}`)
    } finally {
      clearTimeout(timer)
      end.signal.removeEventListener('abort', abort)
    }
  }
  const running = [
    repeat(INTERVALS_MS.read, readNext),
    repeat(INTERVALS_MS.upload, upload),
    repeat(INTERVALS_MS.result, setResult),
    repeat(INTERVALS_MS.edit, editCase),
    repeat(INTERVALS_MS.create, createCase),
    repeat(INTERVALS_MS.session, useSession),
    // A stream that ends at once is not opened again at once.
    ...Array.from({ length: STREAMS }, () => repeat(1000, openStream)),
  ]
  return {
    projectId: project.id,
    counts,
    failures,
    writes,
    async stop() {
      end.abort()
      await Promise.all(running)
    },
  }
}

interface SendOptions {
  body?: unknown
  /** Null for none. */
  token?: string | null
  headers?: Record<string, string>
  onHeaders?(headers: Headers): void
}

type Send = (kind: string, method: string, path: string, options?: SendOptions) => Promise<unknown>

async function create(send: Send, path: string, body: unknown): Promise<{ id: string; token: string }> {
  const reply = (await send('prepare', 'POST', path, { body })) as { data: { id: string; token: string } } | undefined
  if (reply === undefined) throw new Error(`POST ${path} failed`)
  return reply.data
}

/** After a request that failed, it is not known whether its write was stored. */
function setOrForget<K>(map: Map<K, string>, key: K, isStored: boolean, value: string): void {
  if (isStored) map.set(key, value)
  else map.delete(key)
}

function describeError(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  return error.cause instanceof Error ? `${error.message}: ${error.cause.message}` : error.message
}
