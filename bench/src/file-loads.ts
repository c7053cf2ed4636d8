import { setTimeout as sleep } from 'node:timers/promises'

import { measureInterleaved, throughput } from './measure.ts'
import type { SeededProject } from './seed.ts'
import { type Server, TOKEN } from './servers.ts'
import { createContent, repeat, requireFile } from './send-files.ts'
import { createCiToken, upload } from './uploads.ts'

export interface FileServers {
  caseward: Server
  bare: Server
  seeded: SeededProject
}

const authorization = `Bearer ${TOKEN}`
const headers = { authorization, 'content-type': 'application/octet-stream' }
const MEGABYTE = 1_048_576
/** Time for a server to finish its start, so that its idle memory can be measured. */
const SETTLE_MS = 3000

const PICTURE_BYTES = 200_000
const PICTURE_CONNECTIONS = 4
const ROUNDS = 4
export const PICTURES_PER_ROUND = 250

interface Stored {
  file_id: string
  url: string
  sha256: string
}

/**
 * Pictures per second: new ones, and those that the project has. A reporter declares what it has in its upload, and sends nothing
 * of what is known; a person attaches one stored picture after the other, each of them in a transaction of its own.
 */
export async function comparePictures({ caseward, bare, seeded }: FileServers) {
  const place = `${caseward.url}/v1/runs/${seeded.runId}`
  const stored: Stored[] = []
  const store = async () => {
    const body = createContent(PICTURE_BYTES)
    const url = `${place}/attachments?name=shot.png`
    const { data } = (await requireFile({ url, method: 'POST', body, byteCount: body.length, headers })) as {
      data: Stored
    }
    stored.push(data)
  }
  let written = 0
  const write = async () => {
    const body = createContent(PICTURE_BYTES)
    await requireFile({ url: `${bare.url}/stored/${(written += 1)}`, method: 'PUT', body, byteCount: body.length })
  }
  const attach = async (index: number) => {
    const body = Buffer.from(JSON.stringify({ file_id: stored[index]?.file_id, name: 'again.png' }))
    const json = { ...headers, 'content-type': 'application/json' }
    await requireFile({ url: `${place}/attachments`, method: 'POST', body, byteCount: body.length, headers: json })
  }
  const append = async () => {
    const body = Buffer.from('a note')
    await requireFile({ url: `${bare.url}/files/${(written += 1)}`, method: 'PUT', body, byteCount: body.length })
  }
  const token = await createCiToken(caseward, seeded)
  let uploads = 0
  const declare = () => upload(caseward, token, createDeclaring(seeded.runId, (uploads += 1), stored))
  const read = () =>
    requireFile({ url: place, method: 'GET', body: Buffer.of(), byteCount: 0, headers: { authorization } })
  const all = (work: (index: number) => Promise<unknown>) => () => repeat(PICTURES_PER_ROUND, PICTURE_CONNECTIONS, work)
  const times = await measureInterleaved(ROUNDS, { store: all(store), write: all(write) })
  const known = await measureInterleaved(ROUNDS, { declare, attach: all(attach), append: all(append), read: all(read) })
  const toRate = (ms: number) => (PICTURES_PER_ROUND * 1000) / ms
  return {
    stored: toRate(times.store),
    written: toRate(times.write),
    declared: toRate(known.declare),
    attached: toRate(known.attach),
    appended: toRate(known.append),
    read: toRate(known.read),
    picture: stored[0],
  }
}

/** An upload of tests that failed, each with a picture that the project has. */
const createDeclaring = (runId: string, number: number, stored: readonly Stored[]): string =>
  JSON.stringify({
    run_id: runId,
    format: 'tests',
    tests: Array.from({ length: PICTURES_PER_ROUND }, (_, index) => {
      const sha256 = stored[index]?.sha256
      const attachments = [{ name: 'shot.png', sha256, byte_count: PICTURE_BYTES }]
      return { file: `${number}.test.ts`, name: `pays ${index}`, attempts: [{ status: 'failed', attachments }] }
    }),
  })

/** Requests per second for a picture, and for one that the client has. */
export async function compareServing({ caseward, bare, seeded }: FileServers, { url }: Stored) {
  const content = `${caseward.url}${url}`
  const { headers: received } = await fetch(content, { headers: { authorization } })
  return await throughput({
    content: { url: content, headers: { authorization } },
    static: { url: `${bare.url}/static/1` },
    notModified: {
      url: content,
      headers: { authorization, 'if-none-match': received.get('etag') ?? '' },
      isNotModified: true,
    },
    read: { url: `${caseward.url}/v1/runs/${seeded.runId}`, headers: { authorization } },
  })
}

/** Resident memory and blocked event loop of a server while it works. */
export async function observe<T>(server: Server, work: () => Promise<T>) {
  await sleep(SETTLE_MS)
  const { rssMb } = await server.getStats()
  server.resetPeak()
  const result = await work()
  const { peakRssMb, blockedMs } = await server.getStats()
  return { result, addedMb: peakRssMb - rssMb, blockedMs }
}

const PART_BYTES = 8 * MEGABYTE
const PART_COUNT = 128

/** 1 GB in parts, by turns with the bare server: megabytes per second, memory and event loop. */
export async function comparePartsOf1Gb({ caseward, bare, seeded }: FileServers) {
  const uploads = `${caseward.url}/v1/projects/${seeded.projectId}/file-uploads`
  const total = PART_COUNT * PART_BYTES
  const response = await fetch(uploads, {
    method: 'POST',
    headers: { authorization, 'content-type': 'application/json' },
    body: JSON.stringify({ byte_count: total, name: 'video.webm' }),
  })
  const { data } = (await response.json()) as { data: { id: string } }
  const times = { caseward: 0, bare: 0 }
  // Of the bare server, too: what else the machine does blocks it as long.
  await bare.getStats()
  const { addedMb, blockedMs } = await observe(caseward, async () => {
    for (let number = 0; number < PART_COUNT; number += 1) {
      const body = createContent(PART_BYTES)
      const start = number * PART_BYTES
      const range = { 'content-range': `bytes ${start}-${start + PART_BYTES - 1}/${total}` }
      const part = { method: 'PUT', body, byteCount: PART_BYTES }
      const begin = performance.now()
      await requireFile({ ...part, url: `${uploads}/${data.id}`, headers: { ...headers, ...range } })
      const middle = performance.now()
      await requireFile({ ...part, url: `${bare.url}/parts/large` })
      times.caseward += middle - begin
      times.bare += performance.now() - middle
    }
  })
  const { blockedMs: bareBlockedMs } = await bare.getStats()
  const toRate = (ms: number) => (total / MEGABYTE / ms) * 1000
  return { rate: toRate(times.caseward), bareRate: toRate(times.bare), addedMb, blockedMs, bareBlockedMs }
}
