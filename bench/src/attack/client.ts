import { connect, type Socket } from 'node:net'

/** A user of another project, who has nothing to do with the attacker. */
export interface OtherCaller {
  url: string
  token: string
  projectId: string
}

/** What an attack cost another caller. */
export interface OtherCost {
  slowestMs: number
  /** Requests that were refused. */
  failures: number
}

/** The server under attack, and credentials for it. */
export interface Target {
  url: string
  /** A personal token of the project's admin. */
  token: string
  /** A CI token of the project with write access. */
  ciToken: string
  projectId: string
  /** A run of all test cases of the project. */
  runId: string
  /** Somebody else, and what the present attack has cost them. */
  other: OtherCaller
  otherCost: OtherCost
}

/** How many requests ended with each status, or with the name of an error without a response. */
export type Statuses = Map<string, number>

/** A request whose bytes are prepared, so that sending it costs the client as little as possible. */
export interface PreparedRequest {
  head: Buffer
  body: Buffer
}

/** Prepares a request on a connection of its own. */
export function prepareRequest(
  method: string,
  path: string,
  token: string,
  type: string,
  body: Buffer,
): PreparedRequest {
  const lines = [
    `${method} ${path} HTTP/1.1`,
    'Host: caseward.test',
    `Authorization: Bearer ${token}`,
    `Content-Type: ${type}`,
    `Content-Length: ${body.length}`,
    'Connection: close',
  ]
  return { head: Buffer.from(`${lines.join('\r\n')}\r\n\r\n`), body }
}

/** Prepares a request whose response the server is to compress. */
export const prepareCompressedRead = ({ token }: Target, path: string): PreparedRequest =>
  prepareRequest('GET', path, token, 'application/json\r\nAccept-Encoding: gzip', Buffer.alloc(0))

export const prepareJsonUpload = ({ runId, ciToken }: Target, body: Buffer): PreparedRequest =>
  prepareRequest('POST', `/v1/results?run_id=${runId}`, ciToken, 'application/json', body)

export const prepareXmlUpload = ({ runId, ciToken }: Target, body: Buffer): PreparedRequest =>
  prepareRequest('POST', `/v1/results?run_id=${runId}`, ciToken, 'application/xml', body)

/** Without an answer after this time, a request counts as failed. */
const TIMEOUT_MS = 120_000

/** Opens a connection to the server. Errors only close it. */
export function openSocket({ url }: Pick<Target, 'url'>): Socket {
  const { hostname, port } = new URL(url)
  return connect(Number(port), hostname).on('error', () => {})
}

/** Sends a request and reads its whole response. */
export function send(target: Pick<Target, 'url'>, { head, body }: PreparedRequest): Promise<string> {
  return new Promise((resolve) => {
    const socket = openSocket(target)
    let status = 'no response'
    socket.once('data', (bytes: Buffer) => {
      status = bytes.toString('latin1', 9, 12)
      socket.resume()
    })
    socket.setTimeout(TIMEOUT_MS, () => socket.destroy())
    socket.once('close', () => resolve(status))
    socket.write(head)
    socket.write(body)
  })
}

/** Opens a stream of events, and returns its status and how to close it. */
export function openStream(
  target: Pick<Target, 'url'>,
  { token, projectId }: Pick<Target, 'token' | 'projectId'>,
): Promise<{ status: string; close: () => void }> {
  const { head } = prepareRequest('GET', `/v1/projects/${projectId}/events`, token, 'text/plain', Buffer.alloc(0))
  return new Promise((resolve) => {
    const socket = openSocket(target)
    const close = () => void socket.destroy()
    socket.setTimeout(TIMEOUT_MS, close)
    socket.once('data', (bytes: Buffer) => {
      socket.resume()
      resolve({ status: bytes.toString('latin1', 9, 12), close })
    })
    socket.once('close', () => resolve({ status: 'no response', close }))
    socket.write(head)
  })
}

/** Sends the same request several times in parallel. */
export async function sendInParallel(target: Target, request: PreparedRequest, count: number): Promise<Statuses> {
  return countStatuses(await Promise.all(Array.from({ length: count }, () => send(target, request))))
}

export function countStatuses(statuses: readonly string[]): Statuses {
  const counts: Statuses = new Map()
  for (const status of statuses) counts.set(status, (counts.get(status) ?? 0) + 1)
  return counts
}
