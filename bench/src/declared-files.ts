import { createHash } from 'node:crypto'

import type pg from 'pg'

import { compareThroughput, measureInterleaved } from './measure.ts'
import { withoutJobs } from './postponed-jobs.ts'
import { seedRun, type SeededProject, vacuumAnalyze } from './seed.ts'
import { type Server, TOKEN } from './servers.ts'
import { createCiToken, upload } from './uploads.ts'

const TESTS = 10_000
const FAILED = 100
const FILES_PER_TEST = 3
/** The files take a few percent of an upload, whose time differs by a fifth: the median of few rounds is not as exact. */
const ROUNDS = 41

const createDeclaration = (test: number, round: number, file: number) => ({
  name: `shot-${file}.png`,
  sha256: createHash('sha256').update(`${test} ${round} ${file}`).digest('hex'),
  byte_count: 200_000,
})

/** A suite in which some tests fail; with files, these declare some. */
function createBody(runId: string, round: number, hasFiles: boolean): string {
  const tests = Array.from({ length: TESTS }, (_, index) => {
    const isFailed = index % (TESTS / FAILED) === 0
    const createFiles = () =>
      Array.from({ length: FILES_PER_TEST }, (_file, file) => createDeclaration(index, round, file))
    return {
      file: `src/shop-${index % 200}.test.ts`,
      name: `[WEB-${index + 1}] pays for item ${index}`,
      attempts: [
        {
          status: isFailed ? 'failed' : 'passed',
          elapsed_ms: 12,
          ...(isFailed ? { message: `AssertionError in round ${round}` } : {}),
          ...(isFailed && hasFiles ? { attachments: createFiles() } : {}),
        },
      ],
    }
  })
  return JSON.stringify({ run_id: runId, format: 'tests', tests })
}

/** The time of an upload that declares files, and of one that does not, and reads of the rows of these runs per second. */
export async function compareDeclaring(client: pg.Client, server: Server, seeded: SeededProject) {
  const token = await createCiToken(server, seeded)
  const seedRuns = async () => {
    const runIds: string[] = []
    for (let round = 0; round <= ROUNDS; round += 1) runIds.push(await seedRun(client, seeded.projectId))
    return runIds
  }
  const runs = { declaring: await seedRuns(), plain: await seedRuns() }
  await vacuumAnalyze(client)
  const send = (kind: keyof typeof runs) => {
    const bodies = runs[kind].map((runId, round) => createBody(runId, round, kind === 'declaring'))
    return () => upload(server, token, bodies.shift() ?? '')
  }
  const times = await withoutJobs(client, () =>
    measureInterleaved(ROUNDS, { declaring: send('declaring'), plain: send('plain') }),
  )
  await vacuumAnalyze(client)
  const read = (runId = '') => ({
    url: `${server.url}/v1/runs/${runId}/results?fields=row&status=failed`,
    headers: { authorization: `Bearer ${TOKEN}` },
  })
  const lists = await compareThroughput(read(runs.declaring[0]), read(runs.plain[0]))
  return { times, lists }
}
