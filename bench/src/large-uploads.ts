import type { Connection } from '@caseward/embedded-postgres'

import type { SeededProject } from './seed.ts'
import { type Server, startCaseward } from './servers.ts'
import { ciToken, junit, results, upload } from './uploads.ts'

const LIMIT_BYTES = 10 * 1024 * 1024
/** What a server still does after its start is over by then, so that what it holds at rest can be told. */
const SETTLE_MS = 2000

/** The largest body under 10 MB that `make` can give, by the number of its results. */
function largest(make: (count: number) => string): string {
  let count = Math.floor((LIMIT_BYTES / make(1000).length) * 1000)
  let body = make(count)
  while (Buffer.byteLength(body) > LIMIT_BYTES) body = make((count = Math.floor(count * 0.98)))
  return body
}

/** Every result with a note, so that 10 MB hold fewer results than the run has cases. */
const withNotes = (count: number) =>
  results(count, 1).map((result) => ({ ...result, note: result.note ?? 'Checked by the nightly suite of the shop' }))

/** The same result for a case that is in no run. */
const toStrange = (result: ReturnType<typeof withNotes>[number]) => ({
  ...result,
  test_case_id: result.test_case_id.replace('WEB-', 'WEB-9000'),
})

/** Uploads of 10 MB to a server that has done nothing yet: how long each held its event loop, and the most memory it took. */
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
  const token = await ciToken(server, seeded)
  const { rssMb: idleMb } = await server.vitals()
  const json = largest((count) => JSON.stringify({ run_id: runId, results: withNotes(count) }))
  const strange = largest((count) => JSON.stringify({ run_id: runId, results: withNotes(count).map(toStrange) }))
  const xml = largest((count) => junit(count, 2))
  const xmlInJson = largest((count) => JSON.stringify({ run_id: runId, junit_xml: junit(count, 3) }))
  const heldBy = async (send: () => Promise<void>) => {
    const held: number[] = []
    for (let round = 0; round < 3; round += 1) {
      await server.vitals()
      await send()
      held.push((await server.vitals()).heldMs)
    }
    return held.toSorted((a, b) => a - b)[1] ?? Number.NaN
  }
  const junitMs = await heldBy(() => upload(server, token, xml, `?run_id=${runId}`))
  const junitInJsonMs = await heldBy(() => upload(server, token, xmlInJson))
  const jsonMs = await heldBy(() => upload(server, token, json))
  const strangeMs = await heldBy(() => upload(server, token, strange, '', 207))
  const { peakRssMb } = await server.vitals()
  return { idleMb, junitMs, junitInJsonMs, jsonMs, strangeMs, peakRssMb }
}
