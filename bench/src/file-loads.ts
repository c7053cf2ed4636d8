import { setTimeout as sleep } from 'node:timers/promises'

import { measureInterleaved, throughput } from './measure.ts'
import type { SeededProject } from './seed.ts'
import { type Server, TOKEN } from './servers.ts'
import { createContent, createStream, repeat, requireFile, sendFile } from './send-files.ts'

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
const PICTURES_PER_ROUND = 250

interface Stored {
  file_id: string
  url: string
}

/** Pictures per second: new ones, and those that the project has. */
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
    await requireFile({ url: `${bare.url}/files/${(written += 1)}`, method: 'PUT', body, byteCount: body.length })
  }
  const attach = async (index: number) => {
    const body = Buffer.from(JSON.stringify({ file_id: stored[index]?.file_id, name: 'again.png' }))
    const json = { ...headers, 'content-type': 'application/json' }
    await requireFile({ url: `${place}/attachments`, method: 'POST', body, byteCount: body.length, headers: json })
  }
  const read = () =>
    requireFile({ url: place, method: 'GET', body: Buffer.of(), byteCount: 0, headers: { authorization } })
  const all = (work: (index: number) => Promise<unknown>) => () => repeat(PICTURES_PER_ROUND, PICTURE_CONNECTIONS, work)
  const times = await measureInterleaved(ROUNDS, { store: all(store), write: all(write) })
  const known = await measureInterleaved(ROUNDS, { attach: all(attach), read: all(read) })
  const toRate = (ms: number) => (PICTURES_PER_ROUND * 1000) / ms
  return {
    stored: toRate(times.store),
    written: toRate(times.write),
    attached: toRate(known.attach),
    read: toRate(known.read),
    picture: stored[0],
  }
}

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
async function observe<T>(server: Server, work: () => Promise<T>) {
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
  const toRate = (ms: number) => (total / MEGABYTE / ms) * 1000
  return { rate: toRate(times.caseward), bareRate: toRate(times.bare), addedMb, blockedMs }
}

const LARGE_BYTES = 32 * MEGABYTE
const LARGE_COUNT = 32

/** 32 bodies of 32 MB at the same time: memory, and how many had to try again. */
export async function observeParallelBodies({ caseward, seeded }: FileServers) {
  let retries = 0
  const url = `${caseward.url}/v1/runs/${seeded.runId}/attachments?name=core.dump`
  const send = async () => {
    for (;;) {
      const { status, retryAfterSeconds } = await sendFile({
        url,
        method: 'POST',
        body: createStream(LARGE_BYTES),
        byteCount: LARGE_BYTES,
        headers,
      }).catch(() => ({ status: 503, retryAfterSeconds: 1 }))
      if (status === 201) return
      if (status !== 503) throw new Error(`A body of 32 MB was answered with ${status}`)
      retries += 1
      await sleep(retryAfterSeconds * 1000)
    }
  }
  const { addedMb } = await observe(caseward, () => repeat(LARGE_COUNT, LARGE_COUNT, send))
  return { addedMb, retries }
}
