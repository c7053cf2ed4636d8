import { Agent, request as httpRequest } from 'node:http'
import { gzipSync } from 'node:zlib'

import type { RequestOptions, TestResponse } from '@caseward/test-support/send-request'
import type { TestServer } from '@caseward/test-support/test-server'
import type { Payload } from './payloads.ts'
import type { FuzzRequest } from './requests.ts'

export interface Reply {
  status: number
  headers: Record<string, string | string[] | undefined>
  body: Buffer
}

const TIMEOUT_MS = 20_000

export type Send = (request: FuzzRequest) => Promise<Reply>

export interface Connections {
  send: Send
  close(): void
}

/** Speaks HTTP as it is, where `fetch` would put right what is hostile. Connections are kept. */
export function openConnections(url: string, count: number): Connections {
  const { hostname, port } = new URL(url)
  const agent = new Agent({ keepAlive: true, maxSockets: count })
  const send: Send = ({ method, path, headers, payload }) =>
    new Promise((resolve, reject) => {
      const bytes = payload === null ? null : toBytes(payload)
      const framing = bytes === null ? {} : getFramingHeaders(bytes, payload?.isChunked === true)
      const options = { agent, hostname, port, method, path, headers: { ...headers, ...framing }, timeout: TIMEOUT_MS }
      const outgoing = httpRequest(options, (answer) => {
        const chunks: Buffer[] = []
        answer.on('data', (chunk: Buffer) => chunks.push(chunk))
        answer.on('error', reject)
        answer.on('end', () =>
          resolve({ status: answer.statusCode ?? 0, headers: answer.headers, body: Buffer.concat(chunks) }),
        )
      })
      outgoing.on('timeout', () => outgoing.destroy(new Error(`There was no answer within ${TIMEOUT_MS} ms`)))
      outgoing.on('error', reject)
      outgoing.end(bytes)
    })
  return { send, close: () => agent.destroy() }
}

/** What factories make their requests by, on connections that are open already: `fetch` takes twice as long. */
export function requestOver(send: Send): TestServer['request'] {
  return async <T>(
    method: string,
    path: string,
    { token, body, headers }: RequestOptions = {},
  ): Promise<TestResponse<T>> => {
    const as = token === undefined ? {} : { authorization: `Bearer ${token}` }
    const type = body === undefined ? {} : { 'content-type': 'application/json' }
    const payload: Payload | null = body === undefined ? null : { headers: {}, text: JSON.stringify(body), as: 'utf8' }
    const reply = await send({ method, path, headers: { ...as, ...type, ...headers }, payload })
    const text = reply.body.toString()
    return { status: reply.status, headers: new Headers(), body: (text === '' ? text : JSON.parse(text)) as T }
  }
}

const getFramingHeaders = (bytes: Buffer, isChunked: boolean): Record<string, string> =>
  isChunked ? { 'transfer-encoding': 'chunked' } : { 'content-length': String(bytes.length) }

export function toBytes({ text, as, bytes = 0 }: Payload): Buffer {
  const written = as === 'gzip' ? gzipSync(text) : Buffer.from(text, as)
  return written.length >= bytes ? written : Buffer.concat([written, Buffer.alloc(bytes - written.length, ' ')])
}
