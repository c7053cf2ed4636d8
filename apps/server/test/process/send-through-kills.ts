import { createHash } from 'node:crypto'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'

import { FILE_PART_BYTES } from '@caseward/contract/endpoint'
import type { FileText } from '@caseward/contract/files'
import { type CasewardProcess, getDatabaseUrl, startCaseward } from '@caseward/test-support/caseward-process'
import { cloneDatabase } from '@caseward/test-support/database'
import { watchMemory } from '@caseward/test-support/process-memory'
import { createTemporaryDirectory } from '@caseward/test-support/temporary-directory'
import { expect, onTestFinished } from 'vitest'

import { authorization, createLargeFile, formatPartNumber } from './large-file.ts'

/** What the resident memory of a server may grow by, whatever the size of the file. Measured: 35 with 1 GB. */
export const MAX_GROWTH_MB = 60

/** Two servers on one database and one directory, and a run to attach to. */
async function startServers() {
  const directory = await createTemporaryDirectory()
  const filesDir = join(directory, 'files')
  const { connection, drop } = await cloneDatabase()
  onTestFinished(drop)
  const settings = {
    DATABASE_URL: getDatabaseUrl(connection),
    FILES_DIR: filesDir,
    FILE_LIMIT_MB: '5120',
    DATA_DIR: directory,
    LOG_LEVEL: 'error',
  }
  const start = () => startCaseward(settings)
  const [first, second] = await Promise.all([start(), start()])
  const create = async (path: string, body: object) => {
    const response = await second.request('POST', path, body)
    expect(response).toMatchObject({ status: 201 })
    return (response.body as { data: { id: string } }).data.id
  }
  const projectId = await create('/v1/projects', { name: 'Shop', prefix: 'WEB' })
  const runId = await create(`/v1/projects/${projectId}/runs`, { name: 'Nightly' })
  return { first, second, start, create, projectId, runId, filesDir }
}

async function killServer(server: CasewardProcess): Promise<void> {
  server.signal('SIGKILL')
  await server.ended
}

/**
 * Sends a file in parts to two servers by turns. A client is killed within a part, then a server within another. Started again, it
 * is killed when it has just received the last part. The other server then serves the file as a whole and, as the viewer reads it,
 * windows of its text.
 * @param partCount at least 4
 * @returns what the resident memory of the server that was not killed grew by, while it received and while it served the file,
 * and the longest time for a window of the text
 */
export async function sendThroughKills(partCount: number) {
  const { first, second, start, create, projectId, runId, filesDir } = await startServers()
  const uploads = `/v1/projects/${projectId}/file-uploads`
  const uploadId = await create(uploads, { name: 'server.log', byte_count: partCount * FILE_PART_BYTES })
  const file = createLargeFile(`${uploads}/${uploadId}`, partCount)
  const memory = await watchMemory(second.pid)
  const lastPart = partCount - 1
  const [clientFault, serverFault] = [1, 2].map((third) => Math.floor((partCount * third) / 3))
  let killed = first

  /** Kills the server that receives a part. @returns the part with which to go on */
  async function killWithin(number: number, partBytes: number): Promise<number> {
    const request = await file.beginPart(killed, number, partBytes)
    await killServer(killed)
    request.destroy()
    return await file.countReceived(second)
  }

  const send = async (number: number) => {
    const { status } = await file.send(number % 2 === 0 ? second : killed, number)
    expect([number, status]).toEqual([number, 202])
  }
  for (let number = 0; number < lastPart; number += 1) {
    if (number === clientFault) {
      await file.killClient(killed, number)
      expect(await file.countReceived(second)).toBe(number)
    }
    if (number === serverFault) {
      expect(await killWithin(number, FILE_PART_BYTES / 2)).toBe(number)
      killed = await start()
    }
    await send(number)
  }
  // What it has received was stored or not, but never in part.
  expect([lastPart, partCount]).toContain(await killWithin(lastPart, FILE_PART_BYTES))
  const { status, fileId } = await file.send(second, lastPart)
  expect([200, 201]).toContain(status)
  const receivedMb = (await memory.readPeakMb()) - memory.startMb
  // Nothing is left of the requests that were cut.
  expect(await readdir(join(filesDir, 'tmp'))).toEqual([])

  const sha256 = file.hash()
  const { byteCount } = file
  const body = { file_id: fileId, name: 'server.log' }
  const attached = await second.request('POST', `/v1/runs/${runId}/attachments`, body)
  expect(attached).toMatchObject({ status: 201, body: { data: { sha256, byte_count: byteCount, kind: 'text' } } })
  const address = `/v1/projects/${projectId}/files/${fileId}`
  expect(await hashContent(second, `${address}/content`)).toBe(sha256)
  const windowMs = await readWindows(second, `${address}/text`, partCount)
  return { startMb: memory.startMb, receivedMb, servedMb: (await memory.readPeakMb()) - memory.startMb, windowMs }
}

async function hashContent(server: CasewardProcess, path: string): Promise<string> {
  const { body } = await fetch(server.url + path, { headers: { authorization } })
  const hash = createHash('sha256')
  for await (const chunk of body ?? []) hash.update(chunk as Uint8Array)
  return hash.digest('hex')
}

const WINDOW_BYTES = 256 * 1024

/** Reads windows at the beginning, all over the text and at its end. @returns the longest time, in milliseconds */
async function readWindows(server: CasewardProcess, path: string, partCount: number): Promise<number> {
  const byteCount = partCount * FILE_PART_BYTES
  const times: number[] = []
  for (let step = 0; step <= 20; step += 1) {
    const from = Math.floor(((byteCount - WINDOW_BYTES) * step) / 20)
    const start = performance.now()
    const { body } = await server.request('GET', `${path}?from=${from}`)
    times.push(performance.now() - start)
    const { data } = body as { data: FileText }
    expect(data.text).toContain(`\n${formatPartNumber(Math.floor(from / FILE_PART_BYTES))} 12:00:00`)
    expect([data.from, data.byte_count]).toEqual([from, byteCount])
    expect(data.to - data.from).toBe(Buffer.byteLength(data.text))
    expect(data.to - data.from).toBeGreaterThan(WINDOW_BYTES - 100)
  }
  return Math.max(...times)
}
