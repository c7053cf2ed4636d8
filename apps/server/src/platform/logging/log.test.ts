import { once } from 'node:events'
import { closeSync, openSync } from 'node:fs'
import { readFile, rm } from 'node:fs/promises'
import { connect } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

import type pg from 'pg'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'

import {
  ADMIN_PASSWORD,
  ADMIN_TOKEN,
  type CasewardProcess,
  getDatabaseUrl,
  sendJson,
  spawnCaseward,
  startCaseward,
} from '@caseward/test-support/caseward-process'
import { cloneDatabase } from '@caseward/test-support/database'
import { startService } from '@caseward/test-support/service'
import { fillDisk, mountSmallDisk } from '@caseward/test-support/small-disk'
import { findFreePort } from '@caseward/embedded-postgres/find-free-port'
import type { Logger } from 'pino'
import { createLogger } from './log.ts'
import { openLogOutput } from './log-output.ts'

let database: { connection: pg.PoolConfig; drop(): Promise<void> }
let settings: Record<string, string>
beforeAll(async () => {
  database = await cloneDatabase()
  settings = { DATABASE_URL: getDatabaseUrl(database.connection), RATE_LIMIT_OTHER: '1000000' }
})
afterAll(() => database.drop())

/** Sends requests whose log lines take about 300 bytes each, fifty at once over one connection: this process has little to do. */
async function sendRequestsWithLongIds({ url }: CasewardProcess, count: number): Promise<void> {
  const { hostname, port } = new URL(url)
  const socket = connect(Number(port), hostname).setEncoding('latin1')
  let received = ''
  const countResponses = () => received.split('HTTP/1.1 200 OK\r\n').length - 1
  const request = `GET /healthz HTTP/1.1\r\nhost: ${hostname}\r\nx-request-id: ${'x'.repeat(128)}\r\n\r\n`
  for (let sent = 0; sent < count; sent += 50) {
    received = ''
    socket.write(request.repeat(50))
    while (countResponses() < 50) {
      const [text] = (await once(socket, 'data')) as [string]
      received += text
    }
  }
  socket.end()
}

/** Parses a log line; returns null when it is incomplete. */
function parseLine(line: string): Record<string, unknown> | null {
  try {
    return JSON.parse(line) as Record<string, unknown>
  } catch {
    return null
  }
}

const isRequest = (line: Record<string, unknown> | null) => line?.['msg'] === 'request'

/** Stops the service and returns its exit code. */
async function stop(caseward: CasewardProcess): Promise<number | null> {
  caseward.signal('SIGTERM')
  return await caseward.ended
}

/** A log line has at least 150 bytes: these fill the buffer. */
const MORE_THAN_THE_BUFFER = 50
const LONGER_THAN_THE_FLUSH_INTERVAL_MS = 700
/** Another process may take the processor for so long; a write that waits for space never returns. */
const MAX_LINE_MS = 5000

describe('log', () => {
  it('consists of JSON lines without tokens, passwords and database addresses', async () => {
    const caseward = await startService({ ...settings, LOG_LEVEL: 'trace' })
    await caseward.request('GET', '/v1/projects?search=x')
    await caseward.request('POST', '/v1/projects', { name: 5 })
    await caseward.request('GET', '/nowhere')
    caseward.signal('SIGTERM')
    expect(await caseward.ended).toBe(0)
    const lines = caseward.log()
    expect(lines.length).toBeGreaterThan(3)
    for (const line of lines) expect(JSON.parse(line)).toMatchObject({ level: expect.any(Number) })
    const output = lines.join('\n') + caseward.stderr()
    const { password, database: name = '' } = database.connection
    for (const secret of [ADMIN_TOKEN, ADMIN_PASSWORD, String(password), 'Bearer', 'postgres://', name]) {
      expect(output).not.toContain(secret)
    }
  })
})

describe('log with a reader that is gone from the beginning', () => {
  it('prevents no start, and delays no request and no shutdown', async () => {
    const port = await findFreePort()
    const caseward = spawnCaseward({ ...settings, PORT: String(port), LOG_LEVEL: 'trace' })
    caseward.closePipes()
    const url = `http://127.0.0.1:${port}`
    const getStatus = () => fetch(`${url}/readyz`).then(({ status }) => status)
    await expect.poll(() => getStatus().catch(() => 0)).toBe(200)
    const sendRequests = async (count: number) => {
      for (let sent = 0; sent < count; sent++) {
        expect(await sendJson(`${url}/v1/projects`, 'GET', ADMIN_TOKEN, undefined)).toMatchObject({ status: 200 })
      }
    }
    await sendRequests(2 * MORE_THAN_THE_BUFFER)
    await sleep(LONGER_THAN_THE_FLUSH_INTERVAL_MS)
    await sendRequests(1)
    expect(await stop(caseward)).toBe(0)
  })
})

describe('log with a reader that hangs', () => {
  it('delays no request, and counts the dropped lines when it is read again', async () => {
    const caseward = await startCaseward(settings)
    caseward.pauseStdout()
    await sendRequestsWithLongIds(caseward, 6000)
    caseward.resumeStdout()
    const findWarning = () => caseward.log().find((line) => line.includes('log lines were dropped')) ?? ''
    await expect.poll(findWarning).not.toBe('')
    const { lines: dropped } = parseLine(findWarning()) as { lines: number }
    expect(dropped).toBeGreaterThan(1000)
    expect(await stop(caseward)).toBe(0)
    expect(caseward.log().map(parseLine).filter(isRequest).length + dropped).toBe(6000)
  })
})

describe('log on a full disk', () => {
  it('delays no line, keeps a megabyte of them until there is space again, and counts the others with the reason', async (context) => {
    const disk = await mountSmallDisk(context, 4)
    const file = join(disk, 'log')
    const fd = openSync(file, 'a')
    onTestFinished(() => closeSync(fd))
    const log: Logger = createLogger(
      'info',
      openLogOutput({ fd, isBuffered: true, onDropped: (lines, reason) => log.warn({ lines, reason }, 'dropped') }),
    )
    const readLines = async () => (await readFile(file, 'utf8')).trimEnd().split('\n').map(parseLine)
    const countLines = async () => (await readLines()).filter((line) => line?.['msg'] === 'a line').length
    /** Returns the milliseconds of the slowest line, which are long, as those of requests. */
    const writeLines = (count: number) => {
      const times = Array.from({ length: count }, () => {
        const start = performance.now()
        log.info({ request_id: 'x'.repeat(128), path: '/v1/projects' }, 'a line')
        return performance.now() - start
      })
      return Math.max(...times)
    }

    const filler = await fillDisk(disk)
    expect(writeLines(2 * MORE_THAN_THE_BUFFER)).toBeLessThan(MAX_LINE_MS)
    await rm(filler)
    writeLines(MORE_THAN_THE_BUFFER)
    await expect.poll(countLines).toBe(3 * MORE_THAN_THE_BUFFER)

    const secondFiller = await fillDisk(disk)
    expect(writeLines(6000)).toBeLessThan(MAX_LINE_MS)
    await rm(secondFiller)
    const findWarning = async () => (await readLines()).find((line) => line?.['msg'] === 'dropped')
    await expect.poll(findWarning).toMatchObject({ reason: 'ENOSPC', lines: expect.any(Number) })
    writeLines(MORE_THAN_THE_BUFFER)
    const dropped = Number((await findWarning())?.['lines'])
    expect(dropped).toBeGreaterThan(500)
    await expect.poll(countLines).toBe(6000 + 4 * MORE_THAN_THE_BUFFER - dropped)
    expect(await readLines()).not.toContain(null)
  })
})
