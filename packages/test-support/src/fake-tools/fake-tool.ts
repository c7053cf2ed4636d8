import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { setTimeout as sleep } from 'node:timers/promises'

/** How many objects a page has at most: fewer than the pages of the tools, so that a small project has several. */
export const PAGE_SIZE = 50

/** What goes wrong. Patterns are tried on the method, path, query and body of a request. */
export interface Faults {
  /** Every n-th request is answered with 429. */
  rateLimitEvery?: number
  retryAfterSeconds?: number
  /** Requests like this are answered, and ask to wait before the next one. */
  slowsDownAt?: RegExp
  /** The first request like this is answered with 500. */
  failOnce?: RegExp
  /** The connection of the first request like this is lost within the body. */
  resetOnce?: RegExp
  /** Requests like this are answered with 403. */
  forbid?: RegExp
  /** All are answered with 401. */
  refusesSecret?: boolean
  delayMs?: number
  /** An object is inserted before all others while lists are read. */
  shiftsPages?: boolean
  /** How many more objects lists claim to have; each list for so many times. */
  wrongTotal?: { add: number; times: number }
  /** Larger pages cost too much. */
  maxPage?: number
  /** A page to sign in instead of JSON. */
  signInPage?: boolean
  /** All are sent to this address. */
  redirectTo?: string
}

export interface FakeRequest {
  readonly method: string
  readonly path: string
  readonly query: URLSearchParams
  /** All of the address, as it was sent. */
  readonly url: string
  readonly headers: IncomingMessage['headers']
  readonly body: string
}

export interface FakeAnswer {
  readonly status?: number
  readonly type?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body: string | Buffer | LargeBody
}

/** A body that is too large to be in memory. */
export interface LargeBody {
  readonly byteCount: number
  readonly listPieces: () => Iterable<Buffer>
}

export const json = (value: unknown, status = 200): FakeAnswer => ({
  status,
  type: 'application/json',
  body: JSON.stringify(value),
})

/** What a tool answers; faults of lists are its own. */
export type FakeHandler = (request: FakeRequest, lists: FakeLists, faults: Readonly<Faults>) => FakeAnswer

/** Lists as the faults have them. */
export interface FakeLists {
  /** A part of a list from a place; from the second one on, an object may have come before all others. */
  slice<T>(items: readonly T[], offset: number, limit: number, inserted: T): T[]
  /** How long a list claims to be. */
  count(name: string, length: number): number
}

export interface FakeTool {
  readonly url: string
  readonly faults: Faults
  /** Every request that arrived, as `GET /path?query`. */
  readonly requests: string[]
  /** What was sent with each of them. */
  readonly bodies: string[]
  /** The most requests that were answered at once. */
  readonly maxConcurrent: number
  /** Called with the number of each request before it is answered. */
  onRequest: ((count: number) => void) | null
  close(): Promise<void>
}

/** Starts a server that answers as the API of a tool does, with whatever goes wrong. */
export async function startFakeTool(handle: FakeHandler): Promise<FakeTool> {
  const faults: Faults = {}
  const requests: string[] = []
  const bodies: string[] = []
  const done = { fail: false, reset: false }
  const counted = new WeakMap<object, Map<string, number>>()
  let [running, most] = [0, 0]
  const lists: FakeLists = {
    slice(items, offset, limit, inserted) {
      if (faults.shiftsPages !== true || offset === 0) return items.slice(offset, offset + limit)
      // The last page has what was moved behind it.
      const end = offset + limit >= items.length ? items.length + 1 : offset + limit
      return [inserted, ...items].slice(offset, end)
    },
    count(name, length) {
      const { wrongTotal } = faults
      if (wrongTotal === undefined) return length
      const counts = counted.get(wrongTotal) ?? new Map<string, number>()
      counted.set(wrongTotal, counts)
      const count = (counts.get(name) ?? 0) + 1
      counts.set(name, count)
      return count <= wrongTotal.times ? length + wrongTotal.add : length
    },
  }
  const tool = {
    url: '',
    faults,
    requests,
    bodies,
    get maxConcurrent() {
      return most
    },
    onRequest: null as FakeTool['onRequest'],
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
  const server = createServer((message, response) => {
    running += 1
    most = Math.max(most, running)
    response.once('close', () => (running -= 1))
    void answer(message, response)
  })

  async function answer(message: IncomingMessage, response: ServerResponse): Promise<void> {
    const pieces: Buffer[] = []
    for await (const piece of message as AsyncIterable<Buffer>) pieces.push(piece)
    const { method = 'GET', url = '/' } = message
    const { pathname: path, searchParams: query } = new URL(url, 'http://fake')
    const request = { method, path, query, url, headers: message.headers, body: Buffer.concat(pieces).toString() }
    requests.push(`${method} ${url}`)
    bodies.push(request.body)
    tool.onRequest?.(requests.length)
    if (faults.delayMs !== undefined) await sleep(faults.delayMs)
    const {
      status = 200,
      type = 'application/json',
      headers: own = {},
      body,
    } = findFault(request) ?? handle(request, lists, faults)
    const large = typeof body === 'object' && 'listPieces' in body ? body : null
    const bytes = large === null ? Buffer.from(body as string | Buffer) : Buffer.alloc(0)
    const headers: Record<string, string | number> = {
      ...own,
      'content-type': type,
      'content-length': large?.byteCount ?? bytes.length,
    }
    const isSlowed = status === 200 && faults.slowsDownAt?.test(toText(request)) === true
    if (status === 429 || isSlowed) headers['retry-after'] = faults.retryAfterSeconds ?? 0
    if (faults.redirectTo !== undefined) headers['location'] = faults.redirectTo
    response.writeHead(status, headers)
    if (large !== null) {
      await pipeline(Readable.from(large.listPieces(), { objectMode: false }), response)
      return
    }
    if (!done.reset && faults.resetOnce?.test(toText(request)) === true) {
      done.reset = true
      response.write(bytes.subarray(0, Math.floor(bytes.length / 2)))
      // The first half arrives before the connection ends.
      setTimeout(() => response.destroy(), 20)
      return
    }
    response.end(bytes)
  }

  const toText = ({ method, url, body }: FakeRequest) => `${method} ${url} ${body}`.trim()

  function findFault(request: FakeRequest): FakeAnswer | null {
    const text = toText(request)
    if (faults.rateLimitEvery !== undefined && requests.length % faults.rateLimitEvery === 0)
      return json({ error: 'Too many requests' }, 429)
    if (faults.redirectTo !== undefined) return { status: 302, body: '' }
    if (faults.signInPage === true) return { type: 'text/html', body: '<!DOCTYPE html><html>Sign in</html>' }
    // Some tools repeat what they were sent.
    if (faults.refusesSecret === true)
      return json({ error: `No access: ${JSON.stringify(request.headers)} ${request.body}` }, 401)
    if (faults.forbid?.test(text) === true) return json({ error: 'No access' }, 403)
    if (!done.fail && faults.failOnce?.test(text) === true) {
      done.fail = true
      return json({ error: 'Internal error' }, 500)
    }
    return null
  }

  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  tool.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return tool
}
