import type { Connection } from '@caseward/embedded-postgres'

import type { SeededProject } from './seed.ts'
import { type Server, startCaseward } from './servers.ts'
import { createCiToken, createJUnitReport, createResults, upload } from './uploads.ts'

const LIMIT_BYTES = 10 * 1024 * 1024
/** Time for a server to finish its start, so that its idle memory can be measured. */
const SETTLE_MS = 2000

/** Creates the largest body below 10 MB, by increasing the number of its results. */
function createLargestBody(make: (count: number) => string): string {
  let count = Math.floor((LIMIT_BYTES / make(1000).length) * 1000)
  let body = make(count)
  while (Buffer.byteLength(body) > LIMIT_BYTES) body = make((count = Math.floor(count * 0.98)))
  return body
}

/** Results that all have a note, so that 10 MB contain fewer results than the run has test cases. */
const withNotes = (count: number) =>
  createResults(count, 1).map((result) => ({
    ...result,
    note: result.note ?? 'Checked by the nightly suite of the shop',
  }))

/** The same result for a test case that is in no run. */
const toResultNotInRun = (result: ReturnType<typeof withNotes>[number]) => ({
  ...result,
  test_case_id: result.test_case_id.replace('WEB-', 'WEB-9000'),
})

/** Uploads 10 MB to a fresh server: how long each upload blocks its event loop, and the maximum memory. */
export async function observeLargeUploads(connection: Connection, seeded: SeededProject) {
  const server = await startCaseward(connection)
  try {
    await new Promise((resolve) => setTimeout(resolve, SETTLE_MS))
    return await observe(server, seeded)
  } finally {
    await server.close()
  }
}

async function observe(server: Server, seeded: SeededProject) {
  const { runId } = seeded
  const token = await createCiToken(server, seeded)
  const { rssMb: idleMb } = await server.getStats()
  const json = createLargestBody((count) => JSON.stringify({ run_id: runId, results: withNotes(count) }))
  const notInRun = createLargestBody((count) =>
    JSON.stringify({ run_id: runId, results: withNotes(count).map(toResultNotInRun) }),
  )
  const xml = createLargestBody((count) => createJUnitReport(count, 2))
  const xmlInJson = createLargestBody((count) =>
    JSON.stringify({ run_id: runId, junit_xml: createJUnitReport(count, 3) }),
  )
  const measureBlocked = async (send: () => Promise<void>) => {
    const blocked: number[] = []
    for (let round = 0; round < 3; round += 1) {
      await server.getStats()
      await send()
      blocked.push((await server.getStats()).blockedMs)
    }
    return blocked.toSorted((a, b) => a - b)[1] ?? Number.NaN
  }
  const junitMs = await measureBlocked(() => upload(server, token, xml, `?run_id=${runId}`))
  const junitInJsonMs = await measureBlocked(() => upload(server, token, xmlInJson))
  const jsonMs = await measureBlocked(() => upload(server, token, json))
  const notInRunMs = await measureBlocked(() => upload(server, token, notInRun, '', 207))
  const { peakRssMb } = await server.getStats()
  return { idleMb, junitMs, junitInJsonMs, jsonMs, notInRunMs, peakRssMb }
}
