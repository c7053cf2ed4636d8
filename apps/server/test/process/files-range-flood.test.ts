import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { readdir } from 'node:fs/promises'
import { Agent, get, type IncomingMessage } from 'node:http'
import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

import type { Attachment } from '@caseward/contract/attachment-schemas'
import { ADMIN_TOKEN, getDatabaseUrl, startCaseward } from '@caseward/test-support/caseward-process'
import { cloneDatabase } from '@caseward/test-support/database'
import { watchMemory } from '@caseward/test-support/process-memory'
import { createTemporaryDirectory } from '@caseward/test-support/temporary-directory'
import { expect, it, onTestFinished } from 'vitest'

const FILE_BYTES = 32 * 1024 * 1024
const CONNECTIONS = 50
const REQUESTS = 2000
/** Each stream reads 64 KB ahead; the rest is what a garbage collector leaves for later. */
const MAX_ADDED_MB = 120
const REQUEST_TIMEOUT_SECONDS = 10
/** Node.js waits once more when a part of what it wrote was sent meanwhile. */
const MAX_SLOW_MS = 4 * REQUEST_TIMEOUT_SECONDS * 1000

const headers = { authorization: `Bearer ${ADMIN_TOKEN}` }

async function startWithFile() {
  const directory = await createTemporaryDirectory()
  const { connection, drop } = await cloneDatabase()
  onTestFinished(drop)
  const service = await startCaseward({
    DATABASE_URL: getDatabaseUrl(connection),
    DATA_DIR: directory,
    LOG_LEVEL: 'error',
    RATE_LIMIT_FILES: '1000000',
    REQUEST_TIMEOUT: String(REQUEST_TIMEOUT_SECONDS),
  })
  const create = async (path: string, body: object) =>
    ((await service.request('POST', path, body)).body as { data: { id: string } }).data.id
  const projectId = await create('/v1/projects', { name: 'Shop', prefix: 'WEB' })
  const runId = await create(`/v1/projects/${projectId}/runs`, { name: 'Nightly' })
  const content = randomBytes(FILE_BYTES)
  const response = await fetch(`${service.url}/v1/runs/${runId}/attachments?name=video.webm`, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/octet-stream' },
    body: new Uint8Array(content),
  })
  const { data } = (await response.json()) as { data: Attachment }
  return { service, content, url: new URL(data.url ?? '', service.url) }
}

/** Requests a range, and compares what is read of it; every tenth client leaves when the response begins. */
async function requestRange(agent: Agent, url: URL, content: Buffer, index: number): Promise<void> {
  const start = (index * 7_919_993) % FILE_BYTES
  const end = Math.min(FILE_BYTES - 1, start + (index % 4 === 0 ? FILE_BYTES : 10_000 * (index % 30)))
  const request = get(url, { agent, headers: { ...headers, range: `bytes=${start}-${end}` } })
  const [response] = (await once(request, 'response')) as [IncomingMessage]
  expect(response.statusCode).toBe(206)
  let offset = start
  for await (const chunk of response) {
    const bytes = chunk as Buffer
    expect(bytes.equals(content.subarray(offset, offset + bytes.length))).toBe(true)
    offset += bytes.length
    if (index % 10 === 0 || index % 4 === 0) return // the loop destroys the response, and with it the connection
  }
  expect(offset).toBe(end + 1)
}

const countFiles = async (pid: number) => (await readdir(`/proc/${pid}/fd`)).length

it(
  '2,000 requests of ranges over 50 connections, and clients that never read, take little memory and are ended',
  {
    timeout: 300_000,
  },
  async () => {
    const { service, content, url } = await startWithFile()
    const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS })
    onTestFinished(() => agent.destroy())
    await Promise.all(Array.from({ length: CONNECTIONS }, (_, index) => requestRange(agent, url, content, index)))

    const flood = await watchMemory(service.pid)
    let next = 0
    const work = async () => {
      while (next < REQUESTS) await requestRange(agent, url, content, next++)
    }
    await Promise.all(Array.from({ length: CONNECTIONS }, work))
    const floodMb = (await flood.readPeakMb()) - flood.startMb
    agent.destroy()
    await sleep(1000)
    const filesBefore = await countFiles(service.pid)

    const slow = await watchMemory(service.pid)
    const sockets: Socket[] = Array.from({ length: CONNECTIONS }, () => connect(Number(url.port), url.hostname))
    const closed = Promise.all(
      sockets.map((socket) =>
        once(
          socket.on('error', () => {}),
          'close',
        ),
      ),
    )
    for (const socket of sockets) {
      socket.pause()
      socket.write(
        `GET ${url.pathname}${url.search} HTTP/1.1\r\nHost: ${url.host}\r\nAuthorization: ${headers.authorization}\r\n\r\n`,
      )
    }
    await sleep(1000)
    expect((await service.request('GET', '/v1/projects')).status).toBe(200)
    expect(await countFiles(service.pid)).toBeGreaterThan(filesBefore + CONNECTIONS)
    // Their contents and connections are closed although nobody reads.
    await expect.poll(() => countFiles(service.pid), { timeout: MAX_SLOW_MS }).toBeLessThanOrEqual(filesBefore + 2)
    const slowMb = (await slow.readPeakMb()) - slow.startMb
    let received = 0
    for (const socket of sockets) socket.on('data', (chunk: Buffer) => (received += chunk.length)).resume()
    await closed
    process.stdout.write(`Memory that requests of ranges add: ${JSON.stringify({ floodMb, slowMb })}\n`)
    expect(received).toBeLessThan((CONNECTIONS * FILE_BYTES) / 2)
    expect(floodMb).toBeLessThan(MAX_ADDED_MB)
    expect(slowMb).toBeLessThan(MAX_ADDED_MB)
  },
)
