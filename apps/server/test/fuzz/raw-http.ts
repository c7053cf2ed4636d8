import { Agent, type IncomingMessage, request as httpRequest } from 'node:http'
import { gzipSync } from 'node:zlib'

import type { RequestOptions, TestResponse } from '@caseward/test-support/send-request'
import type { TestServer } from '@caseward/test-support/test-server'
import type { Payload } from './payloads.ts'
import type { FuzzRequest } from './requests.ts'

export interface RawResponse {
  status: number
  headers: Record<string, string | string[] | undefined>
  body: Buffer
}

const TIMEOUT_MS = 20_000

export type Send = (request: FuzzRequest) => Promise<RawResponse>

export interface Connections {
  send: Send
  close(): void
}

/** Opens connections for raw HTTP, because `fetch` would correct or reject hostile requests. */
export function openConnections(url: string, count: number): Connections {
  const { hostname, port } = new URL(url)
  const agent = new Agent({ keepAlive: true, maxSockets: count })
  const send: Send = ({ method, path, headers, payload }) =>
    new Promise((resolve, reject) => {
      const bytes = payload === null ? null : toBytes(payload)
      const framing = bytes === null ? {} : getFramingHeaders(bytes, payload?.isChunked === true)
      const options = { agent, hostname, port, method, path, headers: { ...headers, ...framing }, timeout: TIMEOUT_MS }
      const outgoing = httpRequest(options, (response) => {
        const chunks: Buffer[] = []
        const finish = () =>
          resolve({ status: response.statusCode ?? 0, headers: response.headers, body: Buffer.concat(chunks) })
        response.on('data', (chunk: Buffer) => {
          chunks.push(chunk)
          if (!isEventStream(response)) return
          // It would not end.
          finish()
          response.destroy()
        })
        response.on('error', reject)
        response.on('end', finish)
      })
      outgoing.on('timeout', () => outgoing.destroy(new Error(`Timed out after ${TIMEOUT_MS} ms`)))
      outgoing.on('error', reject)
      outgoing.end(bytes)
    })
  return { send, close: () => agent.destroy() }
}

const isEventStream = ({ headers }: IncomingMessage) =>
  headers['content-type']?.startsWith('text/event-stream') === true

/** Returns a `request` function for factories that uses open connections, which is twice as fast as `fetch`. */
export function requestOver(send: Send): TestServer['request'] {
  return async <T>(
    method: string,
    path: string,
    { token, body, headers }: RequestOptions = {},
  ): Promise<TestResponse<T>> => {
    const authorization = token === undefined ? {} : { authorization: `Bearer ${token}` }
    const isFile = body instanceof Uint8Array
    const type = body === undefined || isFile ? {} : { 'content-type': 'application/json' }
    const text = isFile ? Buffer.from(body).toString('latin1') : JSON.stringify(body)
    const payload: Payload | null =
      body === undefined ? null : { headers: {}, text, encoding: isFile ? 'latin1' : 'utf8' }
    const response = await send({ method, path, headers: { ...authorization, ...type, ...headers }, payload })
    const received = response.body.toString()
    const isEmpty = received === ''
    return { status: response.status, headers: new Headers(), body: (isEmpty ? received : JSON.parse(received)) as T }
  }
}

const getFramingHeaders = (bytes: Buffer, isChunked: boolean): Record<string, string> =>
  isChunked ? { 'transfer-encoding': 'chunked' } : { 'content-length': String(bytes.length) }

/** Encodes the text of a body. */
export function toBytes({ text, encoding, minimumBytes = 0 }: Payload): Buffer {
  const encoded = encoding === 'gzip' ? gzipSync(text) : Buffer.from(text, encoding)
  return encoded.length >= minimumBytes
    ? encoded
    : Buffer.concat([encoded, Buffer.alloc(minimumBytes - encoded.length, ' ')])
}
