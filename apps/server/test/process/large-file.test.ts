import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { request as sendRequest } from 'node:http'
import { join } from 'node:path'

import { FILE_PART_BYTES } from '@caseward/contract/endpoint'
import type { FileText } from '@caseward/contract/files'
import {
  ADMIN_TOKEN,
  type CasewardProcess,
  getDatabaseUrl,
  startCaseward,
} from '@caseward/test-support/caseward-process'
import { cloneDatabase } from '@caseward/test-support/database'
import { createTemporaryDirectory } from '@caseward/test-support/temporary-directory'
import { expect, it, onTestFinished } from 'vitest'

const PART_COUNT = 128
const TOTAL = PART_COUNT * FILE_PART_BYTES
/** What the resident memory of a server may grow by; measured: 20 to 40 MB. */
const MAX_GROWTH_MB = 80
const authorization = `Bearer ${ADMIN_TOKEN}`

/** Lines of a log that say where they are, as long as a part. */
function makePart(number: number): Buffer {
  const line = `${String(number).padStart(4, '0')} 12:00:00 a request to /payments took 17 ms, and that was not expected\n`
  return Buffer.from(line.repeat(Math.ceil(FILE_PART_BYTES / line.length))).subarray(0, FILE_PART_BYTES)
}

const getRange = (number: number) => {
  const start = number * FILE_PART_BYTES
  return `bytes ${start}-${start + FILE_PART_BYTES - 1}/${TOTAL}`
}

async function sendPart(server: CasewardProcess, path: string, number: number): Promise<Response> {
  return await fetch(server.url + path, {
    method: 'PUT',
    body: new Uint8Array(makePart(number)),
    headers: { authorization, 'content-range': getRange(number), 'content-type': 'application/octet-stream' },
  })
}

/** Sends half of a part and waits, as a client on a slow line. */
const HALF_CLIENT = `
  const [url, authorization, range, bytes] = process.argv.slice(1)
  const request = require('node:http').request(url, {
    method: 'PUT',
    headers: { authorization, 'content-range': range, 'content-length': bytes, 'content-type': 'application/octet-stream' },
  })
  request.write(Buffer.alloc(bytes / 2), () => console.log('half'))
  setInterval(() => {}, 1000)`

async function killClientWithinPart(server: CasewardProcess, path: string, number: number): Promise<void> {
  const args = ['-e', HALF_CLIENT, server.url + path, authorization, getRange(number), String(FILE_PART_BYTES)]
  const client = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
  await once(client.stdout, 'data')
  client.kill('SIGKILL')
  await once(client, 'close')
}

async function killServerWithinPart(server: CasewardProcess, path: string, number: number): Promise<void> {
  const headers = { authorization, 'content-range': getRange(number), 'content-length': FILE_PART_BYTES }
  const request = sendRequest(server.url + path, { method: 'PUT', headers })
  request.on('error', () => {})
  await new Promise<void>((resolve) => {
    request.write(makePart(number).subarray(0, FILE_PART_BYTES / 2), () => resolve())
  })
  server.signal('SIGKILL')
  await server.ended
  request.destroy()
}

async function readMemoryMb({ pid }: CasewardProcess): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8')
  return Number(/^VmRSS:\s+(\d+) kB/m.exec(status)?.[1]) / 1024
}

it.skipIf(process.platform !== 'linux')(
  '1 GB in parts arrives through a killed client, a killed server and a second one, and is read as text, in flat memory',
  { timeout: 900_000 },
  async () => {
    const directory = await createTemporaryDirectory()
    const { connection, drop } = await cloneDatabase()
    onTestFinished(drop)
    const settings = {
      DATABASE_URL: getDatabaseUrl(connection),
      FILES_DIR: join(directory, 'files'),
      FILES_MIN_FREE_MB: '0',
      FILE_LIMIT_MB: '2048',
      DATA_DIR: directory,
      LOG_LEVEL: 'error',
    }
    const first = await startCaseward(settings)
    const second = await startCaseward(settings)
    const create = async (path: string, body: object) =>
      ((await second.request('POST', path, body)).body as { data: { id: string } }).data.id
    const projectId = await create('/v1/projects', { name: 'Shop', prefix: 'WEB' })
    const runId = await create(`/v1/projects/${projectId}/runs`, { name: 'Nightly' })
    const uploadId = await create(`/v1/projects/${projectId}/file-uploads`, { name: 'server.log', byte_count: TOTAL })
    const path = `/v1/projects/${projectId}/file-uploads/${uploadId}`
    const hash = createHash('sha256')
    // The first parts load code and fill pools.
    const growth: number[] = []
    let idleMb = 0
    let servers = [first, second]
    for (let number = 0; number < PART_COUNT; number += 1) {
      if (number === 8) idleMb = await readMemoryMb(second)
      if (number === 20) await killClientWithinPart(first, path, number)
      if (number === 40) {
        await killServerWithinPart(first, path, number)
        servers = [second]
      }
      if (number === 60) servers = [await startCaseward(settings), second]
      const server = servers[number % servers.length] ?? second
      const response = await sendPart(server, path, number)
      expect([number, response.status]).toEqual([number, number === PART_COUNT - 1 ? 201 : 202])
      hash.update(makePart(number))
      if (number > 8) growth.push((await readMemoryMb(second)) - idleMb)
    }
    const finished = await sendPart(second, path, PART_COUNT - 1)
    const { file_id: fileId } = ((await finished.json()) as { data: { file_id: string } }).data
    const attached = await second.request('POST', `/v1/runs/${runId}/attachments`, {
      file_id: fileId,
      name: 'server.log',
    })
    const sha256 = hash.digest('hex')
    expect(attached).toMatchObject({ status: 201, body: { data: { sha256, byte_count: TOTAL, kind: 'text' } } })

    const file = `/v1/projects/${projectId}/files/${fileId}`
    const read = createHash('sha256')
    const content = await fetch(`${second.url}${file}/content`, { headers: { authorization } })
    for await (const chunk of content.body ?? []) read.update(chunk as Uint8Array)
    expect(read.digest('hex')).toBe(sha256)

    // What the viewer reads: windows anywhere in it.
    const times: number[] = []
    for (const number of [0, 37, 64, 100, 127]) {
      const start = performance.now()
      const from = number * FILE_PART_BYTES + 4096
      const { body } = await second.request('GET', `${file}/text?from=${from}`)
      times.push(performance.now() - start)
      const { text, from: begin, to } = (body as { data: FileText }).data
      expect(text).toContain(`\n${String(number).padStart(4, '0')} 12:00:00`)
      expect([begin, to > begin + 200_000, to <= begin + 256 * 1024]).toEqual([from, true, true])
      growth.push((await readMemoryMb(second)) - idleMb)
    }
    expect(Math.max(...times)).toBeLessThan(1000)
    expect(Math.max(...growth)).toBeLessThan(MAX_GROWTH_MB)
    console.log('FIGURES', { idleMb, max: Math.max(...growth), last: growth.at(-1), times })
  },
)
