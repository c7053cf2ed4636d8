import type pg from 'pg'

import type { Connection } from '@caseward/embedded-postgres'

import { type Figure, growthFigure, MAX_GROWTH, rateFigure, timeFigure } from './figures.ts'
import { compareThroughput, measureInterleaved, throughput } from './measure.ts'
import { openSide } from './open-side.ts'
import { getReadPath, READ_TITLES, READS } from './reads.ts'
import { addCases, type SeededProject, seedProject, seedRun, vacuumAnalyze } from './seed.ts'
import { type Server, TOKEN } from './servers.ts'
import { createCiToken, createResults, upload } from './uploads.ts'

/** Grows a project to 100,000 test cases and adds ten runs of all of them: a million results. */
export async function growTo100k(client: pg.Client, seeded: SeededProject): Promise<SeededProject> {
  await addCases(client, seeded.projectId, 100_000)
  let runId = seeded.runId
  for (let run = 0; run < 10; run += 1) runId = await seedRun(client, seeded.projectId)
  await vacuumAnalyze(client)
  return { ...seeded, runId, cases: 100_000 }
}

const UPLOAD_SIZE = 10_000

/**
 * Compares a large project with one of 10,000 test cases in a small database on the same PostgreSQL, with a service of its own:
 * the four reads, and first uploads to a run. Both take turns, because the machine is not equally fast for two minutes.
 */
export async function compareGrowth(
  { connection, client, caseward }: { connection: Connection; client: pg.Client; caseward: Server },
  large: SeededProject,
  rounds: number,
): Promise<Figure[]> {
  const side = await openSide(connection, 'bench_small')
  try {
    const small = await seedProject(side.client, UPLOAD_SIZE)
    await vacuumAnalyze(side.client)
    const figures: Figure[] = []
    for (const name of READS) {
      const getTarget = ({ url }: Server, seeded: SeededProject) => ({
        url: url + getReadPath(name, seeded),
        headers: { authorization: `Bearer ${TOKEN}` },
      })
      const rates = await compareThroughput(getTarget(caseward, large), getTarget(side.server, small))
      const what = `4. ${READ_TITLES[name]} with 1,000,000 results and 100,000 cases; reference: with 10,000`
      figures.push(growthFigure(what, rates.measured, rates.reference, rates.ratio))
    }
    const uploads = await measureInterleaved(rounds, {
      large: await prepareUploads(client, caseward, large, rounds),
      small: await prepareUploads(side.client, side.server, small, rounds),
    })
    const what = '4. Upload of 10,000 results with 1,000,000 in the database; reference: with 10,000'
    return [...figures, timeFigure(what, uploads.large, uploads.small, MAX_GROWTH)]
  } finally {
    await side.close()
  }
}

/** Returns a function that uploads the first results of a run, of another run each time. */
async function prepareUploads(
  client: pg.Client,
  server: Server,
  seeded: SeededProject,
  rounds: number,
): Promise<() => Promise<void>> {
  const bodies: string[] = []
  while (bodies.length < rounds + 1) {
    const runId = await seedRun(client, seeded.projectId)
    bodies.push(JSON.stringify({ run_id: runId, results: createResults(UPLOAD_SIZE, bodies.length) }))
  }
  await vacuumAnalyze(client)
  const token = await createCiToken(server, seeded)
  return () => upload(server, token, bodies.pop() ?? '')
}

/**
 * Grows a project to a million test cases. All titles have one word in common, and 20 have another one. Compares a
 * search for the rare word with a list of as many test cases, and searches in small projects with a single read: for the common
 * word, and for two letters, which the index on titles does not support.
 */
export async function compareSearch(client: pg.Client, { url }: Server, seeded: SeededProject) {
  await addCases(client, seeded.projectId, 1_000_000)
  await client.query(
    `update test_cases set title = title || ' over a zebra crossing' where project_id = $1 and number % 50000 = 7`,
    [seeded.projectId],
  )
  const small = await seedProject(client, 10)
  const ordinary = await seedProject(client, 200)
  await vacuumAnalyze(client)
  const headers = { authorization: `Bearer ${TOKEN}` }
  const getCasesUrl = ({ projectId }: SeededProject) => `${url}/v1/projects/${projectId}/test-cases`
  return await throughput({
    search: { url: `${getCasesUrl(seeded)}?search=zebra`, headers },
    page: { url: `${getCasesUrl(seeded)}?per_page=20`, headers },
    twoLetters: { url: `${getCasesUrl(small)}?search=se`, headers },
    commonWord: { url: `${getCasesUrl(ordinary)}?search=case`, headers },
    commonLetters: { url: `${getCasesUrl(ordinary)}?search=se`, headers },
    single: { url: `${getCasesUrl(seeded)}/WEB-77`, headers },
  })
}

/** The figures of {@link compareSearch}. */
export function toSearchFigures(rates: Awaited<ReturnType<typeof compareSearch>>): Figure[] {
  return [
    rateFigure(
      '4. `search` that matches 20 of 1,000,000 titles; reference: a list of 20 test cases',
      rates.search,
      rates.page,
      1 / 3,
    ),
    rateFigure(
      '4. `search` for two letters in 10 titles beside those; reference: a single read',
      rates.twoLetters,
      rates.single,
      1 / 5,
    ),
    rateFigure(
      '4. `search` for a word that 1,000,000 titles have, in 200 of them; reference: for two letters there',
      rates.commonWord,
      rates.commonLetters,
      0.8,
    ),
  ]
}
